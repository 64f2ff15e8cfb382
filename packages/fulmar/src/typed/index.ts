/**
 * `fulmar/types`: what TypeScript types are at run time, made by `fulmar-compiler` where a program is built or
 * started.
 */
import { codec } from './codec.ts';
import { assert, errors, parse, route, sample, schema, schemaOf, stringify, validate } from './functions.ts';
import { runtime } from './runtime.ts';
import { ValidationError } from './validation-error.ts';

export default { ValidationError, assert, codec, errors, parse, route, runtime, sample, schema, schemaOf, stringify, validate };
export { assert, codec, errors, parse, route, sample, schema, schemaOf, stringify, validate, ValidationError };
/** @internal */
export { runtime };
export type * from './tag-types.ts';
export type { Codec } from './codec.ts';
export type { RouteSchemas, RouteTypes } from './route-types.ts';
export type { TypeSchema } from './schema.ts';
export type { Issue } from '../shape/validate/rule-types.ts';
export type { Shape, ShapeDocument } from '../shape/shape.ts';
