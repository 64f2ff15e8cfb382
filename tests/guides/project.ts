/**
 * A folder in which a user works: Fulmar as it is published, beside the packages of `package.json` here, and
 * nothing of the repository.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packed } from '../packages/support/packed.ts';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');

let base: string | undefined;

/**
 * A fresh folder with `files` (relative path → text). All of a process share their packages: those of the first call's
 * `packages`, a folder of an installation, before those here.
 */
export function createProject(files: Readonly<Record<string, string>>, packages?: string): string {
  base ??= createBase(packages);
  const folder = mkdtempSync(join(base, 'project-'));
  // Packages are found in the folder above, too; npx looks only here.
  symlinkSync(join('..', 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries({ 'package.json': '{ "private": true }\n', ...files })) writeProjectFile(folder, name, text);
  return folder;
}

/**
 * A folder of somebody who installs Fulmar: the checkout is beside it, as far as `npm run pack` has made
 * packages there.
 */
export function createFreshProject(): string {
  const home = createHome();
  const { tarballs } = packed();
  const made = join(home, 'fulmar', 'dist-packages');
  mkdirSync(made, { recursive: true });
  for (const tarball of tarballs.values()) symlinkSync(tarball, join(made, basename(tarball)));
  const folder = join(home, 'my-app');
  writeProjectFile(folder, 'package.json', '{ "private": true }\n');
  return folder;
}

export function writeProjectFile(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Removed with the process. */
function createHome(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-guide-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function createBase(packages: string | undefined): string {
  const folder = createHome();
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  if (packages !== undefined) linkPackages(join(packages, 'node_modules'), modules);
  linkPackages(join(here, 'node_modules'), modules);
  const { tarballs } = packed();
  for (const [name, tarball] of tarballs) unpack(tarball, join(modules, name));
  linkCompanions(modules);
  symlinkSync('../fulmar/bin/fulmar.cjs', join(modules, '.bin', 'fulmar'));
  return folder;
}

function linkPackages(from: string, to: string): void {
  if (!existsSync(from)) throw new Error(`${from} is missing: npm test installs it`);
  for (const name of readdirSync(from)) {
    if (name.startsWith('@') || name === '.bin') {
      mkdirSync(join(to, name), { recursive: true });
      for (const inner of readdirSync(join(from, name))) link(realpathSync(join(from, name, inner)), join(to, name, inner));
    } else if (!name.startsWith('.')) {
      link(join(from, name), join(to, name));
    }
  }
}

/** The first of a name counts. */
function link(from: string, to: string): void {
  if (!existsSync(to)) symlinkSync(from, to);
}

/** What a user installs beside it for TypeScript and for `fulmar build`: as the repository has it. */
function linkCompanions(modules: string): void {
  const { companions } = JSON.parse(readFileSync(join(root, 'packages/fulmar/package.json'), 'utf8')) as { companions: object };
  for (const name of Object.keys(companions)) {
    const to = join(modules, name);
    if (!existsSync(to)) symlinkSync(realpathSync(join(root, 'node_modules', name)), to);
  }
}

/** What npm unpacks. Not by a link to the folder: tools ask whether a file lies below `node_modules`. */
function unpack(tarball: string, to: string): void {
  mkdirSync(to, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', to, '--strip-components=1']);
}
