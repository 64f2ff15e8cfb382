/**
 * A compiled type as JSON Schema, for documents of OpenAPI and whoever else asks by Standard JSON Schema. In a
 * file of its own, loaded when somebody does; validates nothing.
 */
import type { ShapeDocument } from '../shape/shape.ts';
import { toJsonSchema } from '../shape/to-json-schema.ts';

/** `draft-2020-12` is what is written; OpenAPI 3.1 has the same. */
const TARGET = 'draft-2020-12';

/** @throws TypeError for another target, which Standard JSON Schema allows */
export default function documented(shape: ShapeDocument, target: string): Record<string, unknown> {
  if (target !== TARGET) throw new TypeError(`A type becomes JSON Schema of ${TARGET}, and ${target} is asked for.`);
  const schema = toJsonSchema(shape);
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  return { ...schema };
}
