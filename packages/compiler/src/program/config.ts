/** Which `tsconfig.json` is a source's: the nearest, as `fulmar run` looks for it. Loads no TypeScript. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function findConfig(folder: string): string | undefined {
  const file = join(folder, 'tsconfig.json');
  if (existsSync(file)) return file;
  const parent = dirname(folder);
  return parent === folder ? undefined : findConfig(parent);
}
