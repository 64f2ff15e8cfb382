/**
 * One session for all parts. `express-session` and the app's `session()` read the same cookie, sign it with the same secret and
 * keep the same record, so that who signs in at the Express app is known to the typed routes and to WebSockets.
 */
import expressSession from 'express-session';
import { type AnyContext, HttpError, type Middleware } from 'fulmar';
import { expressSessions, session } from 'fulmar/middleware';
import { IS_HTTPS, SECRET } from './settings.ts';

export interface SessionData {
  /** Put there by the Express app. */
  user?: string;
  /** Counted by the typed app, shown by the Express app. */
  pages?: number;
}

const NAME = 'station.sid';
const SESSION_MS = 8 * 60 * 60 * 1000;

/**
 * In the memory of this process. For several, give both sides one Redis: `new RedisStore({ client })` of `connect-redis` here,
 * and `redisSessions(client)` of `fulmar/middleware` below.
 */
const store = new expressSession.MemoryStore();

/** For the Express app. */
export const expressSide = expressSession({
  name: NAME,
  secret: SECRET,
  store,
  resave: false,
  saveUninitialized: false,
  cookie: { httpOnly: true, sameSite: 'lax', secure: IS_HTTPS, maxAge: SESSION_MS },
});

/** For everything else. A request whose handler does not ask for its session costs nothing. */
export const serveSessions = session<SessionData>({
  name: NAME,
  secret: SECRET,
  store: expressSessions(store),
  idleTimeoutMs: SESSION_MS,
  cookie: { secure: IS_HTTPS },
});

export async function userOf(c: AnyContext): Promise<string | undefined> {
  return (await serveSessions.of(c)).data.user;
}

/** Before routes that are for those who have signed in; these find their name in `c.state.user`. */
export const signedIn: Middleware = async (c, next) => {
  const user = await userOf(c);
  if (user === undefined) throw new HttpError(401, 'Sign in at /account/login.');
  c.state['user'] = user;
  return next();
};
