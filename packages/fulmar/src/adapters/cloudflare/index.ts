/**
 * `fulmar/adapters/cloudflare`: an application as a module worker, `export default cloudflare(app)`. It runs
 * in `workerd` without Node's modules; Express and Koa applications need those, and never run without.
 */
import type { AdapterOptions, Application } from '../application-types.ts';
import { toAnswering } from '../application.ts';
import { toFetchDoor } from '../fetch-door.ts';
import { checkOptions } from '../options.ts';
import { platformOf } from '../platform.ts';

/** What is used of a worker's third argument. */
export interface ExecutionContext {
  /** The worker lives until the promise is settled, also behind its reply. */
  waitUntil(promise: Promise<unknown>): void;
  passThroughOnException?(): void;
}

export interface CloudflarePlatform<Env = Record<string, unknown>> {
  /** The bindings: variables, secrets, KV, D1, R2 … */
  readonly env: Env;
  readonly ctx: ExecutionContext;
  /** What Cloudflare knows of the request: country, colo, TLS … */
  readonly cf: Readonly<Record<string, unknown>> | undefined;
  waitUntil(promise: Promise<unknown>): void;
}

export interface CloudflareWorker {
  fetch(request: Request, env?: unknown, ctx?: ExecutionContext): Promise<Response>;
}

const WHO = 'cloudflare()';
/** Where a worker is called by a test. */
const NO_CONTEXT: ExecutionContext = { waitUntil: () => {} };

/** A module worker. @throws TypeError for what is no application, and for options that are none */
export function cloudflare(application: Application, options: AdapterOptions = {}): CloudflareWorker {
  checkOptions(WHO, options);
  const door = toFetchDoor(toAnswering(application, { who: WHO, ...options }));
  return {
    fetch(request, env = {}, ctx = NO_CONTEXT) {
      const { cf } = request as { cf?: Readonly<Record<string, unknown>> };
      const waitUntil = (promise: Promise<unknown>): void => ctx.waitUntil(promise);
      // Cloudflare sets it, whatever the client has sent.
      const remoteAddress = request.headers.get('cf-connecting-ip') ?? undefined;
      const platform: CloudflarePlatform<unknown> = { env, ctx, cf, waitUntil };
      return door(request, { remoteAddress, platform }, [env, ctx]);
    },
  };
}

/** `env`, `ctx` and `cf` of a request: of a context of ours, of Express's `req`, of Koa's `ctx`. */
export function platform<Env = Record<string, unknown>>(from: object): CloudflarePlatform<Env> {
  return platformOf(from, WHO) as CloudflarePlatform<Env>;
}

export default { cloudflare, platform };
