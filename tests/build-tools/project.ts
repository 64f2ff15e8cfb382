/**
 * A folder of an application for the tests here: it finds the tools of `package.json`, and Fulmar and its compiler as
 * they are built in this checkout.
 */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));

export interface Project {
  readonly folder: string;
  path(name: string): string;
  write(name: string, text: string): string;
  remove(): void;
}

export function createProject(files: Readonly<Record<string, string>>): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-tools-')));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(here, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(here, 'node_modules', name), join(modules, name));
  symlinkSync(join(root, 'packages', 'fulmar'), join(modules, 'fulmar'));
  symlinkSync(join(root, 'packages', 'compiler'), join(modules, 'fulmar-compiler'));
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const options = { strict: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022', types: [] };
  write('package.json', '{ "private": true, "type": "module" }');
  write('tsconfig.json', JSON.stringify({ compilerOptions: options }));
  for (const [name, text] of Object.entries(files)) write(name, text);
  return { folder, path: (name) => join(folder, name), write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
