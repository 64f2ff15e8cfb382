/**
 * The part of OpenAPI 3.1 that documents are made of. Objects that an application gives are passed on as they
 * are.
 */

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface InfoObject {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description?: string;
  readonly termsOfService?: string;
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string };
}

export interface ServerObject {
  readonly url: string;
  readonly description?: string;
  readonly variables?: Readonly<
    Record<string, { readonly default: string; readonly enum?: readonly string[]; readonly description?: string }>
  >;
}

export interface TagObject {
  readonly name: string;
  readonly description?: string;
  readonly externalDocs?: ExternalDocs;
}

export interface ExternalDocs {
  readonly url: string;
  readonly description?: string;
}

/** As OpenAPI has it: `{ type: 'http', scheme: 'bearer' }`, `{ type: 'apiKey', in: 'header', name: 'X-Key' }` … */
export interface SecurityScheme {
  readonly type: 'apiKey' | 'http' | 'mutualTLS' | 'oauth2' | 'openIdConnect';
  readonly [member: string]: unknown;
}

export interface Reference {
  readonly $ref: string;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface MediaType {
  readonly schema: JsonSchema;
}

export interface RequestBody {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

/** By methods in lower case. */
export type PathItem = Readonly<Record<string, OperationObject>>;

export interface Components {
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly responses?: Readonly<Record<string, ResponseObject>>;
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: InfoObject;
  readonly servers?: readonly ServerObject[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: Components;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags?: readonly TagObject[];
  readonly externalDocs?: ExternalDocs;
}
