/**
 * Koa with one of the versions of koa-compose installed beside it: 4.1 reads the array of middleware at each
 * request, 4.2 copies it when `callback()` is called. Upstream is loaded anew with that version; ours is told
 * as `fulmar run` tells it.
 */
import { createRequire } from 'node:module';
import type { RequestListener } from 'node:http';
import type { SideName } from '../harness/case.ts';
import type { App, KoaModule } from './api.ts';
import type { Version } from './sides.ts';

const require = createRequire(import.meta.url);
const UPSTREAM: Readonly<Record<Version, string>> = { 3: 'koa', 2: 'koa2' };
/** Where ours looks for the installed version (`launch/modules/koa-compose.ts`). */
const INSTALLED = Symbol.for('fulmar.koaCompose');

export type ComposeVersion = '4.1.0' | '4.2.0';
export const COMPOSE_VERSIONS: readonly ComposeVersion[] = ['4.1.0', '4.2.0'];

const loaded = new Map<string, KoaModule>();

/** Upstream's Koa whose `require('koa-compose')` gives 4.1. */
function loadWithOldCompose(version: Version): KoaModule {
  const before = { ...require.cache };
  const old = require('koa-compose41') as unknown;
  for (const file of Object.keys(require.cache)) delete require.cache[file];
  try {
    require('koa-compose');
    const compose = require.cache[require.resolve('koa-compose')];
    if (compose !== undefined) compose.exports = old;
    return require(UPSTREAM[version]) as KoaModule;
  } finally {
    for (const file of Object.keys(require.cache)) delete require.cache[file];
    Object.assign(require.cache, before);
  }
}

/** The Koa to use: upstream's with the version of koa-compose, or ours, which is told later. */
export function koaWith(
  Koa: KoaModule,
  { side, version, compose }: { side: SideName; version: Version; compose: ComposeVersion },
): KoaModule {
  if ((side === 'ours' && process.env['PARITY_SELF'] !== '1') || compose === '4.2.0') return Koa;
  const key = String(version);
  let koa = loaded.get(key);
  if (koa === undefined) loaded.set(key, (koa = loadWithOldCompose(version)));
  return koa;
}

/** `app.callback()` where that version is installed. */
export function callbackWith(app: App, compose: ComposeVersion): RequestListener {
  const before: unknown = Reflect.get(globalThis, INSTALLED);
  Reflect.set(globalThis, INSTALLED, compose);
  try {
    return app.callback() as RequestListener;
  } finally {
    Reflect.set(globalThis, INSTALLED, before);
  }
}
