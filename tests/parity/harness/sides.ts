/**
 * Loads the two sides: upstream from npm, ours from source or from the built package. Never runs a case.
 * PARITY_SELF=1  ours is a second, separate copy of upstream: proves that cases are deterministic.
 * PARITY_SRC=1   ours is read from packages/fulmar/src through the TypeScript loader instead of from the build.
 * PARITY_HTTP=node  our express runs on `node:http`.
 */
import { createRequire } from 'node:module';
import * as nodeHttp from 'node:http';
import type { HttpModule, Side } from './case.ts';
import type { ExpressModule } from './express-api.ts';

const require = createRequire(import.meta.url);
const SOURCE = '../../../packages/fulmar/src';

/** Where one flavour of a framework is found: upstream's package, our subpath of it, and our source. */
interface FlavourPlace {
  readonly upstream: string;
  readonly subpath: string;
  readonly source: string;
}

const PLACES = {
  express: { upstream: 'express', subpath: 'express', source: 'express/index.ts' },
  express4: { upstream: 'express4', subpath: 'express4', source: 'express/express4/index.ts' },
} as const satisfies Readonly<Record<string, FlavourPlace>>;

/** Which framework's programs are compared: `express` is Express 5, `express4` is Express 4. */
export type Flavour = keyof typeof PLACES;

export interface Sides {
  readonly upstream: Side;
  readonly ours: Side;
}

const loaded = new Map<Flavour, Promise<Sides>>();

/** Both sides of a flavour, loaded once per process. */
export function loadSides(flavour: Flavour = 'express'): Promise<Sides> {
  let sides = loaded.get(flavour);
  if (sides === undefined) loaded.set(flavour, (sides = load(PLACES[flavour])));
  return sides;
}

async function load(place: FlavourPlace): Promise<Sides> {
  const upstream: Side = { name: 'upstream', express: require(place.upstream) as ExpressModule, http: nodeHttp };
  if (process.env['PARITY_SELF'] === '1') {
    return { upstream, ours: { name: 'ours', express: secondCopy(place.upstream) as ExpressModule, http: nodeHttp } };
  }
  const express = (await importOurs(place)) as ExpressModule;
  const http = process.env['PARITY_HTTP'] === 'node' ? nodeHttp : await importHttp();
  return { upstream, ours: { name: 'ours', express, http } };
}

const fromSource = (): boolean => process.env['PARITY_SRC'] === '1';

async function importOurs(place: FlavourPlace): Promise<unknown> {
  if (!fromSource()) return require(`fulmar/${place.subpath}`) as unknown;
  const module = (await import(`${SOURCE}/${place.source}`)) as { default?: unknown };
  return module.default ?? module;
}

async function importHttp(): Promise<HttpModule> {
  return (fromSource() ? await import(`${SOURCE}/http/index.ts`) : require('fulmar/http')) as HttpModule;
}

/** Loads a package anew, with none of the module state of the first copy. */
function secondCopy(name: string): unknown {
  for (const file of Object.keys(require.cache)) delete require.cache[file];
  return require(name) as unknown;
}
