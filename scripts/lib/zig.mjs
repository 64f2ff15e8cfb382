/**
 * Zig as C compiler and linker: it links against the C library of an older Linux than the one it runs on.
 * Installed from Python's package index into the cache folder, in the versions that stand here, when
 * something is packed for the first time.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { capture, Failure, root } from './run.mjs';

/** Exact, as lockfiles have it. */
const packages = ['ziglang==0.15.2', 'cargo-zigbuild==0.24.1'];
const folder = join(root, 'node_modules', '.cache', 'fulmar', 'zig');
const stamp = join(folder, 'installed');

/** Installs it unless it is there: 400 MB. */
export async function installZig() {
  const wanted = packages.join('\n');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 'up to date';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const steps = [
    ['python3', ['-m', 'venv', folder]],
    [join(folder, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:', ...packages]],
  ];
  for (const [command, args] of steps) {
    const { code, output } = await capture(command, args);
    if (code === 0) continue;
    const advice = 'Packing needs Python 3 with its modules venv and pip (Debian: python3-venv), which install Zig.';
    throw new Failure(`${command} ${args.join(' ')} failed:\n${output}\n${advice}`);
  }
  writeFileSync(stamp, wanted);
  return packages.join(', ').replaceAll('==', ' ');
}

/** For `cargoBuild`: what builds with Zig in the place of `cargo build`. */
export function zigCargo() {
  return { command: ['cargo', 'zigbuild'], env: { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH ?? ''}` } };
}
