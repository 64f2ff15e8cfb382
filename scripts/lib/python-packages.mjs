/**
 * Packages of Python that tests and benchmarks of `fulmar/polyglot` use, in a virtual environment in the cache folder,
 * from Python's package index in the versions that stand here. Nothing that is published needs them.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, isMain, root, runMain, step } from './run.mjs';

/** Exact, as lockfiles have it; of a Python from 3.11 on. */
const packages = [
  'fastapi==0.121.3',
  'numpy==2.3.5',
  'pandas==2.3.3',
  'polars==2.1.0',
  'pyarrow==26.0.1',
  'pydantic==2.12.4',
  'scikit-learn==1.7.2',
  'uvicorn==0.38.0',
  'uvloop==0.22.1',
  'httptools==0.7.1',
];
const folder = join(root, 'node_modules', '.cache', 'fulmar', 'python');
const stamp = join(folder, 'installed');

/** The interpreter of the environment; undefined, with the reason printed, where it cannot be made. */
export const pythonOfTests = () => (existsSync(stamp) ? join(folder, 'bin', 'python') : undefined);

/** Installs them unless they are there: 700 MB. Without Python, venv or the index there are none, and what needs them is skipped. */
export async function installPythonPackages() {
  const wanted = packages.join('\n');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 'up to date';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [command, args] of [
    ['python3', ['-m', 'venv', folder]],
    [join(folder, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:', ...packages]],
  ]) {
    const { code, output } = await capture(command, args);
    if (code !== 0) return `not installed: ${command} ${args.slice(0, 3).join(' ')} … failed: ${output.trim().split('\n').at(-1)}`;
  }
  writeFileSync(stamp, wanted);
  return packages.join(', ').replaceAll('==', ' ');
}

if (isMain(import.meta.url)) await runMain(() => step('setup: python packages', installPythonPackages));
