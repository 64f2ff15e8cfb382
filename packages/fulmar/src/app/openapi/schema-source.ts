/**
 * A schema of a route as JSON Schema 2020-12, by what its library offers for that: zod, arktype and whatever
 * implements Standard JSON Schema by themselves, valibot by a package of its own, JSON Schemas as they are. The
 * result is still in the form of its library; `components.ts` puts it into a document.
 */
import { valibot as lazyValibot } from '../lazy.ts';
import { standardOf } from '../standard-schema.ts';
import type { JsonSchema } from './document-types.ts';

/** What a client sends is a schema's input, what it gets is its output. */
export type Side = 'input' | 'output';
/** For libraries that have no way of their own; `undefined` passes on. */
export type ToJsonSchema = (schema: unknown, side: Side) => object | undefined;

const TARGET = 'draft-2020-12';
const DATE = { type: 'string', format: 'date-time' } as const;

interface Convertible {
  /** Of what the app itself has made a schema of: the JSON Schema as it was written, with its names. */
  readonly given?: JsonSchema;
  readonly toJSONSchema?: (options: object) => JsonSchema;
  readonly toJsonSchema?: (options?: object) => JsonSchema;
}

interface Standard {
  readonly vendor?: unknown;
  readonly jsonSchema?: Readonly<Record<Side, (options: object) => JsonSchema>>;
}

/** @throws TypeError for a schema that nothing makes a JSON Schema of; `where` says which one it is */
export function toJsonSchema(schema: unknown, side: Side, where: string, own?: ToJsonSchema): JsonSchema {
  const given = own?.(schema, side);
  if (given !== undefined) return given as JsonSchema;
  const standard = standardOf(schema) as Standard | undefined;
  try {
    const found = converted(schema as Convertible, side, standard);
    if (found !== undefined) return found;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(`The schema of ${where} becomes no JSON Schema: ${reason}`, { cause: error });
  }
  throw new TypeError(
    `The schema of ${where} is one of ${String(standard?.vendor ?? 'an unknown library')}, which has no way to JSON Schema that is known here: give openapi() toJsonSchema(schema, side).`,
  );
}

function converted(schema: Convertible, side: Side, standard: Standard | undefined): JsonSchema | undefined {
  if (standard === undefined) return schema as JsonSchema;
  if (standard.vendor === 'fulmar' && schema.given !== undefined) return schema.given;
  if (standard.vendor === 'zod' && typeof schema.toJSONSchema === 'function') return ofZod(schema as Required<Convertible>, side);
  if (standard.jsonSchema !== undefined) return standard.jsonSchema[side]({ target: TARGET, libraryOptions: LIBRARY_OPTIONS });
  if (standard.vendor === 'valibot') return lazyValibot()(schema, side, TARGET);
  if (typeof schema.toJsonSchema === 'function') return schema.toJsonSchema();
  return undefined;
}

/** Of arktype: what JSON Schema cannot say is said as far as it can. */
const LIBRARY_OPTIONS = {
  fallback: ({ code, base }: { code: string; base: object }): object => (code === 'date' ? { ...base, ...DATE } : base),
};

interface ZodStep {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string; readonly catchall?: unknown } } };
  readonly jsonSchema: Record<string, unknown>;
}

function ofZod(schema: Required<Convertible>, side: Side): JsonSchema {
  return schema.toJSONSchema({
    io: side,
    target: TARGET,
    // What JSON has not, as a Date, is `any` instead of an error.
    unrepresentable: 'any',
    override({ zodSchema: { _zod }, jsonSchema }: ZodStep): void {
      if (_zod.def.type === 'date') Object.assign(jsonSchema, DATE);
      // Of a reply zod would take members away that it does not know; a reply is sent as it is.
      if (_zod.def.type === 'object' && _zod.def.catchall === undefined) delete jsonSchema['additionalProperties'];
    },
  });
}
