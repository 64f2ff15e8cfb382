/** A folder in which a user works: Fulmar as it is published, beside the packages of `package.json` here, and nothing of the repository. */
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const packageFolder = join(root, 'packages', 'fulmar');

/** Executables are linked; all else is copied. */
const LINKED_BYTES_MIN = 1_000_000;

let base: string | undefined;

/** A fresh folder with `files` (relative path → text). All of a process share their packages. */
export function createProject(files: Readonly<Record<string, string>>): string {
  base ??= createBase();
  const folder = mkdtempSync(join(base, 'project-'));
  // Packages are found in the folder above, too; npx looks only here.
  symlinkSync(join('..', 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries({ 'package.json': '{ "private": true }\n', ...files })) writeProjectFile(folder, name, text);
  return folder;
}

export function writeProjectFile(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function createBase(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-guide-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  linkPackages(join(here, 'node_modules'), modules);
  publish(join(modules, 'fulmar'));
  linkDependencies(modules);
  symlinkSync('../fulmar/bin/fulmar.cjs', join(modules, '.bin', 'fulmar'));
  return folder;
}

function linkPackages(from: string, to: string): void {
  if (!existsSync(from)) throw new Error(`${from} is missing: npm test installs it`);
  for (const name of readdirSync(from)) {
    if (name.startsWith('@') || name === '.bin') {
      mkdirSync(join(to, name), { recursive: true });
      for (const inner of readdirSync(join(from, name))) symlinkSync(realpathSync(join(from, name, inner)), join(to, name, inner));
    } else if (!name.startsWith('.')) {
      symlinkSync(join(from, name), join(to, name));
    }
  }
}

/** What npm would install with it: as the repository has it. */
function linkDependencies(modules: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    const [from, to] = [join(root, 'node_modules', name), join(modules, name)];
    if (existsSync(to) || !existsSync(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(realpathSync(from), to);
  }
}

/** What npm would unpack. Not by a link to the folder: tools ask whether a file lies below `node_modules`. */
function publish(to: string): void {
  const { files } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { files: string[] };
  const left = new Set(files.filter((name) => name.startsWith('!')).map((name) => join(packageFolder, name.slice(1))));
  mkdirSync(to);
  for (const name of ['package.json', ...files.filter((name) => !name.startsWith('!'))])
    copy(join(packageFolder, name), join(to, name), left);
}

function copy(from: string, to: string, left: ReadonlySet<string>): void {
  if (left.has(from)) return;
  const found = statSync(from);
  if (found.isDirectory()) {
    mkdirSync(to);
    for (const name of readdirSync(from)) copy(join(from, name), join(to, name), left);
  } else if (found.size < LINKED_BYTES_MIN || !link(from, to)) {
    // What is small is not worth it that a tool that writes into a package would write into ours.
    cpSync(from, to);
  }
}

/** False where that cannot be, as from one disk to another. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}
