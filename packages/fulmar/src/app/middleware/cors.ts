/**
 * `cors()`: which pages of other origins may read replies (the Fetch standard's CORS protocol). What it says
 * is set before the handler runs, so that a page can read errors too; a preflight is answered here and goes
 * no further.
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { checkOptions, type Checks, isBoolean, isCount, isListOf, isToken, shown } from './options.ts';
import { addVary } from './vary.ts';

/** `true`: the one that asks, whichever it is. A function answers for the origin that asks. */
export type CorsOrigin =
  | string
  | RegExp
  | readonly (string | RegExp)[]
  | ((origin: string, c: AnyContext) => boolean | Promise<boolean>)
  | true;

export interface CorsOptions {
  /** Default: `*`, any, without credentials. */
  readonly origin?: CorsOrigin;
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
  origin: [
    (value) => value === true || typeof value === 'function' || (isListOf(isOrigin, [value].flat()) && [value].flat().length > 0),
    "'*', an origin such as 'https://example.com', a RegExp, a list of these, true or a function (origin, c)",
  ],
  credentials: isBoolean,
  methods: [(value) => isListOf(isToken, value), 'a list of methods'],
  allowedHeaders: [(value) => isListOf(isToken, value), 'a list of names of fields'],
  exposedHeaders: [(value) => isListOf(isToken, value), 'a list of names of fields'],
  maxAge: [(value) => isCount(0, value), 'a number of seconds'],
};

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'];

/** An origin as browsers send it: scheme and authority in lower case, and nothing behind them. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#@\sA-Z]+$/;

const isOrigin = (value: unknown): boolean => typeof value === 'string' || value instanceof RegExp;

interface Rules {
  readonly isAny: boolean;
  readonly allows: (origin: string, c: AnyContext) => boolean | Promise<boolean>;
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
  return (c, next) => {
    const origin = c.header('origin');
    if (rules.isAny) {
      c.header('Access-Control-Allow-Origin', '*');
      return proceed(c, next, rules, origin !== undefined);
    }
    addVary(c, 'Origin');
    const allowed = origin !== undefined && rules.allows(origin, c);
    if (typeof allowed === 'object') return allowed.then((isAllowed) => allow(c, next, rules, isAllowed));
    return allow(c, next, rules, allowed);
  };
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
    if (!c.isBegun) addVary(c, 'Origin');
  }
}

function answerPreflight(c: AnyContext, rules: Rules, isAllowed: boolean): null {
  if (rules.allowed === null) addVary(c, 'Access-Control-Request-Headers');
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
    allows: toMatcher(origin),
    credentials,
    exposed: exposedHeaders.join(', '),
    methods: methods.join(', '),
    allowed: allowedHeaders === undefined ? null : allowedHeaders.join(', '),
    maxAge: maxAge === undefined ? null : String(maxAge),
  };
}

function toMatcher(origin: CorsOrigin): Rules['allows'] {
  if (origin === true || origin === '*') return () => true;
  if (typeof origin === 'function') return async (asking, c) => (await origin(asking, c)) === true;
  const texts = new Set<string>();
  const patterns: RegExp[] = [];
  for (const one of [origin].flat() as (string | RegExp)[]) {
    // `g` and `y` remember where they were: the same origin would be refused every other time.
    if (one instanceof RegExp) patterns.push(new RegExp(one.source, one.flags.replaceAll(/[gy]/g, '')));
    else texts.add(checkedOrigin(one));
  }
  return (asking) => texts.has(asking) || patterns.some((pattern) => pattern.test(asking));
}

function checkedOrigin(origin: string): string {
  if (origin === 'null' || ORIGIN.test(origin)) return origin;
  if (origin === '*') throw new TypeError("cors(): '*' in a list lets all origins in; give origin: '*' alone, or take it out.");
  const meant = URL.canParse(origin) ? new URL(origin).origin : 'null';
  const hint = meant === 'null' ? "'https://example.com' is one" : `did you mean ${shown(meant)}`;
  throw new TypeError(`cors(): an origin is a scheme and a host without a path, and this is ${shown(origin)}; ${hint}.`);
}
