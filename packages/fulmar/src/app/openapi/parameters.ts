/**
 * Parameters of an operation: those of its path, and the members of the schemas of query, headers and cookies,
 * one by one, as OpenAPI has them.
 */
import type { SchemaComponents } from './components.ts';
import type { JsonSchema, ParameterObject } from './document-types.ts';
import type { Template } from './path-templates.ts';

interface Members {
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
}

/** Fields that OpenAPI says in other places; as parameters they are ignored. */
const SAID_ELSEWHERE = new Set(['accept', 'authorization', 'content-type']);
const NOTHING: Members = { properties: new Map(), required: new Set() };
const DEPTH_MAX = 50;

/** All are required: a path without one is another path. */
export function pathParameters(
  { names, rests }: Template,
  schema: JsonSchema | undefined,
  components: SchemaComponents,
): ParameterObject[] {
  const { properties } = membersOf(schema, components);
  return names.map((name) => ({
    name,
    in: 'path',
    required: true,
    ...(rests.includes(name) ? { description: 'The rest of the path, with its slashes.' } : {}),
    ...told(properties.get(name) ?? { type: 'string' }),
  }));
}

export function parametersOf(
  place: 'query' | 'header' | 'cookie',
  schema: JsonSchema | undefined,
  components: SchemaComponents,
): ParameterObject[] {
  const { properties, required } = membersOf(schema, components);
  return [...properties]
    .filter(([name]) => place !== 'header' || !SAID_ELSEWHERE.has(name.toLowerCase()))
    .map(([name, property]) => ({ name, in: place, ...(required.has(name) ? { required: true } : {}), ...told(property) }));
}

/** A description belongs to the parameter. */
function told(property: JsonSchema): { schema: JsonSchema; description?: string; deprecated?: boolean } {
  const { description, deprecated, ...schema } = property;
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    schema,
  };
}

/** The members that an object of this schema may have; of alternatives those of all, required where each requires them. */
function membersOf(given: JsonSchema | undefined, components: SchemaComponents, depth = 0): Members {
  if (given === undefined || depth > DEPTH_MAX) return NOTHING;
  const schema = components.resolve(given);
  const own: Members = {
    properties: new Map(Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)),
    required: new Set((schema['required'] ?? []) as string[]),
  };
  const inner = (key: string): Members[] => ((schema[key] ?? []) as JsonSchema[]).map((one) => membersOf(one, components, depth + 1));
  const alternatives = [...inner('anyOf'), ...inner('oneOf')];
  const [first, ...others] = alternatives;
  const inEach = [...(first?.required ?? [])].filter((name) => others.every(({ required }) => required.has(name)));
  const parts = [own, ...inner('allOf')];
  return {
    properties: new Map([...alternatives, ...parts].flatMap(({ properties }) => [...properties])),
    required: new Set([...parts.flatMap(({ required }) => [...required]), ...inEach]),
  };
}
