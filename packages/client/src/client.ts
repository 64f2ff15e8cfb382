/**
 * `createClient<typeof api>(url)`: names that are read become paths, and calls become requests. At run time it
 * knows nothing of its server but the URL.
 */
import { type Special, toWire } from '../../fulmar/src/shape/wire-hints.ts';
import { ClientError } from './client-error.ts';
import type { CallOptions, Client, ClientOptions, Outcome, SentParts, Speaking } from './client-types.ts';
import { noStreams, readReply, readStream, toError, toOutcome } from './reply.ts';
import { type Sent, send, type ToSend } from './sending.ts';
import { callNumber, part, refOf } from './planned.ts';
import { type Names, tree } from './tree.ts';

/** Longer ones are not taken by everything that stands between. */
const URL_CHARS_MAX = 2000;

/** The longest that a timer can be set to: a longer one would be over at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

type Pair = Outcome<unknown, ClientError>;

interface Shared {
  readonly base: string;
  readonly options: ClientOptions;
  readonly values: Map<string, unknown>;
  /** Queries that are being asked, by what is asked. */
  readonly asking: Map<string, Promise<Pair>>;
  readonly speaking: Speaking | undefined;
}

/** @throws TypeError for what is no URL */
export function createClient<App>(url: string | URL, options: ClientOptions = {}): Client<App> {
  const { basePath = '' } = options;
  const text = String(url);
  if (['undefined', 'null', '[object Object]'].includes(text))
    throw new TypeError(`createClient() takes the URL of an API, and this is ${text}.`);
  return toClient(
    { base: text.replace(/\/+$/, '') + basePath, options, values: new Map(), asking: new Map(), speaking: options.binary?.begin() },
    options,
  ) as Client<App>;
}

function toClient(shared: Shared, options: CallOptions): Client<unknown> {
  const given = timed(options);
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
      pipe: (...steps: Step[]) => thrown(pipe(shared, given, steps)),
    },
    with: (more: CallOptions) => toClient(shared, { ...given, ...more }),
    set(name: string, value: unknown) {
      if (value === undefined) shared.values.delete(name);
      else shared.values.set(name, value);
    },
    batch: (plan: (api: unknown) => readonly unknown[]) => batch(shared, given, plan),
    pipe: (...steps: Step[]) => pipe(shared, given, steps),
  } as unknown as Client<unknown>;
}

/** A server takes whole milliseconds. @throws TypeError for what is no time */
function timed(given: CallOptions): CallOptions {
  const { timeout = 0 } = given;
  if (typeof timeout !== 'number' || !(timeout >= 0)) throw new TypeError(`timeout is milliseconds, not ${String(timeout)}.`);
  return timeout === 0 ? given : { ...given, timeout: Math.min(Math.ceil(timeout), TIMER_MS_MAX) };
}

interface Question {
  readonly args: readonly unknown[];
  readonly given: CallOptions;
  readonly isQuery: boolean;
}

