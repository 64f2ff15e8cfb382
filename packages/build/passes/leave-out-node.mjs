/**
 * For hosts without Node: what a layer's `lazy.ts` would load (servers, messages) is not there, and says so
 * when it is asked for.
 *   import serve_ from './serve.ts';
 *   export const serve = (): typeof serve_ => serve_;      export const serve = () => { throw new Error('…'); };
 */
const IMPORT = /^import \w+ from '[^']+';$/gm;
const LOADER = /^export const (\w+) = .*=> \w+;$/gm;

const REASON =
  'There is nothing of Node here: an app cannot listen on a port, and Express and Koa applications and functions (req, res) cannot be answered for.';

/** `code` of a `lazy.ts`. */
export function withoutLoading(code) {
  const left = code.replaceAll(IMPORT, '').replaceAll(LOADER, `export const $1 = () => { throw new Error(${JSON.stringify(REASON)}); };`);
  const [other] = /^(?:import|export (?!const \w+ = \(\) => \{)).*$/m.exec(left) ?? [];
  if (other !== undefined) throw new Error(`leave-out-node: neither an import nor a function that returns one: ${other}`);
  return left;
}

/** @returns {import('rolldown').Plugin} */
export const leaveOutNode = () => ({
  name: 'leave-out-node',
  transform: {
    filter: { id: /src[\\/]\w+[\\/]lazy\.ts$/ },
    handler: (code) => ({ code: withoutLoading(code), map: null }),
  },
});
