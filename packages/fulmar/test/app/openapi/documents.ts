/** Documents for tests: made of what a test registers, and judged by a validator of OpenAPI. */
import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type App, type AppOptions, createApp } from '../../../src/app/index.ts';
import { openapi, type OpenApiDocument, type OpenApiOptions, type OperationObject } from '../../../src/app/openapi/index.ts';

export const info = { title: 'Birds', version: '1.0.0' };

/** The document of what `define` registers; it is valid, and all its references lead somewhere. */
export async function documentOf(
  define: (app: App) => void,
  { app: appOptions, ...options }: Partial<OpenApiOptions> & { app?: AppOptions } = {},
): Promise<OpenApiDocument> {
  const app = createApp(appOptions);
  define(app);
  const document = openapi(app, { info, ...options });
  await assertValid(document);
  return document;
}

export async function assertValid(document: OpenApiDocument): Promise<void> {
  const copy = JSON.parse(JSON.stringify(document)) as OpenApiDocument;
  const { valid, errors } = await new Validator().validate(copy as never);
  assert.ok(valid, JSON.stringify(errors, undefined, 1));
  for (const [, reference = ''] of JSON.stringify(copy).matchAll(/"\$ref":"([^"]*)"/g)) {
    let at: unknown = copy;
    assert.ok(reference.startsWith('#/'), reference);
    for (const step of reference.slice(2).split('/')) at = (at as Record<string, unknown> | undefined)?.[step];
    assert.notEqual(at, undefined, `${reference} leads nowhere`);
  }
}

/** The only operation of a document, or the one that is named. */
export function operationIn({ paths }: OpenApiDocument, path?: string, method?: string): OperationObject {
  const item = path === undefined ? Object.values(paths)[0] : paths[path];
  const operation = method === undefined ? Object.values(item ?? {})[0] : item?.[method];
  assert.ok(operation !== undefined, `no operation ${method ?? ''} ${path ?? ''}`);
  return operation;
}
