/**
 * The files of a schematic, made of its templates, and where they go. Reads templates, and whether a file is
 * there; writes nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fill, type Names } from './names.ts';
import type { Schematic } from './schematics.ts';

export interface GeneratedFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  readonly exists: boolean;
}

export interface FilesPlan {
  readonly schematic: Schematic;
  readonly names: Names;
  readonly spec: boolean;
  /** Where they go. */
  readonly folder: string;
  /** Our `templates`. */
  readonly templates: string;
  /** What imports of files end with: nothing, `.js` or `.ts`. */
  readonly suffix: string;
}

/** Folder of what is generated. */
export function folderFor({ schematic, names, flat }: Pick<FilesPlan, 'schematic' | 'names'> & { flat: boolean }, sources: string): string {
  const own = flat ? [] : [schematic.folder ?? names.kebab];
  return join(sources, ...names.folders, ...own);
}

export function makeFiles({ schematic, names, spec, folder, templates, suffix }: FilesPlan): GeneratedFile[] {
  return schematic.files
    .filter(({ target }) => spec || !target.endsWith('.spec.ts'))
    .map(({ source, target }) => {
      const file = join(folder, fill(target, names));
      const text = readFileSync(join(templates, 'generate', source), 'utf8');
      return { file, text: withSuffix(fill(toOwnImports(text), names), suffix), exists: existsSync(file) };
    });
}

/** A test of a single class imports it by the name that its template has: `./controller`. */
const toOwnImports = (text: string): string => text.replaceAll(/'\.\/([a-z]+)'/g, "'./sample-things.$1'");

const withSuffix = (text: string, suffix: string): string => text.replaceAll(/( from '\.[^']*)'/g, `$1${suffix}'`);
