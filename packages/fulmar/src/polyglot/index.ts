/**
 * `fulmar/polyglot`: Python, Ruby and Java in this process. A call is a message to a thread of that language's, so that
 * the JavaScript thread never waits for it, unless it is asked to (`sync: true`).
 */
import { GuestError } from './errors.ts';
import { get, isHandle, names, release, remove, set, text, withOptions } from './handle.ts';
import { guests, java, python, ruby } from './guests.ts';
import { Polyglot } from './polyglot.ts';
import { Decimal, kwargs, NdArray } from './values.ts';

export default {
  Decimal,
  get,
  GuestError,
  guests,
  isHandle,
  java,
  kwargs,
  names,
  NdArray,
  Polyglot,
  python,
  release,
  remove,
  ruby,
  set,
  text,
  withOptions,
};
export { GuestError, type GuestErrorCode, type GuestFrame } from './errors.ts';
export { get, isHandle, names, release, remove, set, text, withOptions } from './handle.ts';
export { guests, java, python, ruby } from './guests.ts';
export type { GuestReport } from './look.ts';
export { type EvalFileOptions, Polyglot, type PolyglotApi } from './polyglot.ts';
export { Decimal, kwargs, NdArray, type NamedArguments } from './values.ts';
export type { GuestConfiguration } from './configuration.ts';
export type { CallOptions } from './call-options.ts';
export type {
  EvalOptions,
  GuestHandle,
  GuestInfo,
  GuestObject,
  GuestValue,
  GuestValueNow,
  ImportOptions,
  IsolatedOptions,
  ModuleOf,
} from './types.ts';
export type { TypedArray } from './wire/tags.ts';
export type { GuestCode, GuestLanguage, IsolatedGuest } from './language-api.ts';
