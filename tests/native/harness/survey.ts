/** Asks a host what its modules offer. Never runs a program of a case. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, folder } from './bundle.ts';
import { type Command, LOOKUP } from './host.ts';
import { readChild } from './lines.ts';
import type { Members } from './members.ts';
import type { SurveyRequest } from './survey-child.ts';

export interface Survey {
  readonly members: Members;
  /** `absent`, `unsupported` or `present`, for each member asked about. */
  readonly states: Readonly<Record<string, string>>;
}

const child = fileURLToPath(new URL('survey-child.ts', import.meta.url));
let text: Promise<string> | undefined;

/** One child for all requests; a module whose listing ends the child has no members. */
export async function survey(host: Command, side: string, requests: readonly SurveyRequest[]): Promise<ReadonlyMap<string, Survey>> {
  text ??= bundle({ entry: `import ${JSON.stringify(child)};` });
  const path = join(folder(), `survey-${side}.cjs`);
  const plan = `Object.defineProperty(globalThis, 'plan', { value: { requests: ${JSON.stringify(requests)}, lookup: ${LOOKUP} } });\n`;
  writeFileSync(path, plan + (await text));
  const found = new Map<string, Survey>();
  // What members do when they are called (`mkdtemp`, `writeHeapSnapshot`) they do there.
  await readChild(host, path, folder(), (line) => {
    const said = line as Survey & { module?: string; done?: true };
    if (said.module !== undefined) found.set(said.module, { members: said.members, states: said.states });
    return said.done === true;
  });
  return found;
}
