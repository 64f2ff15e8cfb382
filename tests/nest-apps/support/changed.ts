/** An application's sources as its author would change them: other imports, or an ES module. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = fileURLToPath(new URL('../', import.meta.url));

const entries: Readonly<Record<string, string>> = {
  '@nestjs/common': 'fulmar/controllers',
  '@nestjs/core': 'fulmar/controllers',
  '@nestjs/platform-express': 'fulmar/controllers',
  '@nestjs/swagger': 'fulmar/controllers/openapi',
};

/** Imports of Nest become those of Fulmar. */
export const toFulmar = (source: string): string =>
  source.replaceAll(/'(@nestjs\/[\w-]+)'/g, (text, name: string) => (Object.hasOwn(entries, name) ? `'${entries[name]}'` : text));

/** CommonJS becomes an ES module. */
export const toModule = (source: string): string => source.replaceAll('__dirname', 'import.meta.dirname');

export interface Copy {
  readonly name: string;
  /** A new folder. */
  readonly to: string;
  readonly type: 'commonjs' | 'module';
  readonly change: (source: string) => string;
}

/** Returns its main file. */
export function copyApp({ name, to, type, change }: Copy): string {
  const folder = join(to, name);
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'package.json'), JSON.stringify({ type }));
  cpSync(join(here, 'apps', name), folder, { recursive: true });
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.ts'))) {
    const path = join(folder, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  }
  return join(folder, 'main.ts');
}
