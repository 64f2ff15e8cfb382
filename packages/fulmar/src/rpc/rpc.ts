/**
 * `rpc()`: an API of functions becomes an app, a route for each procedure, to be mounted in another or to listen
 * itself. Here requests become calls and outcomes become replies; what a call does is in `call.ts`.
 */
import { type AnyContext, App, HttpError } from '../app/index.ts';
import { etag } from '../app/middleware/index.ts';
import { type Checks, checkOptions, isBoolean, isCount, isFunction } from '../app/checked-options.ts';
import type { ApiTree, CompiledApi, ContextOf, MakeContext, RpcApp, RpcOptions } from './api-types.ts';
import { BINARY_TYPE } from '../shape/binary/form.ts';
import { runBatch } from './batch.ts';
import { failed, type Outcome, type Request, runCall } from './call.ts';
import { TIMER_MS_MAX } from './procedure.ts';
import { readContent, readQuery, toAsked, VERSION, wantsBinary } from './request.ts';
import { type CallMiddleware, toMiddleware } from './scoped.ts';
import { linesOf, STREAM_TYPE } from './stream.ts';
import { type Endpoint, endpointsOf } from './tree.ts';

const BATCH_MAX = 20;
/** No name of a procedure begins so. */
const BATCH_PATH = '/~batch';

interface AllOptions<Ctx> extends RpcOptions {
  readonly context?: MakeContext<Ctx>;
  readonly middleware?: CallMiddleware<Ctx> | readonly CallMiddleware<Ctx>[];
}

