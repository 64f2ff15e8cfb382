/**
 * What a handler may return for the `response` of its route's options, to the type checker. What is judged when it is
 * sent (a `Reply`, the context with a status, a stream) passes. Nothing of it is there at run time.
 */
import type { AnyContext } from './context.ts';
import type { FromSchema } from './json-schema-types.ts';
import type { Reply } from './reply-value.ts';
import type { InferInput, StandardSchemaV1 } from './standard-schema.ts';

/** Anything where the options say nothing of replies. */
export type ReplyOf<Options> = Options extends { readonly response: infer Response extends object }
  ? Constant<ValueOf<Response>> | Unjudged
  : unknown;

type Unjudged =
  | Reply
  | AnyContext
  | Response
  | Blob
  | URLSearchParams
  | ArrayBuffer
  | ArrayBufferView
  | AsyncIterable<unknown>
  | Iterator<unknown>;

/** Of several schemas, one for each status, any; a status without content is a reply without a value. */
type ValueOf<Response> = Response extends StandardSchemaV1
  ? InferInput<Response>
  : [keyof Response] extends [number]
    ? OfStatus<Response>
    : Loose<FromSchema<Response>>;
type OfStatus<Schemas> = { [Status in keyof Schemas]: Status extends 204 | 205 ? Nothing : OfSchema<Schemas[Status]> }[keyof Schemas];
type Nothing = null | undefined | void;
type OfSchema<Schema> = Schema extends StandardSchemaV1 ? InferInput<Schema> : Loose<FromSchema<Schema>>;

/** What is written in place is inferred as a constant: its lists are read-only. */
type Constant<Type> = unknown extends Type
  ? unknown
  : Type extends readonly unknown[]
    ? { readonly [At in keyof Type]: Constant<Type[At]> }
    : Type extends Opaque
      ? Type
      : Type extends object
        ? { readonly [Key in keyof Type]: Constant<Type[Key]> }
        : Type;
type Opaque =
  | Date
  | RegExp
  | URL
  | ArrayBuffer
  | ArrayBufferView
  | ReadonlyMap<never, unknown>
  | ReadonlySet<never>
  | ((...given: never[]) => unknown);

/**
 * Values that become JSON of a type: a text may still be a `Date`, a number an object of a library's. Members may be
 * missing, since a `default` may stand for them: that they are there is judged when the reply is sent.
 */
type Loose<Type> = unknown extends Type
  ? unknown
  : Type extends string | number | boolean | null
    ? Type | { toJSON(...given: never[]): unknown }
    : Type extends readonly (infer Item)[]
      ? readonly Loose<Item>[]
      : Type extends object
        ? { readonly [Key in keyof Type]?: Loose<Type[Key]> | undefined }
        : Type;
