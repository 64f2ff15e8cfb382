/**
 * `createClient<typeof api>(url)`: names that are read become paths, and calls become requests. At run time it
 * knows nothing of its server but the URL.
 */
import { type Hint, type Special, toWire } from '../../fulmar/src/shape/wire-hints.ts';
import { ClientError } from './client-error.ts';
import type { CallOptions, Client, ClientOptions, Outcome } from './client-types.ts';
import { type Members, readReply, readStream, toError, toOutcome } from './reply.ts';
import { type Sent, send, type ToSend } from './sending.ts';

/** Longer ones are not taken by everything that stands between. */
const URL_CHARS_MAX = 2000;

type Pair = Outcome<unknown, ClientError>;
type Names = readonly string[];

interface Shared {
  readonly base: string;
  readonly options: ClientOptions;
  readonly values: Map<string, unknown>;
  /** Queries that are being asked, by what is asked. */
  readonly asking: Map<string, Promise<Pair>>;
  /** Content goes in the binary form once a reply has come in it: no call is sent twice to find out. */
  takesBinary: boolean;
}

/** @throws TypeError for what is no URL */
export function createClient<App>(url: string | URL, options: ClientOptions = {}): Client<App> {
  const { basePath = '' } = options;
  const text = String(url);
  if (text === 'undefined' || text === 'null' || text === '[object Object]')
    throw new TypeError(`createClient() takes the URL where the API is mounted, and this is ${text}.`);
  return toClient(
    { base: text.replace(/\/+$/, '') + basePath, options, values: new Map(), asking: new Map(), takesBinary: false },
    options,
  ) as Client<App>;
}

function toClient(shared: Shared, given: CallOptions): Client<unknown> {
  const thrown = async (pair: Promise<Pair>): Promise<unknown> => {
    const [value, error] = await pair;
    if (error !== undefined) throw error;
    return value;
  };
  const query = (names: Names, args: readonly unknown[]): Promise<Pair> => ask(shared, names, { args, given, isQuery: true });
  const mutate = (names: Names, args: readonly unknown[]): Promise<Pair> => ask(shared, names, { args, given, isQuery: false });
  return {
    query: tree(query),
    mutate: tree(mutate),
    orThrow: {
      query: tree((names, args) => thrown(query(names, args))),
      mutate: tree((names, args) => thrown(mutate(names, args))),
    },
    with: (more: CallOptions) => toClient(shared, { ...given, ...more }),
    set(name: string, value: unknown) {
      if (value === undefined) shared.values.delete(name);
      else shared.values.set(name, value);
    },
    batch: (plan: (api: never) => readonly unknown[]) => batch(shared, given, plan),
  } as unknown as Client<unknown>;
}

/** A promise has `then`, and a client is none. */
function tree(call: (names: Names, args: readonly unknown[]) => unknown, names: Names = []): unknown {
  return new Proxy(() => {}, {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : tree(call, [...names, name])),
    apply: (_, __, args: unknown[]) => call(names, args),
  });
}

interface Question {
  readonly args: readonly unknown[];
  readonly given: CallOptions;
  readonly isQuery: boolean;
}

async function ask(shared: Shared, names: Names, question: Question): Promise<Pair> {
  const { given, isQuery } = question;
  let toSend: ToSend;
  try {
    toSend = requestOf(shared, names, question);
  } catch (cause) {
    // What cannot be sent is told as what a server does not take.
    return [undefined, new ClientError({ type: 'invalid-params', status: 0, message: (cause as Error).message, cause })];
  }
  if (!isQuery || given.signal !== undefined) return exchanged(shared, toSend, given);
  const key = `${given.timeout} ${toSend.url} ${String(toSend.init.body)}`;
  const same = shared.asking.get(key);
  if (same !== undefined) {
    const pair = await same;
    // An iterator is one reader's: who comes second asks for one of its own.
    return isStream(pair[0]) ? exchanged(shared, toSend, given) : pair;
  }
  const pair = exchanged(shared, toSend, given);
  shared.asking.set(key, pair);
  const forget = (): unknown => shared.asking.delete(key);
  void pair.then(forget, forget);
  return pair;
}

const isStream = (value: unknown): boolean => typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

