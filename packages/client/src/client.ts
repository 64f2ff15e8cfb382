/**
 * `createClient<typeof api>(url)`: names that are read become paths, and calls become requests. At run time it
 * knows nothing of its server but the URL.
 */
import { type Hint, type Special, toWire } from '../../fulmar/src/shape/wire-hints.ts';
import { ClientError } from './client-error.ts';
import type { CallOptions, Client, ClientOptions, Outcome, SentParts } from './client-types.ts';
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
}

/** @throws TypeError for what is no URL */
export function createClient<App>(url: string | URL, options: ClientOptions = {}): Client<App> {
  const { basePath = '' } = options;
  const text = String(url);
  if (text === 'undefined' || text === 'null' || text === '[object Object]')
    throw new TypeError(`createClient() takes the URL where the API is mounted, and this is ${text}.`);
  return toClient({ base: text.replace(/\/+$/, '') + basePath, options, values: new Map(), asking: new Map() }, options) as Client<App>;
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
  if (typeof timeout !== 'number' || !(timeout >= 0))
    throw new TypeError(`timeout is milliseconds, 0 for any time, and this is ${String(timeout)}.`);
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
  let toSend: ToSend;
  try {
    toSend = requestOf(shared, names, question);
  } catch (cause) {
    // What cannot be sent is told as what a server does not take.
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

const isStream = (value: unknown): boolean => typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

function requestOf({ base, options, values }: Shared, names: Names, { args, given, isQuery }: Question): ToSend {
  const { suffix = '', pathTransform, credentials } = options;
  const path = pathTransform === undefined ? names.map(encodeURIComponent).join('/') : pathTransform(names).replace(/^\//, '');
  const url = `${base}/${path}${suffix}`;
  const parts = given.parts?.begin(toWire);
  const call = notedIn(() => callOf(args, given, parts?.special as Special | undefined), parts);
  const more = credentials === undefined ? {} : { credentials };
  const hasParts = parts?.isUsed() === true;
  if (isQuery && values.size === 0 && !hasParts) {
    const search = Object.entries(call).map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`);
    const whole = `${url}?rpc=1&${search.join('&')}`;
    if (whole.length <= URL_CHARS_MAX) return { url: whole, init: { method: 'GET', headers: {}, ...more }, isRepeatable: true };
  }
  const init = { ...post({ ...call, ...valuesOf(values) }), ...more };
  return hasParts ? { url, init, isRepeatable: false, parts } : { url, init, isRepeatable: isQuery };
}

/** Streams that were noted before something that cannot be sent are ended. */
function notedIn<Call>(make: () => Call, parts: SentParts | undefined): Call {
  try {
    return make();
  } catch (error) {
    parts?.end();
    throw error;
  }
}

/** Where the API of a batch leads: calls are listed, not sent. */
function toPlan(): { readonly calls: readonly object[]; readonly api: unknown } {
  const calls: object[] = [];
  const api = tree((names, args) => {
    const { params, as } = callOf(args, {}, refOf);
    return part([calls.push({ path: names.join('.'), params, ...(as === undefined ? {} : { as }) }) - 1]);
  });
  return { calls, api };
}

function callOf(args: readonly unknown[], { timeout }: CallOptions, special?: Special): { params: unknown; as?: Hint; timeout?: number } {
  const { json, as } = toWire(args, special);
  return { params: json, ...(as === undefined ? {} : { as }), ...(timeout === undefined || timeout === 0 ? {} : { timeout }) };
}

function valuesOf(values: ReadonlyMap<string, unknown>): object {
  if (values.size === 0) return {};
  const { json, as } = toWire(Object.fromEntries(values));
  return { values: json, ...(as === undefined ? {} : { valuesAs: as }) };
}

const post = (content: object): ToSend['init'] => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ rpc: 1, ...content }),
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
      type !== null && parts?.type === type ? [await parts.read(response), undefined] : toOutcome(await readReply(response));
    end();
    return pair;
  } catch (error) {
    return [undefined, failureOf(error, sent)];
  }
}

/** What the request has used is given back, whatever went wrong. */
function failureOf(cause: unknown, sent: Sent | undefined): ClientError {
  const error =
    cause instanceof ClientError
      ? cause
      : (sent?.why(cause) ?? new ClientError({ type: 'network', status: 0, message: String(cause), cause }));
  sent?.end();
  return error;
}

interface Batch {
  readonly calls: readonly object[];
  /** Numbers of calls whose results are to come; all, if nothing is said. */
  readonly want?: readonly number[];
}

async function batch(shared: Shared, given: CallOptions, plan: (api: unknown) => readonly unknown[]): Promise<unknown> {
  const { calls, api } = toPlan();
  const wanted = plan(api).map(callNumber);
  if (wanted.includes(undefined))
    throw new TypeError('batch() takes a function that returns a list of calls, as in (api) => [api.users.get(1)].');
  const results = await resultsOf(shared, { calls }, given);
  return wanted.map((at) => (Array.isArray(results) ? toOutcome(results[at as number]) : [undefined, results]));
}

/** The first step is given the API, each one behind it the result of the one before and the API. */
type Step = (...given: readonly unknown[]) => unknown;

async function pipe(shared: Shared, given: CallOptions, steps: readonly Step[]): Promise<Pair> {
  const { calls, api } = toPlan();
  const last = steps.reduce<unknown>((before, step, at) => (at === 0 ? step(api) : step(before, api)), undefined);
  const at = callNumber(last);
  if (at === undefined)
    throw new TypeError(
      'pipe() takes functions that return a call, as in (api) => api.users.get(1), (user, api) => api.birds.of(user.id).',
    );
  const results = await resultsOf(shared, { calls, want: [at] }, given);
  if (!Array.isArray(results)) return [undefined, results as ClientError];
  const pairs = results.map(toOutcome);
  const pair = pairs[at] ?? toOutcome(undefined);
  // What failed is told, not that something that needed it has failed of that.
  const isCause = ([, error]: Pair): boolean => error !== undefined && error.type !== 'dependency';
  return pair[1]?.type === 'dependency' ? (pairs.find(isCause) ?? pair) : pair;
}

async function resultsOf(shared: Shared, { calls, want }: Batch, given: CallOptions): Promise<readonly unknown[] | ClientError> {
  const timeout = given.timeout === undefined ? {} : { timeout: given.timeout };
  const { credentials } = shared.options;
  const content = post({ calls, ...(want === undefined ? {} : { want }), ...timeout, ...valuesOf(shared.values) });
  const toSend: ToSend = {
    url: `${shared.base}/~batch`,
    init: credentials === undefined ? content : { ...content, credentials },
    isRepeatable: false,
  };
  let sent: Sent | undefined;
  try {
    sent = await send(toSend, shared.options, given);
    const { results, error } = await readReply(sent.response);
    sent.end();
    if (Array.isArray(results)) return results;
    return toError(error);
  } catch (error) {
    return failureOf(error, sent);
  }
}
