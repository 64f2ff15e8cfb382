/**
 * undici, where an application brings it. Its client needs WebAssembly, which the QuickJS host does not have;
 * what it is loaded for often is something else, and nothing but its client must fail for that. A text that
 * is not as it was in any version known is told of.
 */
import { globalInSource } from '../../../../fulmar/src/host/globals.ts';

interface Change {
  /** Within the package, of versions 5 to 8. */
  readonly file: RegExp;
  /** What there is in a text that has to be changed. */
  readonly where: RegExp;
  readonly from: RegExp;
  readonly to: string;
}

const changes: readonly Change[] = [
  // The default dispatcher is no wish of the application's: `fetch` of the host keeps its own
  // (`packages/quickjs-node/src/web/undici-global.ts`).
  {
    file: /\/lib\/global\.js$/,
    where: /\bnew Agent\b/,
    from: /setGlobalDispatcher\(new Agent\(\)\)/,
    to: `setGlobalDispatcher(new Agent());${globalInSource('fulmar.undiciDefault')}=globalThis[Symbol.for("undici.globalDispatcher.1")]`,
  },
  // Refused when the module is loaded, and told to who sends the first request.
  {
    file: /\/lib\/(?:dispatcher\/client-h1|client)\.js$/,
    where: /^(?:const|let|var) \w+ = lazyllhttp\(/m,
    from: /llhttpPromise\.catch\(\)/,
    to: 'llhttpPromise.catch(() => {})',
  },
  // V8 keeps for a turn what QuickJS frees at once: the response that is being given back, and one whose body
  // alone is held.
  {
    file: /\/lib\/(?:web\/)?fetch\/index\.js$/,
    where: /\bnew WeakRef\b/,
    from: /responseObject = new WeakRef\((fromInnerResponse\(response, 'immutable'[^()]*\))\)/,
    to: 'const made = $1;responseObject = new WeakRef(made)',
  },
  {
    file: /\/lib\/(?:web\/)?fetch\/response\.js$/,
    where: /\.register\(/,
    from: /\b(?:streamRegistry|registry)\.register\([^;{}\n]*\)(?=\n)/g,
    to: '',
  },
];

/** `onUnknown` is called for a file that has to be changed and is written in a way that is not known here. */
export function adaptUndici(file: string, code: string, onUnknown: (file: string) => void): string {
  const path = file.replaceAll('\\', '/');
  if (!path.includes('/node_modules/undici/lib/')) return code;
  return changes.reduce((text, change) => {
    if (!change.file.test(path) || !change.where.test(text)) return text;
    const changed = text.replace(change.from, change.to);
    if (changed === text) onUnknown(file);
    return changed;
  }, code);
}
