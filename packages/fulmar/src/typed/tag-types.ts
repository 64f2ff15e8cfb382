/**
 * Types that say more of a value than TypeScript can: `string & MinLength<2>`. The compiler makes checks of
 * them; to TypeScript they are phantoms, so that a plain value can be assigned.
 */

export interface Tag<Rules extends object> {
  readonly '~fulmar'?: Rules;
}

/** A text or a number that is of a format that JSON Schema or OpenAPI names. */
export type Format<Name extends FormatName> = Tag<{ format: Name }>;
export type FormatName =
  | 'date'
  | 'time'
  | 'date-time'
  | 'duration'
  | 'email'
  | 'idn-email'
  | 'hostname'
  | 'ipv4'
  | 'ipv6'
  | 'uri'
  | 'uri-reference'
  | 'url'
  | 'uuid'
  | 'uuidv4'
  | 'uuidv7'
  | 'json-pointer'
  | 'regex'
  | 'byte';

export type Email = string & Format<'email'>;
export type UUID = string & Format<'uuid'>;
export type UUIDv7 = string & Format<'uuidv7'>;
export type Url = string & Format<'url'>;
/** A day: `2026-11-25`. */
export type IsoDate = string & Format<'date'>;
/** A moment, with its offset: `2026-11-25T10:00:00Z`. */
export type IsoDateTime = string & Format<'date-time'>;
/** A text that a `Date` can be made of: a day, or a moment with its offset. */
export type StringDate = IsoDate | IsoDateTime;
export type IPv4 = string & Format<'ipv4'>;
export type IPv6 = string & Format<'ipv6'>;

export type Min<Value extends number | bigint> = Tag<{ minimum: Value }>;
export type Max<Value extends number | bigint> = Tag<{ maximum: Value }>;
export type GreaterThan<Value extends number> = Tag<{ exclusiveMinimum: Value }>;
export type LessThan<Value extends number> = Tag<{ exclusiveMaximum: Value }>;
export type MultipleOf<Value extends number> = Tag<{ multipleOf: Value }>;

/** Of a text in code points; of an array, a set or a map in members; of bytes in bytes. */
export type MinLength<Length extends number> = Tag<{ minLength: Length }>;
export type MaxLength<Length extends number> = Tag<{ maxLength: Length }>;
export type NonEmpty = MinLength<1>;
/** No two items are equal. */
export type Unique = Tag<{ uniqueItems: true }>;
/** A regular expression, found anywhere unless it is anchored. */
export type Pattern<Source extends string> = Tag<{ pattern: Source }>;
/** Stands where nothing comes. */
export type Default<Value> = Tag<{ default: Value }>;
/** What becomes of members that the type does not have. Without it `parse` leaves them out. */
export type UnknownKeys<What extends 'keep' | 'strip' | 'reject'> = Tag<{ unknownKeys: What }>;

export type Int = number & Tag<{ integer: true }>;
export type Float = number;
export type Int8 = Int & Min<-128> & Max<127>;
export type Int16 = Int & Min<-32768> & Max<32767>;
export type Int32 = Int & Min<-2147483648> & Max<2147483647>;
export type Int64 = bigint & Min<-9223372036854775808n> & Max<9223372036854775807n>;
export type UInt8 = Int & Min<0> & Max<255>;
export type UInt16 = Int & Min<0> & Max<65535>;
export type UInt32 = Int & Min<0> & Max<4294967295>;
export type UInt64 = bigint & Min<0n> & Max<18446744073709551615n>;
