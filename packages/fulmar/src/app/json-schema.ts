/**
 * JSON Schemas and TypeBox's schemas become Standard Schemas, so that a route has one way for all. Loaded with
 * the first of them; whoever has none does not pay for it.
 */
import { fromJsonSchema } from '../shape/from-json-schema.ts';
import { SchemaError } from '../shape/json-schema/schema-error.ts';
import type { ShapeDocument } from '../shape/shape.ts';
import { toJsonSchema } from '../shape/to-json-schema.ts';
import { compileShape } from '../shape/validate/compile.ts';
import type { Mode } from '../shape/validate/rule-types.ts';
import { nearest } from '../host/suggest.ts';
import { type IssueTexts, ownTexts, retold } from './issue-texts.ts';
import type { InputPlace } from './route-options.ts';
import type { OwnSchema, StandardProps, StandardSchemaV1 } from './standard-schema.ts';

/** What a schema is for: values of `body` come from JSON, those of the others are texts. */
const MODES: Readonly<Record<InputPlace | 'response', Mode>> = {
  params: 'text',
  query: 'text',
  headers: 'fields',
  cookies: 'fields',
  body: 'value',
  response: 'reply',
};

/** Beside what Standard Schema asks for, what Standard JSON Schema does: for documents. */
interface JsonProps extends StandardProps<unknown, unknown> {
  readonly jsonSchema: Readonly<Record<'input' | 'output', () => object>>;
}

/** @throws TypeError that says what is wrong with the schema, where in it and what was meant */
export default function jsonSchemaFor(schema: object, place: InputPlace | 'response'): OwnSchema {
  try {
    if (place === 'headers') refuseCapitals(schema);
    const document = fromJsonSchema(schema);
    const texts = ownTexts(schema);
    const props = propsOf(document, MODES[place], texts);
    let ofForms: StandardSchemaV1 | null = null;
    return {
      isOwn: true,
      given: schema,
      '~standard': props,
      get ofForms() {
        return (ofForms ??= { '~standard': propsOf(document, 'text', texts) });
      },
    };
  } catch (error) {
    throw explained(error, schema);
  }
}

function propsOf(document: ShapeDocument, mode: Mode, texts: IssueTexts | null): JsonProps {
  const { parse: plain } = compileShape(document, mode);
  const parse = texts === null ? plain : (value: unknown) => retold(plain(value), texts);
  // Documents are objects: `true` and `false` are written as such.
  const written = (): object => {
    const schema = toJsonSchema(document);
    return schema === true ? {} : schema === false ? { not: {} } : schema;
  };
  return { version: 1, vendor: 'fulmar', validate: parse, jsonSchema: { input: written, output: written } };
}

/** Names of fields come in lower case: another one would never be there. */
function refuseCapitals(schema: object): void {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] };
  const name = [...Object.keys(properties), ...(Array.isArray(required) ? required : [])].find((one) => one !== String(one).toLowerCase());
  if (name !== undefined) throw new SchemaError(`#/properties/${name}`, `names of fields are in lower case; write ${name.toLowerCase()}.`);
}

function explained(error: unknown, schema: object): unknown {
  if (!(error instanceof SchemaError)) return error;
  const { choice } = error;
  if (choice === undefined) return error;
  const { found, known } = choice;
  const meant = nearest(found, known);
  const member: unknown = Object.hasOwn(schema, found) ? (schema as Record<string, unknown>)[found] : undefined;
  if (error.pointer === `#/${found}` && typeof member === 'object' && member !== null)
    return new TypeError(`${error.message} The schema of an object with it is { type: 'object', properties: { ${found}: … } }.`, {
      cause: error,
    });
  return meant === undefined ? error : new TypeError(`${error.message} Is ${meant} meant?`, { cause: error });
}
