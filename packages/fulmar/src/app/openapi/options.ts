/**
 * What a document is made of besides the routes: its options, checked when it is asked for.
 */
import { type Check, type Checks, checkOptions, isFunction, isListOf } from '../checked-options.ts';
import type { SecurityRequirement } from '../route-types.ts';
import type { ExternalDocs, InfoObject, SecurityScheme, ServerObject, TagObject } from './document-types.ts';
import type { ToJsonSchema } from './schema-source.ts';

export interface OpenApiOptions {
  readonly info: InfoObject;
  readonly servers?: readonly ServerObject[];
  /** For all operations that say nothing of it themselves. */
  readonly security?: readonly SecurityRequirement[];
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  readonly tags?: readonly TagObject[];
  readonly externalDocs?: ExternalDocs;
  /** For schemas of libraries that have no way to JSON Schema; `undefined` passes on to the ways there are. */
  readonly toJsonSchema?: ToJsonSchema;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (name: string, value: unknown): boolean => isObject(value) && typeof value[name] === 'string' && value[name] !== '';
const listOf = (name: string, what: string): Check => [(value) => isListOf((one) => has(name, one), value), what];

export const DOCUMENT_CHECKS: Checks<OpenApiOptions> = {
  info: [
    (value) => has('title', value) && has('version', value),
    "an object with title and version, as { title: 'Birds', version: '1.0.0' }",
  ],
  servers: listOf('url', 'an array of objects with a url'),
  security: [
    (value) => isListOf((one) => isObject(one) && Object.values(one).every(Array.isArray), value),
    'an array as [{ bearerAuth: [] }]',
  ],
  securitySchemes: [
    (value) => isObject(value) && Object.values(value).every((one) => has('type', one)),
    "an object of security schemes by name, each with its type, as { key: { type: 'apiKey', in: 'header', name: 'X-Key' } }",
  ],
  tags: listOf('name', 'an array of objects with a name'),
  externalDocs: [(value) => has('url', value), 'an object with a url'],
  toJsonSchema: isFunction('(schema, side)'),
};

/** @throws TypeError that says what was expected */
export function checkDocumentOptions(factory: string, options: OpenApiOptions): void {
  checkOptions(factory, options, DOCUMENT_CHECKS);
  if (options.info === undefined) throw new TypeError(`${factory}() needs info, ${DOCUMENT_CHECKS.info[1]}.`);
}
