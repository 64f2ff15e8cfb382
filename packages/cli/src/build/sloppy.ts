/**
 * CommonJS modules that are not strict, beside a bundle of ES modules, which is: implicit globals, `this` of
 * plain functions, writes that fail without a word, `with`. Their code goes into a script of its own; in the
 * bundle a stub stands for each, which calls that code with what the bundler has resolved for it.
 */
import { relative } from 'node:path';
import { decode, encode, joinMaps, type Segment, type SourceMap } from '../../../fulmar/src/launch/compile/source-map.ts';
import { type BundlerPlaces, loadBundlerUtils } from '../rolldown.ts';
import { API, SLOPPY_IMPORT } from './scan.ts';
import type { BundleSource } from './sources.ts';

/**
 * What stubs call: the script's value, a function from a module's place to its code. The bundle's banner
 * defines it.
 */
export const SLOPPY = '$fulmarSloppy';

export interface SloppyScript {
  readonly code: string;
  readonly map: SourceMap;
}

interface ScriptOptions {
  readonly minify: boolean;
  /** What the sources of the map are relative to. */
  readonly folder: string;
  /** Where the bundler is, which minifies. */
  readonly bundler: BundlerPlaces;
}

export class SloppyModules {
  readonly #sources = new Map<string, BundleSource>();

  /** Any, or any of these. */
  hasAny(files?: readonly string[]): boolean {
    return files === undefined ? this.#sources.size > 0 : files.some((file) => this.#sources.has(file));
  }

  /** Keeps a module's code, and returns what stands for it in the bundle. */
  take(file: string, source: BundleSource): string {
    this.#sources.set(file, source);
    return toStub(source);
  }

  /** The script with the modules that `files` names; `undefined` when there are none. */
  async toScript(files: readonly string[], { minify, folder, bundler }: ScriptOptions): Promise<SloppyScript | undefined> {
    const shorten = minify ? await createMinifier(bundler) : undefined;
    const lines = ['module.exports=(place)=>{switch(place){'];
    const segments: Segment[][] = [[]];
    const sources: string[] = [];
    for (const file of files) {
      const source = this.#sources.get(file);
      if (source === undefined) continue;
      const { code, mappings } = shorten?.(source) ?? { code: toFunction(source.code), mappings: mappingsOf(source) };
      // In brackets: `return` and a line break would be a statement.
      lines.push(`case ${JSON.stringify(source.place)}:return (`, ...code.split('\n'), ');');
      segments.push([]);
      for (const line of decode(mappings)) segments.push(line.map(([column, , ...place]) => [column, sources.length, ...place]));
      while (segments.length < lines.length) segments.push([]);
      sources.push(relative(folder, file));
    }
    if (sources.length === 0) return undefined;
    return { code: [...lines, '}};'].join('\n'), map: { version: 3, mappings: encode(segments), names: [], sources } };
  }
}

type Minifier = (source: BundleSource) => { code: string; mappings: string } | undefined;

/** Names that are looked up while the code runs stay as they are, in code that may do so. */
const looksUpNames = /\bwith\s*\(|\beval\b/;
const ASSIGNED = 'module.exports=';

async function createMinifier(places: BundlerPlaces): Promise<Minifier> {
  const { minifySync } = await loadBundlerUtils(places);
  const keepNames = { function: true, class: true };
  return (source) => {
    if (looksUpNames.test(source.code)) return undefined;
    const code = `${ASSIGNED}${toFunction(source.code)};`;
    const made = minifySync('sloppy.cjs', code, { sourcemap: true, module: false, compress: { keepNames }, mangle: { keepNames } });
    if (made.errors.length > 0 || !made.code.startsWith(ASSIGNED)) return undefined;
    const inner = { version: 3, mappings: mappingsOf(source), names: [], sources: [source.place] };
    const { mappings } = joinMaps(made.map as SourceMap, inner);
    const shortened = made.code.trimEnd().replace(/;$/, '');
    return { code: `${' '.repeat(ASSIGNED.length)}${shortened.slice(ASSIGNED.length)}`, mappings };
  };
}

/** The code begins on a line of its own, and ends on one: it may end in a comment. */
function toFunction(code: string): string {
  return `function(exports,require,module,__filename,__dirname,${SLOPPY_IMPORT}){\n${code.replace(/^#!/, '//')}\n}`;
}

/** Of what `toFunction` makes. What was not compiled lies where it lay, each word of it. */
function mappingsOf({ code, map }: BundleSource): string {
  if (map !== null) return `;${map.mappings}`;
  const lines = code
    .split('\n')
    .map((text, line) => [...text.matchAll(/[\w$]+|[^\s\w$]/g)].map(({ index }): Segment => [index, 0, line, index]));
  return `;${encode(lines)}`;
}

function toStub({ place, requires, imports }: BundleSource): string {
  const name = JSON.stringify(place);
  const given = [
    'exports',
    toChoice(requires, 'require', `${API}.requireOf(${name})`),
    'module',
    `${API}.place(${name})`,
    `${API}.folderOf(${name})`,
    ...(imports.size === 0 ? [] : [toChoice(imports, 'import', `${API}.importOf(${name})`)]),
  ];
  return `${SLOPPY}(${name}).call(exports,${given.join(',')});`;
}

/** A function that leads the names which the bundler knows to what it makes of them. */
function toChoice(names: ReadonlySet<string>, call: string, otherwise: string): string {
  const cases = [...names].map((name) => `case ${JSON.stringify(name)}:return ${call}(${JSON.stringify(name)});`).join('');
  return `(n)=>{switch(n){${cases}default:return ${otherwise}(n)}}`;
}
