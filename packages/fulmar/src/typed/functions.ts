/**
 * What applications import and the compiler replaces: each use becomes a reference to code that was made for
 * its type. What is here runs only where nothing was compiled, and says how to have it compiled.
 */
import { BY_COMPILER } from '../shape/compiling.ts';
import type { ShapeDocument } from '../shape/shape.ts';
import { TYPED_PARAMETERS } from '../shape/typed-parameters.ts';
import type { Issue } from '../shape/validate/rule-types.ts';
import type { RouteSchemas, RouteTypes } from './route-types.ts';
import type { TypeSchema } from './schema.ts';

function uncompiled(name: string): never {
  throw new Error(
    `${name}<T>() of fulmar/types was not compiled: types are gone when a program runs. ${BY_COMPILER}; the file ` +
      "that names the type must be TypeScript and import from 'fulmar/types' itself.",
  );
}

/** Does the value fit the type? */
export function validate<T>(value: unknown): value is T {
  void value;
  return uncompiled('validate');
}

/** The value, which fits the type. @throws ValidationError */
export function assert<T>(value: unknown): T {
  void value;
  return uncompiled('assert');
}

/** What of the value does not fit the type; nothing where it does. */
export function errors<T>(value: unknown): readonly Issue[] {
  void (value as T);
  return uncompiled('errors');
}

/** The value of a JSON text, of declared members alone. @throws SyntaxError, ValidationError */
export function parse<T>(text: string): T {
  void text;
  return uncompiled('parse');
}

/** The JSON of a value, of declared members alone. */
export function stringify<T>(value: T): string {
  void value;
  return uncompiled('stringify');
}

/** The value in bytes, of declared members alone. @throws TypeError for a value of another type */
export function encode<T>(value: T): Uint8Array<ArrayBuffer> {
  void value;
  return uncompiled('encode');
}

/** The value of what `encode` gave for the same type. @throws DecodeError, ValidationError */
export function decode<T>(bytes: Uint8Array): T {
  void bytes;
  return uncompiled('decode');
}

/** What the compiler knows of the type, as data. */
export function schemaOf<T>(): ShapeDocument {
  void (0 as T);
  return uncompiled('schemaOf');
}

/** The type as a schema for routes, forms and whatever else takes Standard Schema. */
export function schema<T>(): TypeSchema<T> {
  return uncompiled('schema');
}

/**
 * Types of a route by their places, as its options: `app.post('/users', route<{ body: NewUser; response: User }>(), …)`.
 * Others stand beside them: `{ ...route<…>(), summary: 'Adds a user' }`.
 */
export function route<Types extends RouteTypes>(): RouteSchemas<Types> {
  return uncompiled('route');
}

/** A value that fits the type; the same one for the same seed. */
export function sample<T>(seed?: number): T {
  void seed;
  return uncompiled('sample');
}

/**
 * A decorator for classes of controllers: the types of parameters with `@Body()`, `@Query()`, `@Param()`, `@Headers()` and
 * `@Cookies()`, without pipes of their own, are what requests are checked against.
 *
 * `compiled`: the compiler's alone.
 */
export function typed(compiled?: object): ClassDecorator {
  if (compiled === undefined)
    throw new Error(
      `@typed() of fulmar/types was not compiled: types are gone when a program runs. ${BY_COMPILER}; the file of the class ` +
        "must be TypeScript and import from 'fulmar/types' itself.",
    );
  return (target) => {
    Object.defineProperty(target, TYPED_PARAMETERS, { value: compiled });
  };
}
