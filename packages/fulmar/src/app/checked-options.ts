/**
 * Options of the app, its middleware and its adapters, checked when they are given: one that is none or is something
 * else than it may be is an error at the start, never a surprise at a request.
 */
import { nearest } from '../host/suggest.ts';

/** What is right, and how a person would say it. A secret is not shown in the error. */
export type Check = readonly [isRight: (value: unknown) => boolean, what: string, isSecret?: 'secret'];
export type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

export const isBoolean: Check = [(value) => typeof value === 'boolean', 'true or false'];
export const isFunction = (signature: string): Check => [(value) => typeof value === 'function', `a function ${signature}`];

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** A method's or a field's name. */
export const isToken = (value: unknown): boolean => typeof value === 'string' && TOKEN.test(value);
/** What fits into a field's value for sure. */
export const isFieldText = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]*$/.test(value);
export const isCount = (least: number, value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= least;
/** The longest that a timer can be set to, in ms; a longer one would fire at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;
/** A time that a timer can be set to. */
export const isMs = (least: number, value: unknown): value is number => isCount(least, value) && (value as number) <= TIMER_MS_MAX;
export const isListOf = (isOne: (value: unknown) => boolean, value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.every(isOne);

/** @throws TypeError that names the factory, the option and what was expected */
export function checkOptions<Options extends object>(factory: string, options: Options, checks: Checks<Options>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`${factory}() takes an object of options, and this is ${shown(options)}.`);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name)) throw new TypeError(`${factory}() has no option ${name}${suggestion(name, Object.keys(checks))}.`);
    const [isRight, what, secret] = checks[name as keyof Options];
    if (value === undefined || isRight(value)) continue;
    throw new TypeError(`${factory}(): ${name} is ${what}, and this is ${secret === undefined ? shown(value) : 'not'}.`);
  }
}

/** `; did you mean …?` where one of them is near, else all. */
export function suggestion(given: string, names: readonly string[]): string {
  const meant = nearest(given, names);
  return meant === undefined ? `; it has ${names.join(', ')}` : `; did you mean ${meant}`;
}

export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint' || value instanceof RegExp) return String(value);
  return JSON.stringify(value) ?? String(value);
}

/** What it is, where the value itself would say too much: `null`, `an array`, `of type string`. */
export const kindText = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `of type ${typeof value}`;
