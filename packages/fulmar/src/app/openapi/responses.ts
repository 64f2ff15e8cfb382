/**
 * Responses of an operation: what its handler returns, by status, and the errors that the app itself answers with,
 * each of which stands once among the components.
 */
import type { Settings } from '../options.ts';
import type { RouteOptions } from '../route-types.ts';
import { isSchema, type StandardSchemaV1 } from '../standard-schema.ts';
import type { JsonSchema, Reference, ResponseObject } from './document-types.ts';

type ErrorName = 'BadRequest' | 'InvalidInput' | 'TooLarge' | 'Unauthorized' | 'UnsupportedMediaType' | 'Error';

const TITLES: Readonly<Record<ErrorName, string>> = {
  BadRequest: 'What was sent cannot be read.',
  InvalidInput: 'What was sent does not fit its schema.',
  TooLarge: 'The content is too long.',
  Unauthorized: 'Credentials are missing or wrong.',
  UnsupportedMediaType: 'The content is of a type that is not read.',
  Error: 'The request failed.',
};

/** Statuses that have no content. */
const EMPTY = new Set([204, 205, 304]);
const PHRASES: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'What went wrong (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri-reference' },
  },
  required: ['title', 'status'],
};
const SIMPLE: JsonSchema = {
  type: 'object',
  description: 'What went wrong.',
  properties: { error: { type: 'string' }, id: { type: 'string' } },
  required: ['error'],
};
const ERRORS: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      in: { enum: ['params', 'query', 'headers', 'cookies', 'body'] },
      path: { type: 'array', items: { type: ['string', 'integer'] } },
      message: { type: 'string' },
    },
    required: ['in', 'path', 'message'],
  },
};

/** Schemas of statuses; `''` is the one for success. */
export function responseSchemas({ response }: Pick<RouteOptions, 'response'>): [status: string, schema: unknown][] {
  if (response === undefined) return [];
  // A JSON Schema has keywords where an object by statuses has numbers.
  const isByStatus = !isSchema(response) && Object.keys(response).every((key) => /^[2-5]\d\d$/.test(key));
  return isByStatus ? Object.entries(response) : [['200', response as StandardSchemaV1]];
}

export function replyOf(status: string, schema: JsonSchema | undefined): ResponseObject {
  const description = (schema?.['description'] as string | undefined) ?? PHRASES[Number(status)] ?? `Status ${status}`;
  return { description, ...(schema === undefined || EMPTY.has(Number(status)) ? {} : { content: { 'application/json': { schema } } }) };
}

/** The errors that an app answers with, of those that a document has asked for. */
export class ErrorResponses {
  readonly #settings: Settings;
  readonly #used = new Set<ErrorName>();
  /** Its name among the schemas: an application may have one of its own called so. */
  readonly schemaName: string;

  constructor(settings: Settings, schemaName: string) {
    this.#settings = settings;
    this.schemaName = schemaName;
  }

  /** By status, for an operation with these. */
  of({ input, body, secured }: { readonly input: boolean; readonly body: boolean; readonly secured: boolean }): [string, Reference][] {
    const { invalidInput } = this.#settings;
    const wanted: [string, ErrorName][] = [
      ...(body && invalidInput !== 400 ? ([['400', 'BadRequest']] as [string, ErrorName][]) : []),
      ...(secured ? ([['401', 'Unauthorized']] as [string, ErrorName][]) : []),
      ...(body ? ([['413', 'TooLarge'], ['415', 'UnsupportedMediaType']] as [string, ErrorName][]) : []), // prettier-ignore
      ...(input ? ([[String(invalidInput), 'InvalidInput']] as [string, ErrorName][]) : []),
      ['default', 'Error'],
    ];
    return wanted.map(([status, name]) => {
      this.#used.add(name);
      return [status, { $ref: `#/components/responses/${name}` }];
    });
  }

  get schema(): JsonSchema {
    return this.#settings.format === 'problem' ? PROBLEM : SIMPLE;
  }

  toJSON(): Record<string, ResponseObject> {
    const type = this.#settings.format === 'problem' ? 'application/problem+json' : 'application/json';
    const whole = { $ref: `#/components/schemas/${this.schemaName}` };
    const withErrors = { allOf: [whole, { type: 'object', properties: { errors: ERRORS } }] };
    return Object.fromEntries(
      [...this.#used]
        .toSorted()
        .map((name) => [
          name,
          { description: TITLES[name], content: { [type]: { schema: name === 'InvalidInput' ? withErrors : whole } } },
        ]),
    );
  }
}
