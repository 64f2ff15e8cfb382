/**
 * For hosts without Node: what a layer's `lazy.ts` would load is taken from a file for such hosts, where one
 * stands beside it, or from a library that needs nothing of Node, and else says that it is not there.
 *   import serve_ from './serve.ts';                      import serve_ from './serve-edge.ts';
 *   import messages_ from './messages.ts';
 *   export const serve = () => serve_;                    export const serve = () => serve_;
 *   export const messages = () => messages_;              export const messages = () => { throw new Error('…'); };
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /^import (\w+) from '([^']+)\.ts';$/gm;
/** Of a package. */
const PACKAGE = /^import (\w+) from '([^.'][^']*)';$/gm;
const LOADER = /^export const (\w+) = .*=> (\w+);$/gm;

const REASON =
  'There is nothing of Node here: Express and Koa applications and functions (req, res) cannot be answered for. An app of Fulmar and fetch functions can.';

/**
 * `code` of a `lazy.ts`; `has` tells which files there are beside it, `packages` which libraries need nothing of
 * Node.
 */
export function withoutLoading(code, has, packages = []) {
  const kept = new Set();
  const left = code
    .replaceAll(PACKAGE, (text, local, name) => {
      if (!packages.includes(name)) return '';
      kept.add(local);
      return text;
    })
    .replaceAll(IMPORT, (_, local, path) => {
      if (!has(`${path}-edge.ts`)) return '';
      kept.add(local);
      return `import ${local} from '${path}-edge.ts';`;
    })
    .replaceAll(LOADER, (text, name, local) =>
      kept.has(local) ? text : `export const ${name} = () => { throw new Error(${JSON.stringify(REASON)}); };`,
    );
  for (const [text, local] of left.matchAll(/^(?:import (\w*)|export (?!const \w+ = )).*$/gm))
    if (!kept.has(local)) throw new Error(`leave-out-node: neither an import nor a function that returns one: ${text}`);
  return left;
}

/** @param {string[]} packages @returns {import('rolldown').Plugin} */
export const leaveOutNode = (packages) => ({
  name: 'leave-out-node',
  transform: {
    filter: { id: /src[\\/]\w+[\\/]lazy\.ts$/ },
    handler: (code, id) => ({ code: withoutLoading(code, (path) => existsSync(join(dirname(id), path)), packages), map: null }),
  },
});
