/**
 * The version of this package, from its manifest.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distFolder } from '../settings.ts';

export function readVersion(binFile: string): string {
  const manifest = readFileSync(join(distFolder(binFile), '..', 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
