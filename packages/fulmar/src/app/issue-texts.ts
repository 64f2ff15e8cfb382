/**
 * `x-error` of a JSON Schema: what clients are told in the place of what does not fit, wherever it is written. Looked for
 * once, when the schema is read.
 */
import { type StandardIssue, type StandardResult, pathOf } from './standard-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The text for a value at a path, or undefined. */
export type IssueTexts = (path: readonly (string | number)[]) => string | undefined;

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null: it has none. */
export function ownTexts(schema: object): IssueTexts | null {
  return hasText(schema) ? (path) => textAt(schema as Schema, path) : null;
}

/** Schemas that contain themselves do so by `$ref`, which is not followed. */
function hasText(schema: object, seen = new Set<object>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (typeof (schema as Schema)['x-error'] === 'string') return true;
  return Object.values(schema).some((one) => typeof one === 'object' && one !== null && hasText(one as object, seen));
}

/** That of the value itself, else of the nearest thing it stands in. */
function textAt(schema: Schema, path: readonly (string | number)[]): string | undefined {
  let text = textOf(schema);
  let found: readonly Schema[] = [schema];
  for (const step of path) {
    found = found.flatMap((one) => alternatives(one).flatMap((all) => memberOf(all, step)));
    text = found.map(textOf).find((one) => one !== undefined) ?? text;
  }
  return text;
}

const textOf = ({ 'x-error': text }: Schema): string | undefined => (typeof text === 'string' ? text : undefined);

/** A schema with those that it is put together of. */
function alternatives(schema: Schema): readonly Schema[] {
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => schema[key] ?? []).filter(isObject);
  return [schema, ...parts];
}

function memberOf(schema: Schema, step: string | number): Schema[] {
  const { properties, items, prefixItems, additionalProperties } = schema;
  const ofIndex = typeof step === 'number' ? [(prefixItems as readonly unknown[] | undefined)?.[step] ?? items] : [];
  const ofName = isObject(properties) && Object.hasOwn(properties, step) ? [properties[step]] : [additionalProperties];
  return [...ofIndex, ...ofName].filter(isObject);
}

/** With the texts of the schema, each once for a path. */
export function retold<T>(result: StandardResult<T>, texts: IssueTexts): StandardResult<T> {
  if (result.issues === undefined) return result;
  const told = new Set<string>();
  const issues: StandardIssue[] = [];
  for (const issue of result.issues) {
    const path = pathOf(issue);
    const message = texts(path);
    const key = message === undefined ? null : JSON.stringify([path, message]);
    if (key !== null && told.has(key)) continue;
    if (key !== null) told.add(key);
    issues.push(message === undefined ? issue : { ...issue, message });
  }
  return { issues };
}
