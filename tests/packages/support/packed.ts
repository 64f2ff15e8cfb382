/**
 * The tarballs, as `npm run pack` makes them. `npm test` has made them; a test file that is run alone
 * makes them itself.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformTag } from '../../../packages/fulmar/src/host/engine.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const tag = platformTag();
export const { version } = JSON.parse(readFileSync(join(root, 'packages/fulmar/package.json'), 'utf8')) as { version: string };

export interface Packed {
  /** What there is to install: name → tarball. */
  readonly tarballs: ReadonlyMap<string, string>;
  readonly main: string;
  readonly engine: string;
  readonly native: string;
  /** Not among `tarballs`: it brings TypeScript along, and few tests need it. */
  readonly compiler: string;
  /** Neither: it is for who has nothing yet. */
  readonly create: string;
}

export const engineName = `@fulmar/${tag}`;
export const nativeName = `@fulmar/native-${tag}`;

export function packed(): Packed {
  const made = process.env['FULMAR_TEST_PACKAGES'];
  const out = made ?? join(root, 'node_modules/.cache/fulmar/packages');
  if (made === undefined) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/pack.mjs'), '--out', out], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm run pack failed:\n${stdout}${stderr}`);
  }
  const [main, engine, native] = ['fulmar', `fulmar-${tag}`, `fulmar-native-${tag}`].map((name) => join(out, `${name}-${version}.tgz`)) as [
    string,
    string,
    string,
  ];
  const tarballs = new Map([
    ['fulmar', main],
    [engineName, engine],
    [nativeName, native],
  ]);
  const [compiler, create] = ['fulmar-compiler', 'create-fulmar'].map((name) => join(out, `${name}-${version}.tgz`)) as [string, string];
  return { tarballs, main, engine, native, compiler, create };
}
