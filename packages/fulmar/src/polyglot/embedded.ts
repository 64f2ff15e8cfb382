/**
 * Files of other languages in what `fulmar build` made. A file for Node has unpacked them, and the guest reads them there,
 * with whatever lies beside them; an executable writes nothing, so that the guest is given their texts.
 */
import { guestEnding } from '../host/guest-files.ts';
import { readGlobal } from '../host/globals.ts';

/** What is known of a built application here (`launch/built/types.ts`). */
interface Bundle {
  readonly root?: string;
  readonly folder?: string;
}

interface Located {
  /** What the guest loads. */
  readonly file: string;
  /** Texts by path: of the file and of those of its language below its folder. */
  readonly sources?: Readonly<Record<string, string>>;
}

export function embedded(specifier: string): Located {
  const { root, folder } = (readGlobal('fulmar.bundle') ?? {}) as Bundle;
  const ending = guestEnding(specifier);
  const { isAbsolute, join, relative } = process.getBuiltinModule('node:path');
  if (root === undefined || ending === undefined || !isAbsolute(specifier)) return { file: specifier };
  const { existsSync } = process.getBuiltinModule('node:fs');
  if (folder !== undefined) {
    const unpacked = join(folder, 'files', relative(root, specifier));
    return { file: existsSync(unpacked) ? unpacked : specifier };
  }
  return existsSync(specifier) ? { file: specifier, sources: textsBelow(join(specifier, '..'), ending) } : { file: specifier };
}

/** Not followed: links, which an executable does not have. */
function textsBelow(folder: string, ending: string): Record<string, string> {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs');
  const { join } = process.getBuiltinModule('node:path');
  const texts: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) Object.assign(texts, textsBelow(path, ending));
    else if (guestEnding(entry.name) === ending) texts[path] = readFileSync(path, 'utf8');
  }
  return texts;
}
