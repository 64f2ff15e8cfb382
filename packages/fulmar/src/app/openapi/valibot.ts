/**
 * valibot's way to JSON Schema, `@valibot/to-json-schema`: a package beside it, found from the application. In a
 * file of its own, loaded when a document is made that has a schema of valibot; needs Node.
 */
import { requireFromApplication } from './application-package.ts';
import type { JsonSchema } from './document-types.ts';

const PACKAGE = '@valibot/to-json-schema';

interface ToJsonSchemaPackage {
  toJsonSchema(schema: unknown, options: object): JsonSchema;
}

export default function ofValibot(schema: unknown, side: 'input' | 'output', target: string): JsonSchema {
  const { toJsonSchema } = requireFromApplication(PACKAGE, 'Schemas of valibot become JSON Schema by it') as ToJsonSchemaPackage;
  // What cannot be said is left out, as with the other libraries.
  return toJsonSchema(schema, { typeMode: side, target, errorMode: 'ignore' });
}
