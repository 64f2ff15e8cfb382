/**
 * Types: a project's `tsc` is as clean with Fulmar as without it, and what `fulmar/…` exports has the types
 * of the project's own packages.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeFileSync } from 'node:fs';
import { npm } from './support/managers.ts';
import { packed } from './support/packed.ts';
import { must, newProject, removeProjects, run, tool } from './support/project.ts';
import { type Registry, startRegistry } from './support/registry.ts';

let registry: Registry;
before(async () => void (registry = await startRegistry(packed())));
after(() => {
  registry.close();
  removeProjects();
});

/**
 * Without `skipLibCheck`, and with the types that TypeScript takes by itself: all of `@types` until version
 * 6.
 */
const compilerOptions = { strict: true, module: 'nodenext', moduleResolution: 'nodenext', target: 'es2022', noEmit: true };

/** Runs one TypeScript; `''` when it has nothing to say. */
async function check(folder: string, typescript: string, files: readonly string[]): Promise<string> {
  const types = Number(typescript) >= 6 ? { types: ['node'] } : {};
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...compilerOptions, ...types }, files }));
  const { stdout, stderr } = await run(process.execPath, [tool(`typescript-${typescript}/bin/tsc`), '-p', '.'], folder);
  return stdout + stderr;
}

const express5 = `
import upstream from 'express';
import express, { Router, type NextFunction, type Request, type Response } from 'fulmar/express';
import http, { createServer, type IncomingMessage, type ServerResponse } from 'fulmar/http';

const router: express.Router = Router();
router.get('/birds/:id', (req: Request<{ id: string }>, res: Response) => void res.json({ id: req.params.id }));
export const app: express.Express = express().use(express.json(), express.static('public'), router, upstream.json());
app.use((error: unknown, req: express.Request, res: express.Response, _next: NextFunction) => {
  res.status(500).send(req.path + String(error));
});
export const server: http.Server = createServer((req: IncomingMessage, res: ServerResponse) => void res.end(req.url));
`;
const express4 = `
import express, { Router, type NextFunction, type Request, type Response } from 'fulmar/express4';
const router: express.Router = Router();
router.get('/birds/:id', (req: Request<{ id: string }>, res: Response) => void res.json({ id: req.param('id') }));
export const app: express.Express = express().use(express.json(), express.static('public'), express.query({}), router);
app.use((error: unknown, req: express.Request, res: express.Response, _next: NextFunction) => void res.send(req.path + String(error)));
`;
const koa = (name: string, work: string): string => `
import Koa, { type Context, HttpError, type Next } from 'fulmar/${name}';
export const app: Koa = new Koa();
app.use(async (ctx: Koa.Context, next: Next) => {
  await next();
  if (ctx.body instanceof HttpError) throw ctx.body;
});
app.use((ctx: Context) => ${work});
`;

const packages = { name: 'newcomer', private: true, type: 'module' };
const typescripts = ['5.4', '5.9', '6', '7'];
const oldestAndNewest = ['5.4', '7'];

