/**
 * Which names an ES module can import of a compiled CommonJS source. Node finds them by reading text: on Node
 * 20 that of the source, which it cannot read, and never through `export * from` another compiled source.
 *
 * Runs when an ES module imports such a source; reads what was compiled of it.
 */
import type { Transpiled } from './transpile.ts';

/** How a source is found and compiled. */
export interface Compiling {
  load(file: string): Transpiled;
  /** The compiled source that `specifier` means in `importer`, if it is one. */
  find(specifier: string, importer: string): string | undefined;
}

const hint = /^0 && \(module\.exports = \{ (.*) \}\);$/gm;
const assigned = /\b(?:module\.)?exports\.([\w$]+)\s*=(?!=)|\bObject\.defineProperty\(\s*(?:module\.)?exports\s*,\s*["']([\w$]+)["']/g;
const whole = /\bmodule\.exports\s*=\s*\{([^{}]*)\}/g;
const imported = /^const __vite_ssr_import_(\d+)__ = +__vite_ssr_import__\(("(?:[^"\\]|\\.)*")/gm;
const star = /^__vite_ssr_exportAll__\(__vite_ssr_import_(\d+)__\)/gm;

/** All but `default`. */
export function exportNames(file: string, compiling: Compiling, seen = new Set<string>()): Set<string> {
  seen.add(file);
  const { code } = compiling.load(file);
  const names = new Set(ownNames(code));
  for (const specifier of starSources(code)) {
    const from = compiling.find(specifier, file);
    if (from === undefined || seen.has(from)) continue;
    for (const name of exportNames(from, compiling, seen)) names.add(name);
  }
  for (const name of ['default', '__esModule']) names.delete(name);
  return names;
}

function* ownNames(code: string): Generator<string> {
  for (const [, list = ''] of code.matchAll(hint)) yield* list.split(', ').map((item) => item.replace(/: null$/, ''));
  for (const [, name, defined] of code.matchAll(assigned)) yield name ?? defined ?? '';
  for (const [, list = ''] of code.matchAll(whole)) {
    for (const item of list.split(',')) {
      const name = /^\s*(?:([\w$]+)|(["'])([\w$]+)\2)\s*(?::|$)/.exec(item);
      if (name !== null) yield name[1] ?? name[3] ?? '';
    }
  }
}

function starSources(code: string): string[] {
  const sources = new Map([...code.matchAll(imported)].map(([, number, source = '""']) => [number, JSON.parse(source) as string]));
  return [...code.matchAll(star)].flatMap(([, number]) => sources.get(number) ?? []);
}

/**
 * An ES module that has what Node gives an importer of a CommonJS module: `module.exports`, and its members
 * as they are when it has run.
 */
export function toFacade(file: string, names: ReadonlySet<string>): string {
  const path = JSON.stringify(file);
  const list = [...names];
  return `import { createRequire } from 'node:module';
const exports = createRequire(${path})(${path});
const { ${list.map((name, index) => `${name}: $${index}`).join(', ')} } = exports ?? {};
export { ${[...list.map((name, index) => `$${index} as ${name}`), 'exports as default'].join(', ')} };
`;
}

/** A line that Node's reader of names understands, behind code that does not say them. */
export function toHint(names: ReadonlySet<string>): string {
  return names.size === 0 ? '' : `\n0 && (module.exports = { ${[...names].map((name) => `${name}: null`).join(', ')} });`;
}
