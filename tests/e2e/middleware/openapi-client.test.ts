/**
 * A document as a generator of clients takes it: the types that `openapi-typescript` makes of a large application
 * compile, and say what the schemas say.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type App, createApp } from 'fulmar';
import { bearerAuth } from 'fulmar/middleware';
import { openapi } from 'fulmar/openapi';
import openapiTypes, { astToString } from 'openapi-typescript';
import { z } from 'zod';

const tsc = resolve(fileURLToPath(import.meta.url), '../../../../node_modules/typescript/bin/tsc');
const RESOURCES = 60;

const owner = z.object({ id: z.number(), born: z.date() }).meta({ id: 'Owner' });
const tree = z
  .object({
    name: z.string(),
    get kids() {
      return z.array(tree);
    },
  })
  .meta({ id: 'Tree' });

function addResource(app: App, name: string): void {
  const item = z.object({ id: z.number(), owner, kind: z.enum(['a', 'b']).default('a') }).meta({ id: `Item-${name}` });
  app.get(`/${name}`, { query: z.object({ page: z.coerce.number().optional() }), response: z.array(item) }, () => []);
  app.get(
    `/${name}/:id`,
    { params: z.object({ id: z.coerce.number() }), response: { 200: item, 404: z.object({ error: z.string() }) } },
    () => undefined as never,
  );
  app.put(`/${name}/:key`, { body: item, response: item }, bearerAuth({ tokens: ['t'] }), () => undefined as never);
  app.delete(`/${name}/:id/:part?`, { response: { 204: z.undefined() } }, () => undefined as never);
  app.all(`/${name}/files/*path`, () => 1);
}

/** What a client's author writes, and what must not compile. */
const USE = `import type { paths, components, operations } from './types.ts';
type Body = paths['/r0/{id}']['put']['requestBody']['content']['application/json'];
const sent: Body = { id: 1, owner: { id: 1, born: '2026-01-01T00:00:00Z' } };
type Reply = paths['/r0/{id}']['get']['responses'][200]['content']['application/json'];
declare const reply: Reply;
const kind: 'a' | 'b' = reply.kind;
const tree: components['schemas']['Tree'] = { name: 'x', kids: [{ name: 'y', kids: [] }] };
const page: operations['getR0']['parameters']['query'] = { page: 2 };
type Problem = components['responses']['InvalidInput']['content']['application/problem+json'];
declare const problem: Problem;
const first: string | undefined = problem.errors?.[0]?.message;
// @ts-expect-error a reply always has it
const missing: Reply = { id: 1, owner: sent.owner };
// @ts-expect-error it is a number
const wrong: Body = { id: 'x', owner: sent.owner };
export { first, kind, missing, page, tree, wrong };
`;

test('types that are made of the document of a large application compile, and say what its schemas say', async () => {
  const app = createApp();
  for (let index = 0; index < RESOURCES; index++) addResource(app, `r${index}`);
  app.post('/tree', { body: tree, response: tree }, (c) => c.body);
  const document = openapi(app, { info: { title: 'large', version: '1.0.0' } });
  assert.ok(Object.keys(document.paths).length > 3 * RESOURCES);
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-client-'));
  try {
    // What has a default may be left out of what is sent: by its own default the generator says otherwise.
    writeFileSync(
      join(folder, 'types.ts'),
      astToString(await openapiTypes(JSON.parse(JSON.stringify(document)) as never, { defaultNonNullable: false })),
    );
    writeFileSync(join(folder, 'use.ts'), USE);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions'];
    execFileSync(process.execPath, [tsc, ...options, '--types', '', join(folder, 'use.ts')], { encoding: 'utf8', cwd: folder });
  } catch (error) {
    assert.fail(String((error as { stdout?: unknown }).stdout ?? error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