describe('beside Express 5', () => {
  const files = {
    'app.ts': express5,
    'common.cts': "import express = require('fulmar/express'); export const app: express.Express = express();",
  };
  const own = `
import { createApp, HttpError, type Context, type StandardSchemaV1 } from 'fulmar';
import { basicAuth, cors, csrf, jwt, rateLimit, redisSessions, session, signedCookies, signJwt } from 'fulmar/middleware';
import type { JwtClaims, RateLimitStore, SessionStore } from 'fulmar/middleware';
import { fulmar as vitePlugin } from 'fulmar/vite';
const app = createApp({ bodyLimit: 1_000_000 });
app.use(async (c, next) => {
  await next();
  c.header('X-Path', c.path);
});
app.get('/users/:id/:tab?', (c) => {
  const id: string = c.params.id;
  const tab: string | undefined = c.params.tab;
  if (id === '') throw new HttpError(404);
  return { id, tab };
});
// @ts-expect-error The path has no such parameter.
app.get('/users/:id', (c) => c.params.name);
declare const bird: StandardSchemaV1<unknown, { name: string }>;
app.post('/birds/:id', { body: bird, response: { 201: bird } }, (c, next) => (c.query['dry'] === '' ? next() : c.body.json()), (c) => {
  const name: string = c.body.name;
  const id: string = c.params.id;
  return c.status(201).json({ name, id });
});
// @ts-expect-error What the schema makes of the content has no such member.
app.post('/birds', { body: bird }, (c) => c.body.age);
// @ts-expect-error A route has no such option.
app.post('/birds', { boddy: bird }, () => 1);
const store: RateLimitStore = { hit: (key, windowMs) => ({ count: key.length, resetMs: windowMs }) };
app.use(cors({ origin: [/[.]test$/] }), rateLimit({ max: 5, store, key: (c) => c.ip }));
app.get('/admin', basicAuth({ verify: (name: string) => name === 'ada' }), () => 'x');
// @ts-expect-error There is no such option.
app.use(cors({ orgin: '*' }));
declare const records: SessionStore;
const sessions = session<{ user: string }>({ secret: 'x', store: records });
app.use(csrf(), sessions);
app.post('/login/:name', { body: bird }, async (c) => {
  const visit = await sessions.of(c);
  await visit.regenerate();
  visit.data.user = c.body.name;
  // @ts-expect-error It is text.
  visit.data.user = 7;
  return visit.id;
});
const tokens = jwt({ secret: 'x', algorithms: ['HS256'] });
const named = jwt({ key: '-----BEGIN PUBLIC KEY-----', algorithms: ['RS256'], schema: bird });
app.get('/token', tokens, (c): JwtClaims => tokens.of(c));
app.get('/named', named, (c): string => named.of(c).name);
const signed = signedCookies({ secret: 'x' });
app.get('/signed', async (c) => (await signed.get(c, 'a')) ?? signJwt({}, { algorithm: 'HS256', secret: 'x', expiresIn: 60 }));
// @ts-expect-error A store is not made of an address.
session({ secret: 'x', store: redisSessions('redis://localhost') });
export const plugins: readonly { readonly name: string }[] = vitePlugin({ entry: 'server/app.ts', path: ['/api', '/rpc'] });
// @ts-expect-error There is no such option.
vitePlugin({ entry: 'server/app.ts', paht: '/api' });
export const method = (c: Context): string => c.method;
export const server = app.listen({ port: 0 });
`;
  const plain = {
    'own.ts': own,
    'own.cts': own,
    'plain.ts': "import { createServer, type Server } from 'fulmar/http'; export const server: Server = createServer();",
  };
  const folder = newProject({
    'package.json': packages,
    ...files,
    ...plain,
    'wrong.ts': "import express from 'fulmar/express'; express().nest();",
  });
  before(async () => {
    // The types of Node that TypeScript 5.4 still reads.
    await must(npm.install(folder, ['fulmar', 'express@5', '@types/express@5', '@types/node@20'], registry.url));
  });

  for (const typescript of typescripts) {
    it(`is clean for TypeScript ${typescript}`, async () => {
      assert.equal(await check(folder, typescript, [...Object.keys(files), ...Object.keys(plain)]), '');
    });
  }

  it('is no clean sheet for what is wrong', async () => {
    assert.match(await check(folder, '7', ['wrong.ts']), /wrong\.ts.*Property 'nest' does not exist/);
  });
});

describe('beside the older versions', () => {
  const files = { 'app.ts': express4, 'koa.ts': koa('koa2', "ctx.redirect('back', '/')") };
  const folder = newProject({ 'package.json': packages, ...files });
  before(async () => {
    await must(npm.install(folder, ['fulmar', '@types/express@4', '@types/koa@2', '@types/node@20'], registry.url));
  });

  for (const typescript of oldestAndNewest) {
    it(`has the types of Express 4 and Koa 2 for TypeScript ${typescript}`, async () => {
      assert.equal(await check(folder, typescript, Object.keys(files)), '');
    });
  }
});

describe('beside Koa 3', () => {
  const more =
    "import { createHttpError, isHttpError } from 'fulmar/koa'; export const error = createHttpError(404, 'gone'); if (isHttpError(error)) error.status += 1;";
  const files = { 'koa.ts': koa('koa', "ctx.back('/')"), 'errors.ts': more };
  const folder = newProject({ 'package.json': packages, ...files });
  before(async () => {
    await must(npm.install(folder, ['fulmar', 'koa@3', '@types/koa@3', '@types/node@20'], registry.url));
  });

  for (const typescript of oldestAndNewest) {
    it(`has its types for TypeScript ${typescript}`, async () => {
      assert.equal(await check(folder, typescript, Object.keys(files)), '');
    });
  }
});
