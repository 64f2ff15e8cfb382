/**
 * Origins of pages: which are let in by name, and whether one is of the host that was asked. Of `cors()`, `csrf()`
 * and WebSockets; what follows from it is theirs.
 */
import type { AnyContext } from './context.ts';
import { type Check, isListOf, shown } from './checked-options.ts';

/** `true`: the one that asks, whichever it is. A function answers for the origin that asks. */
export type OriginRule =
  | string
  | RegExp
  | readonly (string | RegExp)[]
  | ((origin: string, c: AnyContext) => boolean | Promise<boolean>)
  | true;

export type OriginMatcher = (origin: string, c: AnyContext) => boolean | Promise<boolean>;

/** As browsers send it: scheme and authority in lower case, and nothing behind them. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#@\sA-Z]+$/;

const isNamed = (value: unknown): boolean => typeof value === 'string' || value instanceof RegExp;

export const anOriginRule: Check = [
  (value) => value === true || typeof value === 'function' || (isListOf(isNamed, [value].flat()) && [value].flat().length > 0),
  "'*', an origin such as 'https://example.com', a RegExp, a list of these, true or a function (origin, c)",
];

export const isOrigin = (value: unknown): value is string => typeof value === 'string' && ORIGIN.test(value);

/** @throws TypeError for an origin that no browser sends */
export function toOriginMatcher(factory: string, rule: OriginRule): OriginMatcher {
  if (rule === true || rule === '*') return () => true;
  if (typeof rule === 'function') return async (origin, c) => (await rule(origin, c)) === true;
  const texts = new Set<string>();
  const patterns: RegExp[] = [];
  for (const one of [rule].flat() as (string | RegExp)[]) {
    // `g` and `y` remember where they were: the same origin would be refused every other time.
    if (one instanceof RegExp) patterns.push(new RegExp(one.source, one.flags.replaceAll(/[gy]/g, '')));
    else texts.add(checkedOrigin(factory, one));
  }
  return (origin) => texts.has(origin) || patterns.some((pattern) => pattern.test(origin));
}

function checkedOrigin(factory: string, origin: string): string {
  if (origin === 'null' || isOrigin(origin)) return origin;
  if (origin === '*') throw new TypeError(`${factory}(): '*' in a list lets all origins in; give origin: '*' alone, or take it out.`);
  const meant = URL.canParse(origin) ? new URL(origin).origin : 'null';
  const hint = meant === 'null' ? "'https://example.com' is one" : `did you mean ${shown(meant)}`;
  throw new TypeError(`${factory}(): an origin is a scheme and a host without a path, and this is ${shown(origin)}; ${hint}.`);
}

/**
 * Whether a page of `origin` is of the host that its user asked, as the app knows it. Not by the scheme: a proxy
 * in front may speak another one here.
 */
export function isOfHere(c: AnyContext, origin: string): boolean {
  const { host } = c;
  if (!isOrigin(origin) || host === '') return false;
  try {
    const { protocol, host: ofPage } = new URL(origin);
    // A port that goes without saying is said by some.
    return ofPage !== '' && ofPage === new URL(`${protocol}//${host}`).host;
  } catch {
    return false;
  }
}
