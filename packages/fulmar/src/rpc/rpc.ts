/**
 * `rpc()`: an API of functions becomes an app, a route for each procedure, to be mounted in another or to listen
 * itself. Here requests become calls and outcomes become replies; what a call does is in `call.ts`.
 */
import { type AnyContext, App, HttpError } from '../app/index.ts';
import { etag, nodeMiddleware } from '../app/middleware/index.ts';
import { type Checks, checkOptions, isBoolean, isCount, isFunction } from '../app/checked-options.ts';
import { logFailure } from '../host/dev.ts';
import { isThenable } from '../host/thenable.ts';
import type { ApiTree, CompiledApi, ContextOf, MakeContext, RpcApp, RpcOptions } from './api-types.ts';
import { BINARY_TYPE } from '../shape/binary/form.ts';
import { runBatch } from './batch.ts';
import { failed, type Outcome, type Request, runCall } from './call.ts';
import type { FailureOfAll, Guarded, Middleware, UsesIn, UsesOf } from './middleware-types.ts';
import { isSerializer, TIMER_MS_MAX } from './procedure.ts';
import { type Members, readContent, readQuery, toAsked, VERSION, wantsBinary } from './request.ts';
import { type CallMiddleware, isLayer, toMiddleware } from './scoped.ts';
import { hasParts, receive } from './parts/receive.ts';
import { sendFile } from './parts/send-file.ts';
import { Lines, STREAM_TYPE } from './stream.ts';
import { describe } from './described.ts';
import { type Endpoint, endpointsOf } from './tree.ts';

const BATCH_MAX = 20;
/** No name of a procedure begins so. */
const BATCH_PATH = '/~batch';
const TYPES_PATH = '/~types';

/** Asked for when a call has failed. */
const logOf = ({ settings, exchange }: AnyContext): Request['log'] => ({
  error: (title, error) => logFailure(settings.logger, exchange, String(title), { error }),
});

type OneOrMore<Ctx> = CallMiddleware<Ctx> | Middleware<object, Ctx> | readonly (CallMiddleware<Ctx> | Middleware<object, Ctx>)[];

interface AllOptions<Ctx, M = OneOrMore<Ctx>> extends RpcOptions {
  readonly context?: MakeContext<Ctx>;
  readonly middleware?: M;
}

type With<Api, M> = RpcApp<Guarded<Api, FailureOfAll<M>>, UsesIn<Api> | UsesOf<M>>;

