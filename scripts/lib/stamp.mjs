/** "Has anything changed since the last time?" for steps that have no build system of their own. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const stampDir = join(root, 'node_modules', '.cache', 'fulmar');

/** A digest of the names, sizes and modification times of every file under `paths` (files or folders). */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths) for (const file of walk(path)) addFile(hash, file);
  return hash.digest('hex');
}

/** Runs `work` unless `name`'s last successful run saw the same fingerprint and `outputs` still exist. */
export async function unlessUnchanged({ name, inputs, outputs = [] }, work) {
  const file = join(stampDir, `${name}.stamp`);
  const now = fingerprint(inputs);
  const known = existsSync(file) && readFileSync(file, 'utf8') === now;
  if (known && outputs.every((output) => existsSync(output))) return 'up to date';
  const note = await work();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, now);
  return note;
}

/** Every file under `path`, sorted, without hidden ones and `node_modules`. */
export function* walk(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === 'dist' || entry.name === 'target') continue;
    if (entry.isDirectory()) yield* walk(join(path, entry.name));
    else if (entry.isFile()) yield join(path, entry.name);
  }
}

function addFile(hash, file) {
  const { size, mtimeMs } = statSync(file);
  hash.update(`${file}\0${size}\0${mtimeMs}\n`);
}
