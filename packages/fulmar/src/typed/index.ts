/**
 * `fulmar/types`: what TypeScript types are at run time, made by `fulmar-compiler` where a program is built or
 * started.
 */
import { DecodeError } from '../shape/binary/decode-error.ts';
import { codec } from './codec.ts';
import { assert, decode, encode, errors, parse, route, sample, schema, schemaOf, stringify, typed, validate } from './functions.ts';
import { runtime } from './runtime.ts';
import { ValidationError } from './validation-error.ts';

export default {
  DecodeError,
  ValidationError,
  assert,
  codec,
  decode,
  encode,
  errors,
  parse,
  route,
  runtime,
  sample,
  schema,
  schemaOf,
  stringify,
  typed,
  validate,
};
export {
  assert,
  codec,
  decode,
  DecodeError,
  encode,
  errors,
  parse,
  route,
  sample,
  schema,
  schemaOf,
  stringify,
  typed,
  validate,
  ValidationError,
};
/** @internal */
export { runtime };
export type * from './tag-types.ts';
export type { Codec } from './codec.ts';
export type { RouteSchemas, RouteTypes } from './route-types.ts';
export type { TypeSchema } from './schema.ts';
export type { Issue } from '../shape/validate/rule-types.ts';
export type { Shape, ShapeDocument } from '../shape/shape.ts';