const isPathPart = (value: unknown): boolean => typeof value === 'string' && /^(?:\/[^\s/?#:*]+)*$/.test(value);

const CHECKS: Checks<AllOptions<AnyContext>> = {
  basePath: [isPathPart, 'a path without a slash at its end, as in /v1'],
  suffix: [(value) => typeof value === 'string' && /^[\w.~-]*$/.test(value), 'what stands behind a path, as in .json'],
  pathTransform: isFunction('(names)'),
  batchMax: [(value) => isCount(0, value) && (value as number) <= 1000, 'a number of calls, 0 to 1000'],
  timeout: [(value) => isCount(0, value) && (value as number) <= TIMER_MS_MAX, `milliseconds, 0 to ${TIMER_MS_MAX}`],
  validateParams: isBoolean,
  validateReturn: isBoolean,
  types: isBoolean,
  binary: isBoolean,
  context: isFunction('(c)'),
  strictTypes: isBoolean,
  serializer: isSerializer,
  raw: [(value) => [value].flat().every((one) => typeof one === 'function'), 'a function (req, res, next), or a list of them'],
  middleware: [(value) => [value].flat().every(isLayer), 'a function (call, next), what middleware() makes, or a list of them'],
};

/** @throws TypeError for an option that is none, what is no procedure, and a procedure nothing is known of */
export function rpc<const Api extends ApiTree<AnyContext>>(api: Api, options?: AllOptions<AnyContext, undefined>): RpcApp<Api, UsesIn<Api>>;
export function rpc<const Api extends ApiTree<AnyContext>, const M extends OneOrMore<AnyContext>>(
  api: Api,
  options: AllOptions<AnyContext, M> & { readonly middleware: M },
): With<Api, M>;
export function rpc<const Api extends ApiTree<never>>(
  api: Api,
  options: AllOptions<ContextOf<Api>, undefined> & { readonly context: MakeContext<ContextOf<Api>> },
): RpcApp<Api, UsesIn<Api>>;
export function rpc<const Api extends ApiTree<never>, const M extends OneOrMore<ContextOf<Api>>>(
  api: Api,
  options: AllOptions<ContextOf<Api>, M> & { readonly context: MakeContext<ContextOf<Api>>; readonly middleware: M },
): With<Api, M>;
export function rpc(api: object, given: object = {}, compiled: CompiledApi = {}): App {
  const options = given as AllOptions<AnyContext>;
  checkOptions('rpc', options, CHECKS);
  if (typeof api !== 'object' || api === null)
    throw new TypeError(`rpc() takes an object of procedures, and this is of type ${typeof api}.`);
  const middleware = options.middleware === undefined ? [] : toMiddleware('rpc', options.middleware);
  const served = new Served(endpointsOf(api, { options, compiled, middleware }), options);
  const app = new App();
  if (options.raw !== undefined) app.use(nodeMiddleware(...[options.raw].flat()));
  for (const endpoint of served.endpoints.values()) {
    const { description } = endpoint.options;
    app.post(endpoint.path, { description }, (c) => served.post(endpoint, c));
    // HEAD by name, too: what is for all methods below would come before a GET.
    if (endpoint.kind === 'query') app.on(['GET', 'HEAD'], endpoint.path, { description }, etag(), (c) => served.get(endpoint, c));
  }
  const { basePath = '', batchMax = BATCH_MAX, types = false, validateParams = true } = options;
  if (batchMax > 0) app.post(`${basePath}${BATCH_PATH}`, (c) => served.batch(c, batchMax));
  const allowed = new Map(
    [...served.endpoints.values()].map(({ path, kind }) => [path, kind === 'query' ? 'GET, HEAD, OPTIONS, POST' : 'OPTIONS, POST']),
  );
  if (types) {
    served.tellTypes(app, `${basePath}${TYPES_PATH}`, describe(served.endpoints.values(), compiled, validateParams));
    allowed.set(`${basePath}${TYPES_PATH}`, 'GET, HEAD, OPTIONS');
  }
  if (batchMax > 0) allowed.set(`${basePath}${BATCH_PATH}`, 'OPTIONS, POST');
  app.all(`${basePath}/*path`, (c) => served.other(c, `${basePath}/${c.params.path}`, allowed));
  return app.onError((error, c) => {
    if (error instanceof HttpError) c.set(error.headers);
    return served.reply(c, failed(error, `${c.method} ${c.path}`, logOf(c)));
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
  readonly #hasBinary: boolean;

  constructor(endpoints: ReadonlyMap<string, Endpoint>, { context, binary = true }: AllOptions<AnyContext>) {
    this.endpoints = endpoints;
    this.#hasBinary = binary;
    this.#makeContext = context ?? ((c) => c);
  }

  post(endpoint: Endpoint, c: AnyContext): unknown {
    if (hasParts(c)) return this.#withParts(endpoint, c);
    const members = readContent(c, this.#hasBinary);
    return isThenable(members) ? members.then((read) => this.#run(endpoint, c, read)) : this.#run(endpoint, c, members);
  }

  #run(endpoint: Endpoint, c: AnyContext, members: Members): unknown {
    const outcome = runCall(endpoint, toAsked(members), this.#request(c));
    return isThenable(outcome) ? outcome.then((made) => this.#answer(endpoint, c, made)) : this.#answer(endpoint, c, outcome);
  }

  async #withParts(endpoint: Endpoint, c: AnyContext): Promise<unknown> {
    const { asked, end } = await receive(c, endpoint.options.upload);
    const outcome = await runCall(endpoint, asked, this.#request(c));
    if (outcome.stream === undefined && !('file' in outcome)) end();
    return this.#answer(endpoint, c, outcome, end);
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
    return this.reply(c, await runBatch(members, this.#request(c, true), { endpoints: this.endpoints, callsMax }));
  }

  tellTypes(app: App, path: string, members: string): void {
    app.on(['GET', 'HEAD'], path, etag(), (c) => {
      c.header('Cache-Control', 'no-cache');
      return this.reply(c, { status: 200, members });
    });
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

  #answer(endpoint: Endpoint, c: AnyContext, outcome: Outcome, whenOver?: () => void): unknown {
    if ('file' in outcome) {
      const cacheControl = c.method === 'POST' ? undefined : endpoint.options.cacheControl;
      return sendFile(c, outcome.file, { cacheControl, whenOver });
    }
    if (outcome.stream === undefined) return this.reply(c, outcome);
    c.header('Cache-Control', 'no-store');
    return c.stream(new Lines(outcome.stream, endpoint, this.#request(c), whenOver), { type: STREAM_TYPE, live: true });
  }

  #request(c: AnyContext, isShared = false): Request {
    return new OneRequest(c, this.#makeContext, { hasBinary: this.#hasBinary, isShared });
  }
}

class OneRequest implements Request {
  readonly c: AnyContext;
  readonly isShared: boolean;
  readonly #make: MakeContext<AnyContext>;
  readonly #hasBinary: boolean;
  #made: unknown = undefined;
  #isMade = false;

  constructor(c: AnyContext, make: MakeContext<AnyContext>, { hasBinary, isShared }: { hasBinary: boolean; isShared: boolean }) {
    this.c = c;
    this.isShared = isShared;
    this.#make = make;
    this.#hasBinary = hasBinary;
  }

  get isBinary(): boolean {
    return this.#hasBinary && wantsBinary(this.c);
  }

  get log(): Request['log'] {
    return logOf(this.c);
  }

  /** What cannot be made is so for every call of the request: none runs without what it was to be given. */
  context(): unknown {
    if (this.#isMade) return this.#made;
    this.#isMade = true;
    try {
      return (this.#made = this.#make(this.c));
    } catch (error) {
      return (this.#made = Promise.reject(error as Error));
    }
  }
}
