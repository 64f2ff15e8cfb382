/**
 * Replies of a handler, kept for a time and given to who asks for the same: innermost, so that middleware, schemas and
 * hooks of the file see each request. Who asks while one is made waits for it; one that is over may be given while another
 * is made behind it. Nobody is given what was made for another: a request that says who it is passes by.
 */
import { CREDENTIALS } from '../../app/caching/credentials.ts';
import { KEY_CHARACTERS_MAX } from '../../app/caching/memory-cache.ts';
import type { AnyContext } from '../../app/index.ts';
import { isThenable } from '../../host/thenable.ts';
import { createStore } from '../store.ts';
import { given, type Kept, keptOf, putLines } from './kept.ts';
import { type CacheOptions, checkCache } from './options.ts';

type Run = (c: AnyContext) => unknown;

/** Of all routes that have none of their own. */
const replies = createStore();
/** Handlers of one URL, as of two applications, are two. */
let count = 0;

/** What one request has come to. */
interface Outcome {
  readonly value: unknown;
  /** Of the handler alone. */
  readonly own: AnyContext;
  readonly kept: Kept | null;
}

/** Its client has left, so that nobody else may be told how it ended. */
class Left {
  readonly cause: unknown;
  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** `isChecked`: a schema of replies has yet to see what comes of it. @throws TypeError for options that are none */
export function cached(run: Run, options: CacheOptions, isChecked: (c: AnyContext) => boolean): Run {
  checkCache('cache', options);
  const { ttl, stale, store = replies } = options;
  const vary = (options.vary ?? []).map((name) => name.toLowerCase()).toSorted();
  const keyOf = keyMaker(options, vary, (count += 1));
  const through = async (c: AnyContext, key: string): Promise<unknown> => {
    const flight = { mine: null as Outcome | null, isMine: false };
    const make = async (): Promise<Kept | null> => {
      flight.isMine = true;
      const outcome = await outcomeOf(run, c, { vary, isChecked: isChecked(c) });
      flight.mine = outcome;
      return outcome.kept;
    };
    const onError = (error: unknown): void => tellBehind(c, error);
    const keep = (value: unknown): boolean => value !== null;
    const times = { ...(ttl !== undefined && { ttl }), ...(stale !== undefined && { stale }) };
    try {
      const kept = await store.get(key, make, { ...times, keep, onError });
      const { mine } = flight as { mine: Outcome | null };
      if (kept === null) return mine === null ? run(c) : ofOwn(c, mine);
      // What was kept before is given while another is made.
      c.header('X-Cache', flight.isMine ? (kept === mine?.kept ? 'MISS' : 'STALE') : 'HIT');
      return given(c, kept);
    } catch (error) {
      if (!(error instanceof Left)) throw error;
      if (flight.isMine) throw error.cause;
      return through(c, key);
    }
  };
  return (c) => {
    const key = keyOf(c);
    return key === undefined ? run(c) : through(c, key);
  };
}

async function outcomeOf(run: Run, c: AnyContext, how: { vary: readonly string[]; isChecked: boolean }): Promise<Outcome> {
  const own = contextOf(c);
  try {
    const value = await run(own);
    const said = value === own ? undefined : value;
    return { value: said, own, kept: keptOf(own, said, how) };
  } catch (error) {
    throw c.exchange.gone ? new Left(error) : error;
  }
}

/** The same request; what is set of the reply is not set of the one that is being sent. */
function contextOf(c: AnyContext): AnyContext {
  const own = Object.create(c) as AnyContext;
  own.lines = null;
  own.statusCode = 0;
  // Whoever ends the request (a time that is over, a client that leaves) ends this.
  Object.defineProperty(own, 'signal', { get: () => c.signal });
  return own;
}

/** Not kept: as if it had been run with the request's own context. */
function ofOwn(c: AnyContext, { value, own }: Outcome): unknown {
  if (own.statusCode !== 0) c.status(own.statusCode);
  putLines(c, own.lines?.entries() ?? []);
  return value === undefined && own.statusCode !== 0 ? c : value;
}

function tellBehind(c: AnyContext, error: unknown): void {
  if (!(error instanceof Left)) c.settings.logger.error(`${c.method} ${c.pathname}: the reply that is kept could not be made anew`, error);
}

/** `undefined`: neither looked for nor kept. */
function keyMaker(options: CacheOptions, vary: readonly string[], number: number): (c: AnyContext) => string | undefined {
  const { key, shared = false } = options;
  const credentials = shared ? [] : CREDENTIALS.filter((name) => !vary.includes(name));
  return (c) => {
    if (c.method !== 'GET' && c.method !== 'HEAD') return undefined;
    if (c.header('transfer-encoding') !== undefined || (c.header('content-length') ?? '0') !== '0') return undefined;
    const text = key === undefined ? plainKey(c, credentials, vary) : key(c);
    if (text === undefined || isThenable(text) || text.length > KEY_CHARACTERS_MAX) return undefined;
    // A handler may say less to HEAD: that is nothing for GET, also where a key of the application's own is the same.
    return `${text}${c.method === 'HEAD' ? ' HEAD' : ''} #${number}`;
  };
}

/** As a proxy may hand on what a client says: with the path behind it, it would be the URL of another path. */
const NO_HOST = /[/?#@\\\s]/;

function plainKey(c: AnyContext, credentials: readonly string[], vary: readonly string[]): string | undefined {
  if (NO_HOST.test(c.host)) return undefined;
  if (credentials.some((name) => c.header(name) !== undefined)) return undefined;
  const fields = vary.length === 0 ? '' : ` ${JSON.stringify(vary.map((name) => c.header(name) ?? null))}`;
  return `${c.method} ${c.origin.toLowerCase()}${c.url}${fields}`;
}
