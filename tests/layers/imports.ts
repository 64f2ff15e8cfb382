/**
 * The import graph of the sources, read from the text of their files. Knows static and dynamic `import`,
 * `export … from` and `require()`; a specifier that is computed at run time is not seen.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'rolldown/utils';

export interface Import {
  /** Name of the layer and path in it, with `/`. */
  readonly from: string;
  readonly specifier: string;
  /** The same of the imported file; begins with `..` outside of the sources; undefined for a package. */
  readonly to: string | undefined;
  /** `import type`, `export type` and `typeof import()` vanish before run time. */
  readonly typeOnly: boolean;
  /** By a call when it runs: `import()`, `require()`, `later<typeof import('…')>()`. */
  readonly isDynamic: boolean;
}

interface ModuleRequest {
  readonly value: string;
}

/**
 * Folders by what their files' names begin with: `''` where each folder in it is a layer, `'quickjs-node/'`
 * where it is one.
 */
export type Sources = Readonly<Record<string, string>>;

/** Every import of every TypeScript file of the sources. */
export function readImports(sources: Sources): Import[] {
  return Object.values(sources).flatMap((folder) => listFiles(folder, '.ts').flatMap((file) => importsOf(sources, file)));
}

/** What `from` and `to` call a file. */
export function nameOf(sources: Sources, file: string): string {
  const [prefix, folder] = Object.entries(sources).find(([, place]) => file.startsWith(place + sep)) ?? [];
  return prefix === undefined || folder === undefined ? `../${file}` : prefix + slashed(relative(folder, file));
}

/** Files below `folder` whose name ends so, generated and built ones left out. */
export function listFiles(folder: string, ending: string): string[] {
  const skipped = new Set(['node_modules', 'dist', 'target', 'generated', '.git']);
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(join(folder, entry.name), ending);
    return entry.isFile() && entry.name.endsWith(ending) ? [join(folder, entry.name)] : [];
  });
}

function importsOf(sources: Sources, file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  const found: Pick<Import, 'specifier' | 'typeOnly' | 'isDynamic'>[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    found.push({
      specifier: moduleRequest.value,
      typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
      isDynamic: false,
    });
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries)
      if (moduleRequest) found.push({ specifier: requestOf(moduleRequest), typeOnly: isType, isDynamic: false });
  }
  for (const [, before = '', specifier = ''] of withoutComments(text).matchAll(CALLS)) {
    found.push({ specifier, typeOnly: before.startsWith('typeof'), isDynamic: true });
  }
  const from = nameOf(sources, file);
  return found.map((one) => ({ from, ...one, to: targetOf({ sources, file, specifier: one.specifier }) }));
}

/**
 * `import('x')`, `require('x')`, `typeof import('x')`, and `later<typeof import('x')>()`, which is none of a
 * type alone.
 */
const CALLS = /(\blater(?:\.file)?<\s*typeof |\btypeof |)\b(?:import|require(?:\.resolve)?)\(\s*['"]([^'"]+)['"]/g;

function requestOf(request: ModuleRequest): string {
  return request.value;
}

/** A source without its comments, roughly: a text that looks like one goes, too. */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
}

function targetOf({ sources, file, specifier }: { sources: Sources; file: string; specifier: string }): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return nameOf(sources, resolve(dirname(file), specifier));
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
