// Loads the two sides: upstream from npm, ours from source or from the built package. Never runs a case.
// PARITY_SELF=1  ours is a second, separate copy of upstream: proves that cases are deterministic.
// PARITY_SRC=1   ours is read from packages/fulmar/src through the TypeScript loader instead of from the build.
// PARITY_HTTP=node  our express runs on `node:http`.
import { createRequire } from 'node:module';
import * as nodeHttp from 'node:http';
import type { HttpModule, Side } from './case.ts';
import type { ExpressModule } from './express-api.ts';

const require = createRequire(import.meta.url);
const SOURCE = '../../../packages/fulmar/src';

export interface Sides {
  readonly upstream: Side;
  readonly ours: Side;
}

let loaded: Promise<Sides> | undefined;

/** Both sides, loaded once per process. */
export function loadSides(): Promise<Sides> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Sides> {
  const upstream: Side = { name: 'upstream', express: require('express') as ExpressModule, http: nodeHttp };
  if (process.env['PARITY_SELF'] === '1') {
    return { upstream, ours: { name: 'ours', express: secondCopy('express') as ExpressModule, http: nodeHttp } };
  }
  const express = (await importOurs('express')) as ExpressModule;
  const http = process.env['PARITY_HTTP'] === 'node' ? nodeHttp : ((await importOurs('http')) as HttpModule);
  return { upstream, ours: { name: 'ours', express, http } };
}

async function importOurs(layer: 'express' | 'http'): Promise<unknown> {
  if (process.env['PARITY_SRC'] !== '1') return require(`fulmar/${layer}`) as unknown;
  const module = (await import(`${SOURCE}/${layer}/index.ts`)) as { default?: unknown };
  return layer === 'express' ? (module.default ?? module) : module;
}

/** Loads a package anew, with none of the module state of the first copy. */
function secondCopy(name: string): unknown {
  for (const file of Object.keys(require.cache)) delete require.cache[file];
  return require(name) as unknown;
}
