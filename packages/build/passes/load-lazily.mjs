/**
 * Libraries and parts of ours that many applications never use: `lazy.ts` of a layer imports each, and its
 * functions load it on their first call.
 *   import busboy from 'busboy';            import type busboy from 'busboy'; let $busboy: any;
 *   export const lazyBusboy = () => busboy; export const lazyBusboy = () => ($busboy ??= require('./lazy-busboy.cjs').default);
 * Each becomes a file of its own. The type-only import keeps `typeof busboy` valid; no line moves.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectAll } from './met.mjs';

const IMPORT = /^import (\w+) from '([^']+)';$/gm;
const entryOf = (specifier) => `lazy-${specifier.replaceAll(/^\.\/|\.ts$/g, '').replaceAll(/[^\w-]/g, '-')}`;

/** `code` of a `lazy.ts`, and the specifiers that have become files. */
export function splitImports(code) {
  const packages = new Map([...code.matchAll(IMPORT)].map(([, local, specifier]) => [local, specifier]));
  const unused = new Set(packages.keys());
  const load = (local) => {
    unused.delete(local);
    return `($${local} ??= require('./${entryOf(packages.get(local))}.cjs').default)`;
  };
  const split = code
    .replaceAll(IMPORT, "import type $1 from '$2'; let $$$1: any;")
    .replaceAll(/=> (\w+);$/gm, (text, local) => (packages.has(local) ? `=> ${load(local)};` : text));
  const [other] = /^import (?!type ).*$/m.exec(split) ?? [];
  if (other !== undefined) throw new Error(`load-lazily: only what a module exports by default is loaded late: ${other}`);
  if (unused.size > 0) throw new Error(`load-lazily: no function returns ${[...unused].join(', ')} alone`);
  return split;
}

/**
 * @param {string[]} files every `lazy.ts`; those that do not exist have nothing
 * @returns {{ plugin: import('rolldown').Plugin, entries: Record<string, string> }} `entries`: name of the output → input, for rolldown
 */
export function loadLazily(files) {
  /**
   * The entry of each: a module that is not on disk, beside its lazy file, so that packages resolve as from
   * there.
   */
  const sources = new Map(
    files
      .filter((file) => existsSync(file))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, , name]) => [name, join(dirname(file), `${entryOf(name)}.entry.js`)]),
      ),
  );
  const loaded = expectAll('load-lazily', sources.keys());
  const plugin = {
    name: 'load-lazily',
    transform: {
      // Copies, too.
      filter: { id: /src[\\/]\w+[\\/]lazy\.ts(?:\?\w+)?$/ },
      handler: (code) => ({ code: splitImports(code), map: null }),
    },
    resolveId: {
      filter: { id: /lazy-[\w-]+\.(?:cjs|entry\.js)$/ },
      handler: (id) => ({ id, external: id.endsWith('.cjs') }),
    },
    load: {
      filter: { id: /lazy-[\w-]+\.entry\.js$/ },
      handler(id) {
        const [name] = [...sources].find(([, source]) => source === id);
        loaded.meet(name);
        return `export { default } from '${name}';`;
      },
    },
    generateBundle: () => loaded.check(),
  };
  return { plugin, entries: Object.fromEntries([...sources].map(([name, source]) => [entryOf(name), source])) };
}
