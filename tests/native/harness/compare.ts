/** Runs the cases of one module on both hosts and keeps what both showed. Never judges. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, folder } from './bundle.ts';
import type { ModuleCases } from './cases.ts';
import { type Command, LOOKUP, nativeHost, plainNode, root } from './host.ts';
import { readChild } from './lines.ts';
import { type Survey, survey } from './survey.ts';

/** An outcome as the child wrote it, or `{ ended }` when it did not come to one. */
export type Outcome = Readonly<Record<string, unknown>>;

export interface Side {
  readonly states: Survey['states'];
  /** One for each program, in the order of the cases. */
  readonly outcomes: readonly Outcome[];
}

export interface Both {
  readonly node: Side;
  readonly native: Side;
}

const child = fileURLToPath(new URL('child.ts', import.meta.url));

export async function bundleOf(file: string): Promise<string> {
  const entry = `import cases from ${JSON.stringify(file)};\nimport { runCases } from ${JSON.stringify(child)};\nvoid runCases(cases);\n`;
  return bundle({ entry });
}

/** Runs all programs of a module's cases on both hosts, at the same time. */
export async function runBoth(file: string, cases: ModuleCases): Promise<Both> {
  const text = await bundleOf(file);
  const [node, native] = await Promise.all([runSide(plainNode(), 'node', text, cases), runSide(nativeHost(), 'native', text, cases)]);
  return { node, native };
}

async function runSide(host: Command, side: string, text: string, cases: ModuleCases): Promise<Side> {
  const outcomes: Outcome[] = [];
  const count = [...cases.programs.values()].flat().length;
  const names = [...cases.programs.keys(), ...Object.keys(cases.missing)];
  const states = (await survey(host, side, [{ module: cases.module, names }])).get(cases.module)?.states ?? {};
  let ready = false;
  let from = 0;
  while (from < count) {
    const path = placed(side, text, from);
    const ending = await readChild(host, path, root, (line) => {
      const said = line as { ready?: true; index?: number; outcome?: Outcome; done?: true };
      ready ||= said.ready === true;
      if (said.index !== undefined) outcomes[said.index] = said.outcome ?? {};
      return said.done === true;
    });
    if (!ready) return { states, outcomes: Array.from({ length: count }, () => ({ ended: ending.detail })) };
    while (from in outcomes) from += 1;
    if (from < count) outcomes[from++] = { ended: ending.detail };
  }
  return { states, outcomes };
}

/** Writes the bundle behind its plan. */
function placed(side: string, text: string, from: number): string {
  const path = join(folder(), `${side}.cjs`);
  const plan = `Object.defineProperty(globalThis, 'plan', { value: { lookup: ${LOOKUP}, from: ${from} } });\n`;
  writeFileSync(path, plan + text);
  return path;
}