async function ask(shared: Shared, names: Names, question: Question): Promise<Pair> {
  const { given, isQuery, args } = question;
  const { check } = shared.options;
  const issues = check === undefined ? [] : await check(names, args);
  if (issues.length > 0)
    return [undefined, new ClientError({ type: 'invalid-params', status: 0, message: 'The parameters are not valid.', issues })];
  const parts = given.parts?.begin(toWire);
  let toSend: ToSend;
  try {
    toSend = requestOf(shared, names, question, parts);
  } catch (cause) {
    // What cannot be sent is told as what a server does not take. Streams that were noted before it are ended.
    parts?.end();
    return [undefined, new ClientError({ type: 'invalid-params', status: 0, message: (cause as Error).message, cause })];
  }
  if (!isQuery || given.signal !== undefined || toSend.parts !== undefined) return exchanged(shared, toSend, given);
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

const isStream = (value: unknown): boolean => (value as Partial<AsyncIterable<unknown>> | null)?.[Symbol.asyncIterator] !== undefined;

function requestOf(shared: Shared, names: Names, { args, given, isQuery }: Question, parts: SentParts | undefined): ToSend {
  const { base, options, values, speaking } = shared;
  const { suffix = '', pathTransform, credentials } = options;
  const path = pathTransform === undefined ? names.map(encodeURIComponent).join('/') : pathTransform(names).replace(/^\//, '');
  const url = `${base}/${path}${suffix}`;
  const asJson = (): object => callOf(args, given, parts?.special as Special | undefined);
  // Whether there are parts is known when all was looked at.
  const looked = parts && asJson();
  const hasParts = parts?.isUsed() === true;
  const isShort = isQuery && values.size === 0 && !hasParts;
  const more = valuesOf(values);
  // In bytes parameters need no hints. What is long so is no shorter in a URL.
  const bytes = hasParts
    ? undefined
    : speaking?.encode({ rpc: 1, params: args, timeout: given.timeout, ...more }, isShort ? URL_CHARS_MAX : 0);
  const call = bytes === undefined ? (looked ?? asJson()) : {};
  if (isShort && bytes === undefined) {
    const search = Object.entries(call).map(([name, value]) =>
      value === undefined ? '' : `&${name}=${encodeURIComponent(JSON.stringify(value))}`,
    );
    const whole = `${url}?rpc=1${search.join('')}`;
    if (whole.length <= URL_CHARS_MAX)
      return { url: whole, init: { method: 'GET', headers: { ...speaking?.headers }, credentials }, isRepeatable: true };
  }
  const init = post(shared, { ...call, ...more }, bytes);
  return { url, init, isRepeatable: isQuery && !hasParts, parts: hasParts ? parts : undefined };
}

/** Where the API of a batch leads: calls are listed, not sent. */
function toPlan(): { readonly calls: readonly object[]; readonly api: unknown } {
  const calls: object[] = [];
  const api = tree((names, args) => {
    return part([calls.push({ path: names.join('.'), ...callOf(args, {}, refOf) }) - 1]);
  });
  return { calls, api };
}

/** Members that are undefined are not sent. */
function callOf(args: readonly unknown[], { timeout }: CallOptions, special?: Special): object {
  const { json, as } = toWire(args, special);
  return { params: json, as, timeout };
}

function valuesOf(values: ReadonlyMap<string, unknown>): object {
  if (values.size === 0) return {};
  const { json, as } = toWire(Object.fromEntries(values));
  return { values: json, valuesAs: as };
}

const post = ({ speaking, options }: Shared, content: object, bytes: Uint8Array<ArrayBuffer> | undefined): ToSend['init'] => ({
  method: 'POST',
  headers: { 'Content-Type': (bytes && speaking?.type) ?? 'application/json', ...speaking?.headers },
  body: bytes ?? JSON.stringify({ rpc: 1, ...content }),
  credentials: options.credentials,
});

async function exchanged(shared: Shared, toSend: ToSend, given: CallOptions): Promise<Pair> {
  let sent: Sent | undefined;
  try {
    sent = await send(toSend, shared.options, given);
    const { response, end } = sent;
    const type = response.headers.get('content-type');
    if (type?.startsWith('application/x-ndjson') === true) {
      if (response.body == null) throw noStreams(sent);
      sent.begin();
      return [readStream(sent), undefined];
    }
    const { parts } = given;
    const pair: Pair =
      type !== null && parts?.type === type
        ? [await parts.read(response), undefined]
        : toOutcome(await readReply(response, shared.speaking));
    end();
    return pair;
  } catch (cause) {
    // What the request has used is given back, whatever went wrong.
    const error = cause instanceof ClientError ? cause : sent?.why(cause);
    sent?.end();
    return [undefined, error ?? new ClientError({ type: 'network', status: 0, message: String(cause), cause })];
  }
}

interface Batch {
  readonly calls: readonly object[];
  /** Numbers of calls whose results are to come; all, if nothing is said. */
  readonly want?: readonly number[];
}

async function batch(shared: Shared, given: CallOptions, plan: (api: unknown) => readonly unknown[]): Promise<unknown> {
  const { calls, api } = toPlan();
  const wanted = plan(api).map(callNumber);
  if (wanted.includes(undefined)) throw new TypeError('batch() takes a list of calls, as in (api) => [api.users.get(1)].');
  const results = await resultsOf(shared, { calls }, given);
  return wanted.map((at) => (Array.isArray(results) ? toOutcome(results[at as number]) : [undefined, results]));
}

/** The first step is given the API, each one behind it the result of the one before and the API. */
type Step = (...given: readonly unknown[]) => unknown;

async function pipe(shared: Shared, given: CallOptions, steps: readonly Step[]): Promise<Pair> {
  const { calls, api } = toPlan();
  const last = steps.reduce<unknown>((before, step, at) => (at === 0 ? step(api) : step(before, api)), undefined);
  const at = callNumber(last);
  if (at === undefined) throw new TypeError('pipe() takes calls, as in (api) => api.users.get(1).');
  const results = await resultsOf(shared, { calls, want: [at] }, given);
  if (!Array.isArray(results)) return [undefined, results as ClientError];
  const pairs = results.map(toOutcome);
  const pair = pairs[at] ?? toOutcome(undefined);
  // What failed is told, not that something that needed it has failed of that.
  const isCause = ([, error]: Pair): boolean => error !== undefined && error.type !== 'dependency';
  return pair[1]?.type === 'dependency' ? (pairs.find(isCause) ?? pair) : pair;
}

async function resultsOf(shared: Shared, { calls, want }: Batch, given: CallOptions): Promise<readonly unknown[] | ClientError> {
  const { base, speaking, values } = shared;
  const content = { rpc: 1, calls, want, timeout: given.timeout, ...valuesOf(values) };
  const init = post(shared, content, speaking?.encode(content, 0));
  const toSend: ToSend = { url: `${base}/~batch`, init, isRepeatable: false };
  const [results, error = toError(undefined)] = await exchanged(shared, toSend, given);
  return Array.isArray(results) ? (results as unknown[]) : error;
}
