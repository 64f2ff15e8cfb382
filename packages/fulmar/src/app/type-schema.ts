/**
 * Types that `fulmar-compiler` has made schemas of (`schema<T>()`, `route<T>()` of `fulmar/types`), for the places
 * of a route: texts stand there for numbers, dates and lists, as they do for JSON Schemas, and replies are written
 * by the encoder of the type. Loaded with the first of them; knows nothing of compilers but the form of what comes.
 */
import type { Shape, ShapeDocument } from '../shape/shape.ts';
import { compileShape } from '../shape/validate/compile.ts';
import type { Issue, Mode } from '../shape/validate/rule-types.ts';
import type { InputPlace } from './route-options.ts';
import type { OwnSchema, StandardResult, StandardSchemaV1, TypedSchema } from './standard-schema.ts';

/** How the texts of a place are read; content is JSON, or a form. */
const MODES: Readonly<Record<InputPlace, Mode>> = { params: 'text', query: 'text', headers: 'fields', cookies: 'fields', body: 'value' };

type Validate = (value: unknown) => StandardResult<unknown>;

/** @throws TypeError for what can never be there, or never be sent */
export default function typeSchemaFor(schema: TypedSchema, place: InputPlace | 'response'): OwnSchema {
  const own = schema['~standard'] as StandardSchemaV1['~standard'] & { readonly validate: Validate };
  if (place === 'headers') refuseCapitals(schema.shape);
  const { reply } = schema;
  if (place === 'response' && reply === undefined)
    throw new TypeError('it is a type of values that come in: write schema<T>() for a reply.');
  const validate = place === 'response' ? judged(reply as Reply) : MODES[place] === 'value' ? own.validate : texts(schema, MODES[place]);
  let ofForms: StandardSchemaV1 | null = null;
  return {
    isOwn: true,
    '~standard': { ...own, validate },
    ...(place === 'response' && reply !== undefined && { stringify: reply.stringify }),
    get ofForms() {
      return (ofForms ??= { '~standard': { ...own, validate: texts(schema, 'text') } });
    },
  };
}

/** Texts are converted by the shape, then the code of the type decides, as for JSON. */
function texts({ shape, '~standard': { validate } }: TypedSchema, mode: Mode): Validate {
  const { convert } = compileShape(shape, mode);
  return (value) => (validate as Validate)(convert(value));
}

type Reply = NonNullable<TypedSchema['reply']>;

/** A value as it is: what of it is not declared is left out when it is written. */
function judged({ errors }: Reply): Validate {
  return (value) => {
    const issues: readonly Issue[] = errors(value);
    return issues.length === 0 ? { value } : { issues };
  };
}

/** Names of fields come in lower case: another one would never be there. */
function refuseCapitals({ root, definitions }: ShapeDocument): void {
  const open: Shape[] = [root];
  const seen = new Set<Shape>();
  for (let shape = open.pop(); shape !== undefined; shape = open.pop()) {
    if (seen.has(shape)) continue;
    seen.add(shape);
    if (shape.kind === 'reference') open.push(definitions[shape.name] ?? { kind: 'never' });
    if (shape.kind === 'union' || shape.kind === 'intersection') open.push(...shape.members);
    const found = shape.kind === 'object' ? shape.properties.find(({ name }) => name !== name.toLowerCase()) : undefined;
    if (found !== undefined)
      throw new TypeError(`names of fields are in lower case; write ${found.name.toLowerCase()}, where the type has ${found.name}.`);
  }
}
