/**
 * `later<typeof import('./trees.later.ts')>()` → `later("fs/trees.cjs")`: a module of the host that is loaded
 * when the call runs, by the name it has there. `later.file<typeof import('…')>()` is the name alone. Works
 * on the source, as types are gone behind it.
 */
import { dirname, join } from 'node:path';

const CALL = /\blater(?<file>\.file)?<\s*typeof import\('(?<path>[^']+)'\),?\s*>\(\)/g;
const IMPORT = /^import later(?:, \{ type LateFile \})? from 'fulmar:later';$/m;

/**
 * @param {string} code TypeScript
 * @param {string} file its path
 * @param {(path: string) => string | undefined} nameOf the name in the host of the module at a path, if it is loaded by name
 * @returns {string} with as many lines
 */
export function nameLateModules(code, file, nameOf) {
  const named = code.replaceAll(CALL, (call, ...rest) => {
    const { file: alone, path } = rest.at(-1);
    const name = nameOf(join(dirname(file), path));
    if (name === undefined) throw new Error(`${file}: ${path} is loaded late, but is no module of its own: end its name in .later.ts`);
    return withLinesOf(call, alone === undefined ? `later(${JSON.stringify(name)})` : JSON.stringify(name));
  });
  if (/\blater(?:\.file)?\s*</.test(named)) throw new Error(`${file}: later() with anything but \`typeof import('…')\``);
  // Names alone need nothing at run time.
  return /\blater\(/.test(named) ? named : named.replace(IMPORT, '');
}

const withLinesOf = (text, replacement) => replacement + '\n'.repeat(text.split('\n').length - 1);

/** @param {Map<string, string>} names path of a source → name in the host */
export const later = (names) => ({
  name: 'later',
  transform: {
    filter: { id: /\.ts$/, code: 'fulmar:later' },
    handler: (code, id) => ({ code: nameLateModules(code, id, (path) => names.get(path)), map: null }),
  },
});
