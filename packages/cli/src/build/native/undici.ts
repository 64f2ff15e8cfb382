/**
 * undici, where an application brings it. Its client needs WebAssembly, which the QuickJS host does not have; what it is loaded for often
 * is something else, and nothing but its client must fail for that.
 */
import { globalInSource } from '../../../../fulmar/src/host/globals.ts';

/** Within the package, of versions 5 to 8 → what is changed there. */
const changes: readonly (readonly [file: RegExp, from: RegExp, to: string])[] = [
  // The default dispatcher is no wish of the application's: `fetch` of the host keeps its own
  // (`packages/quickjs-node/src/web/undici-global.ts`).
  [
    /\/lib\/global\.js$/,
    /setGlobalDispatcher\(new Agent\(\)\)/,
    `setGlobalDispatcher(new Agent());${globalInSource('fulmar.undiciDefault')}=globalThis[Symbol.for("undici.globalDispatcher.1")]`,
  ],
  // Refused when the module is loaded, and told to who sends the first request.
  [/\/lib\/(?:dispatcher\/client-h1|client)\.js$/, /llhttpPromise\.catch\(\)/, 'llhttpPromise.catch(() => {})'],
  // V8 keeps for a turn what QuickJS frees at once: the response that is being given back, and one whose body alone is held.
  [
    /\/lib\/(?:web\/)?fetch\/index\.js$/,
    /responseObject = new WeakRef\((fromInnerResponse\(response, 'immutable'[^()]*\))\)/,
    'const made = $1;responseObject = new WeakRef(made)',
  ],
  [/\/lib\/(?:web\/)?fetch\/response\.js$/, /\b(?:streamRegistry|registry)\.register\([^;{}\n]*\)(?=\n)/g, ''],
];

export function adaptUndici(file: string, code: string): string {
  const path = file.replaceAll('\\', '/');
  if (!path.includes('/node_modules/undici/lib/')) return code;
  return changes.reduce((text, [where, from, to]) => (where.test(path) ? text.replace(from, to) : text), code);
}
