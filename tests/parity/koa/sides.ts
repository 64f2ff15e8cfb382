/**
 * Loads Koa for both sides: `koa` and `koa2` from npm, `fulmar/koa` and `fulmar/koa2` from source or from the
 * built package. The switches are those of the harness (PARITY_SELF, PARITY_SRC, PARITY_HTTP). Never runs a
 * case.
 */
import { createRequire } from 'node:module';
import type { SideName } from '../harness/case.ts';
import type { KoaModule } from './api.ts';

const require = createRequire(import.meta.url);

/** The major version of Koa a case runs on. */
export type Version = 2 | 3;
export const VERSIONS: readonly Version[] = [3, 2];

const UPSTREAM: Record<Version, string> = { 3: 'koa', 2: 'koa2' };
const PACKAGE: Record<Version, string> = { 3: 'fulmar/koa', 2: 'fulmar/koa2' };
const SOURCE: Record<Version, string> = {
  3: '../../../packages/fulmar/src/koa/index.ts',
  2: '../../../packages/fulmar/src/koa/koa2.ts',
};

/** Koa of one version as both sides have it. */
export type KoaSides = Readonly<Record<SideName, KoaModule>>;

export async function loadKoa(version: Version): Promise<KoaSides> {
  const upstream = require(UPSTREAM[version]) as KoaModule;
  return { upstream, ours: await loadOurs(version) };
}

async function loadOurs(version: Version): Promise<KoaModule> {
  if (process.env['PARITY_SELF'] === '1') return secondCopy(UPSTREAM[version]) as KoaModule;
  if (process.env['PARITY_SRC'] !== '1') return require(PACKAGE[version]) as KoaModule;
  return ((await import(SOURCE[version])) as { default: KoaModule }).default;
}

/** What `import * as` of the package gives on one side. */
export function importKoa(version: Version, side: SideName): Promise<Record<string, unknown>> {
  const ours = process.env['PARITY_SRC'] === '1' ? SOURCE[version] : PACKAGE[version];
  const name = side === 'upstream' || process.env['PARITY_SELF'] === '1' ? UPSTREAM[version] : ours;
  return import(name) as Promise<Record<string, unknown>>;
}

/** Loads a package anew, with none of the module state of the first copy, which stays where it was. */
function secondCopy(name: string): unknown {
  const first = { ...require.cache };
  for (const file of Object.keys(require.cache)) delete require.cache[file];
  try {
    return require(name) as unknown;
  } finally {
    Object.assign(require.cache, first);
  }
}
