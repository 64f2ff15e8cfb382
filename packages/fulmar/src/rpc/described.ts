/**
 * What the server tells of its parameters to clients that want to judge them before they send: shapes, as far as they are known as data.
 * A Standard Schema is a function, and stays here.
 */
import { fromJsonSchema } from '../shape/from-json-schema.ts';
import type { ShapeDocument } from '../shape/shape.ts';
import { toWire } from '../shape/wire-hints.ts';
import type { CompiledApi } from './api-types.ts';
import { standardOf } from './standard.ts';
import type { Endpoint } from './tree.ts';

/** All parameters as one list, or one by one; null: judged by the server alone. */
export type Described = { readonly all: ShapeDocument } | { readonly each: readonly (ShapeDocument | null)[] };

/** The members `value` and `as` of the reply, as text. @throws TypeError for types that are nested too deep to be sent */
export function describe(endpoints: Iterable<Endpoint>, compiled: CompiledApi, validateParams: boolean): string {
  const all: Record<string, Described> = {};
  for (const { name, options } of endpoints) {
    if (!(options.validateParams ?? validateParams)) continue;
    if (options.params !== undefined) all[name] = { each: options.params.map(shapeOf) };
    else if (Object.hasOwn(compiled, name)) all[name] = { all: (compiled[name] as CompiledApi[string]).params.shape };
  }
  const { json, as } = toWire(all);
  return `,"value":${JSON.stringify(json)}${as === undefined ? '' : `,"as":${JSON.stringify(as)}`}`;
}

const shapeOf = (schema: object): ShapeDocument | null => (standardOf(schema) === undefined ? fromJsonSchema(schema) : null);