const isPathPart = (value: unknown): boolean => typeof value === 'string' && /^(?:\/[^\s/?#:*]+)*$/.test(value);

const CHECKS: Checks<AllOptions<AnyContext>> = {
  basePath: [isPathPart, 'a path without a slash at its end, as in /v1'],
  suffix: [(value) => typeof value === 'string' && /^[\w.~-]*$/.test(value), 'what stands behind a path, as in .json'],
  pathTransform: isFunction('(names)'),
  batchMax: [(value) => isCount(0, value) && (value as number) <= 1000, 'a number of calls, 0 to 1000'],
  timeout: [(value) => isCount(0, value) && (value as number) <= TIMER_MS_MAX, `milliseconds, 0 to ${TIMER_MS_MAX}`],
  validateParams: isBoolean,
  validateReturn: isBoolean,
  binary: isBoolean,
  context: isFunction('(c)'),
  middleware: [(value) => [value].flat().every((one) => typeof one === 'function'), 'a function (call, next), or a list of them'],
};

/** @throws TypeError for an option that is none, what is no procedure, and a procedure nothing is known of */
export function rpc<const Api extends ApiTree<AnyContext>>(api: Api, options?: AllOptions<AnyContext>): RpcApp<Api>;
export function rpc<const Api extends ApiTree<never>>(
  api: Api,
  options: AllOptions<ContextOf<Api>> & { readonly context: MakeContext<ContextOf<Api>> },
): RpcApp<Api>;
export function rpc(api: object, given: object = {}, compiled: CompiledApi = {}): App {
  const options = given as AllOptions<AnyContext>;
  checkOptions('rpc', options, CHECKS);
  if (typeof api !== 'object' || api === null)
    throw new TypeError(`rpc() takes an object of procedures, and this is of type ${typeof api}.`);
  const served = new Served(endpointsOf(api, options, compiled), options);
  const app = new App();
  for (const endpoint of served.endpoints.values()) {
    app.post(endpoint.path, (c) => served.post(endpoint, c));
    // HEAD by name, too: what is for all methods below would come before a GET.
    if (endpoint.kind === 'query') app.on(['GET', 'HEAD'], endpoint.path, etag(), (c) => served.get(endpoint, c));
  }
  const { basePath = '', batchMax = BATCH_MAX } = options;
  if (batchMax > 0) app.post(`${basePath}${BATCH_PATH}`, (c) => served.batch(c, batchMax));
  const allowed = new Map(
    [...served.endpoints.values()].map(({ path, kind }) => [path, kind === 'query' ? 'GET, HEAD, OPTIONS, POST' : 'OPTIONS, POST']),
  );
  if (batchMax > 0) allowed.set(`${basePath}${BATCH_PATH}`, 'OPTIONS, POST');
  app.all(`${basePath}/*path`, (c) => served.other(c, `${basePath}/${c.params.path}`, allowed));
  return app.onError((error, c) => {
    if (error instanceof HttpError) c.set(error.headers);
    return served.reply(c, failed(error, `${c.method} ${c.path}`, c.settings.logger));
  });
}

interface Whole {
  readonly status: number;
  readonly members?: string;
  readonly bytes?: Uint8Array | undefined;
}

class Served {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly #makeContext: MakeContext<AnyContext>;
  readonly #middleware: readonly CallMiddleware[];
  readonly #hasBinary: boolean;

  constructor(endpoints: ReadonlyMap<string, Endpoint>, { context, middleware, binary = true }: AllOptions<AnyContext>) {
    this.endpoints = endpoints;
    this.#hasBinary = binary;
    this.#makeContext = context ?? ((c) => c);
    this.#middleware = middleware === undefined ? [] : toMiddleware('rpc', middleware);
  }

  async post(endpoint: Endpoint, c: AnyContext): Promise<unknown> {
    const asked = toAsked(await readContent(c, this.#hasBinary));
    return this.#answer(endpoint, c, await runCall(endpoint, asked, this.#request(c)));
  }

  async get(endpoint: Endpoint, c: AnyContext): Promise<unknown> {
    const asked = toAsked(readQuery(c));
    const outcome = await runCall(endpoint, asked, this.#request(c));
    if (outcome.status === 200) c.header('Cache-Control', endpoint.options.cacheControl ?? 'no-cache');
    if (this.#hasBinary) c.header('Vary', 'Accept', { append: true });
    return this.#answer(endpoint, c, outcome);
  }

  async batch(c: AnyContext, callsMax: number): Promise<unknown> {
    const members = await readContent(c, this.#hasBinary);
    return this.reply(c, await runBatch(members, this.#request(c), { endpoints: this.endpoints, callsMax }));
  }

  /** Below the API's path, but no procedure that is asked so: told in the words of the protocol. */
  other(c: AnyContext, path: string, allowed: ReadonlyMap<string, string>): unknown {
    const allow = allowed.get(path);
    if (allow === undefined) throw new HttpError(404, `There is no procedure at ${c.path}.`);
    if (c.method === 'OPTIONS') return c.status(204).header('Allow', allow) && undefined;
    throw new HttpError(405, `${c.method} is not a method of ${c.path}; ${allow} are.`, { headers: { Allow: allow } });
  }

  reply(c: AnyContext, { status, bytes, members = '' }: Whole): unknown {
    if (bytes !== undefined) return c.send(bytes, BINARY_TYPE);
    if (status !== 200) {
      c.status(status);
      c.header('Cache-Control', 'no-store');
    }
    return c.send(`{"rpc":${VERSION}${members}}`, 'application/json; charset=utf-8');
  }

  #answer(endpoint: Endpoint, c: AnyContext, outcome: Outcome): unknown {
    if (outcome.stream === undefined) return this.reply(c, outcome);
    c.header('Cache-Control', 'no-store');
    return c.stream(linesOf(outcome.stream, endpoint, this.#request(c)), { type: STREAM_TYPE });
  }

  #request(c: AnyContext): Request {
    let made: unknown;
    let isMade = false;
    const context = (): unknown => {
      if (isMade) return made;
      isMade = true;
      return (made = this.#makeContext(c));
    };
    return { c, log: c.settings.logger, middleware: this.#middleware, isBinary: this.#hasBinary && wantsBinary(c), context };
  }
}
