/**
 * Runs parity cases on Koa: each case becomes one for Koa 3 and one for Koa 2, unless it is about one of them
 * only. A Koa program is put on the http module of its side; everything else is the harness's.
 */
import type { RequestListener, Server } from 'node:http';
import type { CaseContext, ClientContext, HttpModule, ParityCase, RequestInput } from '../harness/case.ts';
import type { CaseOptions } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import type { App, KoaModule } from './api.ts';
import { type KoaSides, loadKoa, type Version, VERSIONS } from './sides.ts';

const koas: Readonly<Record<Version, KoaSides>> = { 3: await loadKoa(3), 2: await loadKoa(2) };

/** What a Koa program may use besides Koa. */
export interface Tools extends CaseContext {
  readonly http: HttpModule;
  readonly version: Version;
}

export interface Client extends ClientContext {
  readonly http: HttpModule;
  readonly version: Version;
}

export interface KoaCase {
  /** A behaviour, as a sentence. */
  readonly name: string;
  /** Gives the app, or what stands in front of it. */
  readonly program: (koa: KoaModule, tools: Tools) => App | RequestListener | Server;
  readonly requests?: readonly RequestInput[];
  /** Runs after `requests`. */
  readonly client?: (client: Client, koa: KoaModule) => Promise<void>;
  readonly options?: CaseOptions;
  /** The versions the case is about; default both. */
  readonly versions?: readonly Version[];
}

/** Registers every case for every version it is about. */
export function defineKoaSuite(cases: readonly KoaCase[]): void {
  for (const version of VERSIONS) {
    defineSuite(cases.filter((one) => one.versions?.includes(version) ?? true).map((one) => toParityCase(one, version)));
  }
}

function toParityCase(one: KoaCase, version: Version): ParityCase {
  const { name, program, requests, client, options } = one;
  let layer: HttpModule | undefined;
  return {
    name: `koa ${version}: ${name}`,
    server: (http, context) => {
      layer = http;
      return toServer(program(koas[version][context.side], { ...context, http, version }), http);
    },
    ...(requests === undefined ? {} : { requests }),
    ...(client === undefined
      ? {}
      : { client: (tools) => client({ ...tools, http: layer as HttpModule, version }, koas[version][tools.side]) }),
    options: { probe: true, ...options },
  };
}

/** Koa of one side, for programs that the random generator builds. */
export function koaOf(version: Version, side: CaseContext['side']): KoaModule {
  return koas[version][side];
}

function toServer(program: App | RequestListener | Server, http: HttpModule): Server {
  if (isApp(program)) return http.createServer(program.callback() as RequestListener);
  return typeof program === 'function' ? http.createServer(program) : program;
}

function isApp(program: object): program is App {
  return typeof Reflect.get(program, 'callback') === 'function';
}
