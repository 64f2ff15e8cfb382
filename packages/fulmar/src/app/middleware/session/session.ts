/**
 * `session()`: what requests of one client have in common. The store is asked when a handler asks for it, and
 * what has changed is kept before the reply leaves, errors included.
 */
import type { Next } from '../../chain.ts';
import type { AnyContext } from '../../context.ts';
import { observe } from '../../observing.ts';
import { Reply } from '../../reply-value.ts';
import { isStreamed } from '../../stream-reply.ts';
import { COOKIE_NAME, COOKIE_SCOPE, type CookieScope, toScope } from '../cookie-options.ts';
import { named } from '../named.ts';
import { checkOptions, type Checks, isBoolean, isCount } from '../../checked-options.ts';
import { SECRET } from '../signature.ts';
import { memorySessions } from './memory-sessions.ts';
import { SealedSessions } from './sealed-sessions.ts';
import type { OfContext, Session, SessionMiddleware, SessionOptions, SessionStore } from './session-types.ts';
import { StoredSessions } from './stored-sessions.ts';
import { Visit, type VisitSettings } from './visit.ts';

const STORE_METHODS = ['get', 'set', 'delete', 'touch'];
const isStore = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  STORE_METHODS.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');

const isMs = (value: unknown): boolean => isCount(1000, value);

const CHECKS: Checks<SessionOptions> = {
  secret: SECRET,
  store: [
    (value) => value === 'cookie' || isStore(value),
    "'cookie' or an object with get, set, delete and touch, such as memorySessions(); expressSessions() makes one of a store of express-session",
  ],
  name: COOKIE_NAME,
  cookie: COOKIE_SCOPE,
  persistent: isBoolean,
  rolling: isBoolean,
  idleTimeoutMs: [isMs, 'a number of milliseconds, at least 1000'],
  absoluteTimeoutMs: [isMs, 'a number of milliseconds, at least 1000'],
  dataBytesMax: [(value) => isCount(2, value), 'a number of bytes'],
  onStoreFailure: [(value) => value === 'error' || value === 'anonymous', "'error' or 'anonymous'"],
};

const DAY_MS = 86_400_000;
const ABSOLUTE_DAYS = 30;
const DATA_BYTES_MAX = 65_536;
/** Of a secret that hides, too: as many bytes as the key has. */
const SEALING_LENGTH = 32;

/** A request's session, once somebody has asked for it. */
interface Place<Data extends object> {
  readonly c: AnyContext;
  visit: Promise<Visit<Data>> | null;
  /** The handler is done. */
  isSettled: boolean;
  /** Fields that are set now are not sent: the head of a stream is made when it is given to the app. */
  isHeadMade: boolean;
  /** What changes until the reply is complete is looked at once more. */
  isWatched: boolean;
}

/** @throws TypeError for options that are wrong */
export function session<Data extends object = Record<string, unknown>>(options: SessionOptions): SessionMiddleware<Data> {
  const settings = toSettings(options);
  const places = new WeakMap<object, Place<Data>>();
  const around = async (c: AnyContext, next: Next): Promise<unknown> => {
    const place: Place<Data> = { c, visit: null, isSettled: false, isHeadMade: false, isWatched: false };
    places.set(c, place);
    let value: unknown;
    try {
      value = await next();
    } catch (error) {
      // What the handler did before it failed holds: a count of wrong passwords, a message for the next page.
      await settleInLog(place);
      place.isSettled = true;
      throw error;
    }
    // The reply of a mounted application has left: it cannot become an error.
    if (c.isBegun) await settleInLog(place);
    else await settle(place);
    place.isSettled = true;
    place.isHeadMade = isLater(value);
    if (place.visit !== null && place.isHeadMade) watch(place);
    return value;
  };
  const of = (c: OfContext): Promise<Session<Data>> => {
    const place = places.get(c);
    if (place === undefined)
      return Promise.reject(
        new Error('This request has no session: app.use() what session() returned before the route, and give of() its c.'),
      );
    if (place.isSettled) watch(place);
    return (place.visit ??= Visit.begin<Data>(place.c, settings, () => place.isHeadMade || place.c.isBegun));
  };
  return Object.assign(named('session', around), { of });
}

/** Values whose content is made when the handler is done. */
function isLater(value: unknown): boolean {
  if (value instanceof Reply) return isLater(value.value);
  return typeof value === 'object' && value !== null && (value instanceof Response || isStreamed(value));
}

/** Keeps what a stream changes, at its end: whoever needs it sooner calls `save()`. */
function watch<Data extends object>(place: Place<Data>): void {
  if (place.isWatched) return;
  place.isWatched = true;
  const { exchange } = place.c;
  const { sents, aborts } = observe(exchange);
  let isOver = false;
  const end = (): void => {
    if (!isOver) void settleInLog(place);
    isOver = true;
  };
  sents.add(end);
  aborts.add(end);
  exchange.notifySent();
}

async function settle<Data extends object>({ visit }: Place<Data>): Promise<void> {
  // Who asked for a session that could not be loaded has been told.
  const begun = await visit?.catch(() => null);
  await begun?.settle();
}

async function settleInLog<Data extends object>(place: Place<Data>): Promise<void> {
  const { c } = place;
  await settle(place).catch((error: unknown) => c.settings.logger.error(`${c.method} ${c.pathname}: the session is not kept`, error));
}

function toSettings(options: SessionOptions): VisitSettings {
  checkOptions('session', options, CHECKS);
  const { secret, store, name: given, cookie, persistent = true, rolling = true } = options;
  const { idleTimeoutMs = DAY_MS, absoluteTimeoutMs = ABSOLUTE_DAYS * DAY_MS, dataBytesMax = DATA_BYTES_MAX, onStoreFailure } = options;
  if (secret === undefined) throw new TypeError('session() needs secret, a text that nobody else knows, or a list of them.');
  const name = given ?? nameFor(cookie);
  const scope = toScope(name, cookie);
  if (store === 'cookie') checkSealing(secret);
  const keeper =
    store === 'cookie'
      ? new SealedSessions(name, secret)
      : new StoredSessions(store ?? (memorySessions() satisfies SessionStore), secret, { scope, isPersistent: persistent });
  const isLenient = onStoreFailure === 'anonymous';
  return { keeper, name, scope, isPersistent: persistent, isRolling: rolling, idleTimeoutMs, absoluteTimeoutMs, dataBytesMax, isLenient };
}

/** One that no other host, a subdomain included, can set for this one. */
function nameFor({ secure = true, domain, path = '/' }: CookieScope = {}): string {
  return secure && domain === undefined && path === '/' ? '__Host-sid' : 'sid';
}

function checkSealing(secret: string | readonly string[]): void {
  if ([secret].flat().some((one) => one.length < SEALING_LENGTH))
    throw new TypeError(
      `session(): with store 'cookie' a secret has ${SEALING_LENGTH} characters at least, as 'openssl rand -base64 32' makes them.`,
    );
}
