/**
 * `cors()`: which pages of other origins may read replies (the Fetch standard's CORS protocol). What it says
 * is set before the handler runs, so that a page can read errors too; a preflight is answered here and goes
 * no further.
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { anOriginRule, type OriginMatcher, type OriginRule, toOriginMatcher } from '../origins.ts';
import { named } from './named.ts';
import { checkOptions, type Checks, isBoolean, isCount, isListOf, isToken } from '../checked-options.ts';

export interface CorsOptions {
  /** Default: `*`, any, without credentials. */
  readonly origin?: OriginRule;
  /** Cookies and the like may be sent along. Needs an `origin` other than `*`. Default: false. */
  readonly credentials?: boolean;
  /** Default: GET, HEAD, PUT, PATCH, POST, DELETE. */
  readonly methods?: readonly string[];
  /** Fields that a page may send. Default: those that it asks for. */
  readonly allowedHeaders?: readonly string[];
  /** Fields of the reply that a page may read beside the simple ones. */
  readonly exposedHeaders?: readonly string[];
  /** Seconds for which a preflight's answer holds. */
  readonly maxAge?: number;
}

const CHECKS: Checks<CorsOptions> = {
  origin: anOriginRule,
  credentials: isBoolean,
  methods: [(value) => isListOf(isToken, value), 'a list of methods'],
  allowedHeaders: [(value) => isListOf(isToken, value), 'a list of names of fields'],
  exposedHeaders: [(value) => isListOf(isToken, value), 'a list of names of fields'],
  maxAge: [(value) => isCount(0, value), 'a number of seconds'],
};

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'];

interface Rules {
  readonly isAny: boolean;
  readonly allows: OriginMatcher;
  readonly credentials: boolean;
  readonly exposed: string;
  readonly methods: string;
  /** Null: those that are asked for. */
  readonly allowed: string | null;
  readonly maxAge: string | null;
}

export function cors(options: CorsOptions = {}): Middleware {
  checkOptions('cors', options, CHECKS);
  const rules = toRules(options);
  return named('cors', (c, next) => {
    const origin = c.header('origin');
    if (rules.isAny) {
      c.header('Access-Control-Allow-Origin', '*');
      return proceed(c, next, rules, origin !== undefined);
    }
    c.header('Vary', 'Origin', { append: true });
    const allowed = origin !== undefined && rules.allows(origin, c);
    if (typeof allowed === 'object') return allowed.then((isAllowed) => allow(c, next, rules, isAllowed));
    return allow(c, next, rules, allowed);
  });
}

function allow(c: AnyContext, next: () => Promise<unknown>, rules: Rules, isAllowed: boolean): unknown {
  if (isAllowed) {
    c.header('Access-Control-Allow-Origin', c.header('origin') as string);
    if (rules.credentials) c.header('Access-Control-Allow-Credentials', 'true');
  }
  return proceed(c, next, rules, isAllowed);
}

function proceed(c: AnyContext, next: () => Promise<unknown>, rules: Rules, isAllowed: boolean): unknown {
  if (c.method === 'OPTIONS' && c.header('access-control-request-method') !== undefined) return answerPreflight(c, rules, isAllowed);
  if (isAllowed && rules.exposed !== '') c.header('Access-Control-Expose-Headers', rules.exposed);
  return rules.isAny ? next() : varied(c, next);
}

/** A handler that sets `Vary` replaces ours: a shared cache would hand one origin's reply to another. */
async function varied(c: AnyContext, next: () => Promise<unknown>): Promise<unknown> {
  try {
    return await next();
  } finally {
    if (!c.isBegun) c.header('Vary', 'Origin', { append: true });
  }
}

function answerPreflight(c: AnyContext, rules: Rules, isAllowed: boolean): null {
  if (rules.allowed === null) c.header('Vary', 'Access-Control-Request-Headers', { append: true });
  c.status(204);
  if (!isAllowed) return null;
  c.header('Access-Control-Allow-Methods', rules.methods);
  const fields = rules.allowed ?? c.header('access-control-request-headers') ?? '';
  if (fields !== '') c.header('Access-Control-Allow-Headers', fields);
  if (rules.maxAge !== null) c.header('Access-Control-Max-Age', rules.maxAge);
  return null;
}

function toRules(options: CorsOptions): Rules {
  const { origin = '*', credentials = false, methods = METHODS, allowedHeaders, exposedHeaders = [], maxAge } = options;
  const isAny = origin === '*';
  if (isAny && credentials)
    throw new TypeError("cors(): credentials are not sent to any origin ('*'): name the origins, or give origin: true for whichever asks.");
  return {
    isAny,
    allows: toOriginMatcher('cors', origin),
    credentials,
    exposed: exposedHeaders.join(', '),
    methods: methods.join(', '),
    allowed: allowedHeaders === undefined ? null : allowedHeaders.join(', '),
    maxAge: maxAge === undefined ? null : String(maxAge),
  };
}
