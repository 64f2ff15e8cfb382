/**
 * The import graph of `packages/fulmar/src`, read from the text of its files. Knows static and dynamic `import`, `export … from` and
 * `require()`; a specifier that is computed at run time is not seen.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'rolldown/utils';

export interface Import {
  /** Path below `src`, with `/`. */
  readonly from: string;
  readonly specifier: string;
  /** Path below `src` of the imported file, or undefined for a package. */
  readonly to: string | undefined;
  /** `import type` and `export type` vanish before run time. */
  readonly typeOnly: boolean;
}

interface ModuleRequest {
  readonly value: string;
}

/** Every import of every TypeScript file below `src`. */
export function readImports(src: string): Import[] {
  return listFiles(src, '.ts').flatMap((file) => importsOf(src, file));
}

/** Files below `folder` whose name ends so, generated and built ones left out. */
export function listFiles(folder: string, ending: string): string[] {
  const skipped = new Set(['node_modules', 'dist', 'target', 'generated', '.git']);
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(join(folder, entry.name), ending);
    return entry.isFile() && entry.name.endsWith(ending) ? [join(folder, entry.name)] : [];
  });
}

function importsOf(src: string, file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  const found: { specifier: string; typeOnly: boolean }[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    found.push({ specifier: moduleRequest.value, typeOnly: entries.length > 0 && entries.every((entry) => entry.isType) });
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries)
      if (moduleRequest) found.push({ specifier: requestOf(moduleRequest), typeOnly: isType });
  }
  for (const pattern of [/\bimport\(\s*['"]([^'"]+)['"]/g, /\brequire(?:\.resolve)?\(\s*['"]([^'"]+)['"]/g]) {
    for (const [, specifier] of withoutComments(text).matchAll(pattern)) if (specifier) found.push({ specifier, typeOnly: false });
  }
  const from = slashed(relative(src, file));
  return found.map(({ specifier, typeOnly }) => ({ from, specifier, typeOnly, to: targetOf({ src, file, specifier }) }));
}

function requestOf(request: ModuleRequest): string {
  return request.value;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
}

function targetOf({ src, file, specifier }: { src: string; file: string; specifier: string }): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return slashed(relative(src, resolve(dirname(file), specifier)));
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
