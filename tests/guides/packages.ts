/** The packages as they will be published, made once for a test file. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
let folder: string | undefined;

/** A folder of `.tgz` files. */
export function packages(): string {
  if (folder !== undefined) return folder;
  const made = (folder = mkdtempSync(join(tmpdir(), 'fulmar-packages-')));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', made], { cwd: join(root, 'packages/fulmar'), stdio: 'pipe' });
  return made;
}
