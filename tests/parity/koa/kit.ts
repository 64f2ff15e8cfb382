/**
 * Short forms for the Koa parity cases: one middleware, one observation, one set-up. Never compares anything
 * itself.
 */
import { createRequire } from 'node:module';
import type { RequestInput } from '../harness/case.ts';
import type { App, AppOptions, Ctx, KoaModule, Middleware, Next, Wrong } from './api.ts';
import type { Client, KoaCase, Tools } from './suite.ts';

type Requests = readonly RequestInput[];
export type Extra = Pick<KoaCase, 'options' | 'versions' | 'client'> & { readonly app?: AppOptions };

const require = createRequire(import.meta.url);

/** A middleware package, the same copy for both sides. */
export const load = <T>(name: string): T => require(name) as T;

const rest = ({ app: _app, ...extra }: Extra): Omit<Extra, 'app'> => extra;

/** An app with one middleware. */
export function handles(
  name: string,
  handler: (ctx: Ctx, tools: Tools, next: Next) => unknown,
  requests: Requests = ['GET /'],
  extra: Extra = {},
): KoaCase {
  const program = (Koa: KoaModule, tools: Tools): App => new Koa(extra.app).use((ctx, next) => handler(ctx, tools, next));
  return { name, program, requests, ...rest(extra) };
}

/** Notes what `read` finds for each of `requests`, or the error it throws. */
export function reads(name: string, read: (ctx: Ctx) => unknown, requests: Requests = ['GET /'], extra: Extra = {}): KoaCase {
  const note = (ctx: Ctx, tools: Tools): void => {
    tools.attempt('value', () => read(ctx));
    ctx.body = '';
  };
  return handles(name, note, requests, extra);
}

/** An app put together by `build`. */
export function serves(
  name: string,
  build: (app: App, tools: Tools, Koa: KoaModule) => unknown,
  requests: Requests = ['GET /'],
  extra: Extra = {},
): KoaCase {
  const program = (Koa: KoaModule, tools: Tools): App => {
    const app = new Koa(extra.app);
    build(app, tools, Koa);
    return app;
  };
  return { name, program, requests, ...rest(extra) };
}

/** Notes what happens while an app is set up; sends nothing. */
export function builds(name: string, build: (Koa: KoaModule, tools: Tools) => void, extra: Omit<Extra, 'app'> = {}): KoaCase {
  const program = (Koa: KoaModule, tools: Tools): App => {
    build(Koa, tools);
    return new Koa();
  };
  return { name, program, requests: [], ...extra };
}

/** A scene of its own: `play` opens and closes what it needs and notes what it sees. */
export function plays(name: string, play: (Koa: KoaModule, client: Client) => Promise<void>, extra: Omit<Extra, 'app'> = {}): KoaCase {
  return { name, program: (Koa) => new Koa(), requests: [], client: (client, Koa) => play(Koa, client), ...extra };
}

/** Any value as a bag of methods, for calls with arguments no type allows. */
export const wrong = (value: unknown): Wrong => value as Wrong;

export const withHeaders = (headers: Record<string, string>, path = '/', method = 'GET'): RequestInput => ({ method, path, headers });

/** The error with its fields as JSON, in place of Koa's own page. */
export const showError: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const fields = error instanceof Error ? { ...error, name: error.name, message: error.message } : { thrown: error };
    ctx.status = 500;
    ctx.body = fields;
  }
};

/** Resolves when `emitter` emits `event`. */
export const once = (emitter: { once(event: string, listener: () => void): unknown }, event: string): Promise<void> =>
  new Promise((resolve) => void emitter.once(event, () => resolve()));

/** How long something that must come may take before it is noted as missing. */
const COMES_WITHIN_MS = 10_000;

/**
 * The value of `promise`, or the text `nothing came` if it takes too long: a missing event is a difference,
 * not a hang.
 */
export async function comes<T>(promise: Promise<T>): Promise<T | string> {
  let timer: NodeJS.Timeout | undefined;
  const never = new Promise<string>((resolve) => (timer = setTimeout(() => resolve('nothing came'), COMES_WITHIN_MS)));
  try {
    return await Promise.race([promise, never]);
  } finally {
    clearTimeout(timer);
  }
}

/** A promise with the function that resolves it. */
export function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

export const only3: Extra = { versions: [3] };
export const only2: Extra = { versions: [2] };