function requestOf(shared: Shared, names: Names, { args, given, isQuery }: Question): ToSend {
  const { base, options, values } = shared;
  const { suffix = '', pathTransform, credentials } = options;
  const path = pathTransform === undefined ? names.map(encodeURIComponent).join('/') : pathTransform(names).replace(/^\//, '');
  const url = `${base}/${path}${suffix}`;
  const more = credentials === undefined ? {} : { credentials };
  const posted = (call: object): ToSend => ({
    url,
    init: { ...post(shared, { ...call, ...valuesOf(values) }), ...more },
    isRepeatable: isQuery,
  });
  const isShort = isQuery && values.size === 0;
  if (shared.takesBinary) {
    // In this form values need no hints. What is long in it is no shorter in a URL.
    const inBytes = posted({ params: args, timeout: given.timeout });
    if (!isShort || (inBytes.init.body as Uint8Array).length > URL_CHARS_MAX) return inBytes;
  }
  const call = callOf(args, given);
  if (isShort) {
    const search = Object.entries(call).map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`);
    const whole = `${url}?rpc=1&${search.join('&')}`;
    if (whole.length <= URL_CHARS_MAX)
      return { url: whole, init: { method: 'GET', headers: accepted(shared), ...more }, isRepeatable: true };
  }
  return posted(call);
}

function callOf(args: readonly unknown[], { timeout }: CallOptions, special?: Special): { params: unknown; as?: Hint; timeout?: number } {
  const { json, as } = toWire(args, special);
  return { params: json, ...(as === undefined ? {} : { as }), ...(timeout === undefined || timeout === 0 ? {} : { timeout }) };
}

const valuesOf = (values: ReadonlyMap<string, unknown>): object =>
  values.size === 0 ? {} : { values: toWire(Object.fromEntries(values)).json };

const accepted = ({ options: { binary } }: Shared): Record<string, string> =>
  binary === undefined ? {} : { Accept: `${binary.type}, application/json;q=0.9` };

function post(shared: Shared, content: object): ToSend['init'] {
  const { binary } = shared.options;
  const call = { rpc: 1, ...content };
  const [type, body] =
    shared.takesBinary && binary !== undefined ? [binary.type, binary.encode(call)] : ['application/json', JSON.stringify(call)];
  return { method: 'POST', headers: { 'Content-Type': type, ...accepted(shared) }, body };
}

/** @throws ClientError */
async function read(shared: Shared, { response }: Sent): Promise<Members> {
  const { members, isBinary } = await readReply(response, shared.options.binary);
  // A server that was replaced by an older one says 415 once.
  shared.takesBinary = isBinary || (shared.takesBinary && response.status !== 415);
  return members;
}

async function exchanged(shared: Shared, toSend: ToSend, given: CallOptions): Promise<Pair> {
  let sent: Sent | undefined;
  try {
    sent = await send(toSend, shared.options, given);
    const { response, end } = sent;
    if (response.headers.get('content-type')?.startsWith('application/x-ndjson') === true) {
      sent.begin();
      return [readStream(sent), undefined];
    }
    const pair = toOutcome(await read(shared, sent));
    end();
    return pair;
  } catch (error) {
    return [undefined, error instanceof ClientError ? error : (sent?.why(error) ?? failure(error))];
  }
}

const failure = (cause: unknown): ClientError => new ClientError({ type: 'network', status: 0, message: String(cause), cause });

/** What stands for the result of a call that is not made yet: its number, and the way to a part of it. */
const planned = new WeakMap<object, readonly (string | number)[]>();

function part(path: readonly (string | number)[]): object {
  const made: object = new Proxy(() => {}, {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : part([...path, name])),
  });
  planned.set(made, path);
  return made;
}

async function batch(shared: Shared, given: CallOptions, plan: (api: never) => readonly unknown[]): Promise<unknown> {
  const calls: object[] = [];
  const special: Special = (value) => {
    const path = planned.get(value);
    return path === undefined ? undefined : (['ref', ...path] as unknown as Hint);
  };
  const api = tree((names, args) => {
    const { params, as } = callOf(args, {}, special);
    return part([calls.push({ path: names.join('.'), params, ...(as === undefined ? {} : { as }) }) - 1]);
  });
  const wanted = plan(api as never).map((one) => planned.get(one as object)?.[0] as number | undefined);
  if (wanted.includes(undefined))
    throw new TypeError('batch() takes a function that returns a list of calls, as in (api) => [api.users.get(1)].');
  const timeout = given.timeout === undefined ? {} : { timeout: given.timeout };
  const { credentials } = shared.options;
  const content = post(shared, { calls, ...timeout, ...valuesOf(shared.values) });
  const init = credentials === undefined ? content : { ...content, credentials };
  const results = await resultsOf(shared, { url: `${shared.base}/~batch`, init, isRepeatable: false }, given);
  return wanted.map((at) => (Array.isArray(results) ? toOutcome(results[at as number], shared.options.binary) : [undefined, results]));
}

async function resultsOf(shared: Shared, toSend: ToSend, given: CallOptions): Promise<readonly unknown[] | ClientError> {
  let sent: Sent | undefined;
  try {
    sent = await send(toSend, shared.options, given);
    const { results, error } = await read(shared, sent);
    sent.end();
    if (Array.isArray(results)) return results;
    return toError(error);
  } catch (error) {
    return error instanceof ClientError ? error : (sent?.why(error) ?? failure(error));
  }
}
