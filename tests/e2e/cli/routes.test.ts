/** `fulmar routes` lists what an application registers, lets it not listen, and leaves nothing behind. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Ended, type Files, fulmar, start, writeProject } from './support.ts';

const modules = resolve(fileURLToPath(import.meta.url), '../../../../node_modules');

function project(files: Files): string {
  const folder = writeProject(files);
  symlinkSync(modules, join(folder, 'node_modules'));
  return folder;
}

interface Report {
  readonly isComplete: boolean;
  readonly target: string;
  readonly routes: readonly {
    method: string;
    path: string;
    style: string;
    handler: string;
    place: string | null;
    schemas: string[];
    middleware: string[];
  }[];
}

const lines = ({ stdout }: Ended): string[] =>
  stdout
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' | '))
    .slice(0, -1);

async function reportOf(folder: string, args: readonly string[]): Promise<Report> {
  const { stdout, stderr } = await fulmar(folder, ['routes', '--json', ...args]);
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as Report;
}

const typed = `import { createApp } from 'fulmar';
import { basicAuth } from 'fulmar/middleware';
import { z } from 'zod';
import express from 'express';

interface Bird { id: number }
const app = createApp();
app.get('/birds/:id', { params: z.object({ id: z.coerce.number() }), response: z.object({ id: z.number() }) },
  basicAuth({ users: { a: 'b' } }),
  function showBird(c): Bird { return { id: c.params.id }; });
const shop = express();
shop.use(express.json());
shop.get('/cart', function cart(_req: any, res: any) { res.json({}); });
app.mount('/shop', shop);
const server = await app.listen(3000);
console.log('at', server.url);
app.post('/late', () => 1);
`;

describe('fulmar routes', () => {
  it('lists those of controllers where their methods stand', async () => {
    const folder = project({
      'tsconfig.json': '{"compilerOptions":{"experimentalDecorators":true,"emitDecoratorMetadata":true}}',
      'main.ts': `import { Controller, createApplication, Get, Post } from 'fulmar/controllers';
@Controller('cats')
class CatsController {
  @Get(':id')
  one() {}

  @Post()
  add() {}
}
void createApplication({ controllers: [CatsController] }).then((app) => app.listen(0));
`,
    });
    const { routes } = await reportOf(folder, ['main.ts']);
    assert.deepEqual(
      routes.map(({ method, path, handler, place }) => [method, path, handler, place?.replace(/^.*[\\/]/, '')]),
      [
        ['GET', '/cats/:id', 'CatsController.one', 'main.ts:5'],
        ['POST', '/cats', 'CatsController.add', 'main.ts:8'],
      ],
    );
  });

  it('prints a table of a TypeScript application, with what is registered behind listen()', async () => {
    const ended = await fulmar(project({ 'app.ts': typed, 'package.json': '{"type":"module"}' }), ['routes', 'app.ts']);
    assert.deepEqual([ended.code, ended.stderr], [0, '']);
    assert.deepEqual(lines(ended), [
      'METHOD | PATH | STYLE | HANDLER | SCHEMAS | MIDDLEWARE | PLACE',
      'GET | /birds/:id | app | showBird | params response | basicAuth | app.ts:8',
      'GET | /shop/cart | express | cart | jsonParser | app.ts:13',
      'POST | /late | app | – | app.ts:17',
    ]);
  });

  it('reads Express, Koa and plain listeners, and the place of their handlers', async () => {
    const folder = project({
      'server.cjs': `const express = require('express');
const app = express();
const users = express.Router();
users.get('/:id', function one(req, res) {});
app.use('/users', function guard(req, res, next) { next(); }, users);
const Koa = require('koa');
const Router = require('@koa/router').default ?? require('@koa/router');
const koa = new Koa();
const router = new Router({ prefix: '/api' });
router.put('/x', async function putX(ctx) {});
koa.use(router.routes());
app.listen(8080, () => app.get('/late', function late(req, res) {}));
koa.listen({ port: 0 });
require('http').createServer(function plain(req, res) {}).listen('/nowhere/x.sock');
`,
    });
    const { isComplete, target, routes } = await reportOf(folder, []);
    assert.deepEqual([isComplete, target], [true, 'server.cjs']);
    assert.deepEqual(
      routes.map(({ method, path, style, handler, middleware, place }) => [method, path, style, handler, middleware.join(), place]),
      [
        ['GET', '/users/:id', 'express', 'one', 'guard', 'server.cjs:4'],
        ['GET', '/late', 'express', 'late', 'guard', 'server.cjs:12'],
        ['PUT', '/api/x', 'koa', 'putX', '', 'server.cjs:10'],
        ['*', '/*', 'http', 'plain', '', 'server.cjs:14'],
      ],
    );
  });

  it('filters by method and path', async () => {
    const folder = project({
      'app.cjs': `const app = require('express')();
for (const path of ['/a', '/b']) app.get(path, () => {}).post(path, () => {});
app.all('/b/all', () => {});
app.listen(1);`,
    });
    const paths = async (...args: string[]): Promise<string[]> =>
      (await reportOf(folder, ['app.cjs', ...args])).routes.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(await paths('--method', 'post'), ['POST /a', 'POST /b', '* /b/all']);
    assert.deepEqual(await paths('-X', 'GET', '--path', '/b'), ['GET /b', '* /b/all']);
    const none = await fulmar(folder, ['routes', 'app.cjs', '--path', '/zzz']);
    assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', 'fulmar: none of 5 routes is like that\n']);
  });

  it('binds no port: one in use does not matter', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => taken.once('listening', done));
    const { port } = taken.address() as AddressInfo;
    try {
      const folder = project({
        'app.cjs': `const app = require('express')();
app.get('/', () => {});
const server = app.listen(${port}, '127.0.0.1', () => console.error(JSON.stringify(server.address())));`,
      });
      const { code, stdout } = await fulmar(folder, ['routes', 'app.cjs']);
      assert.equal(code, 0);
      assert.match(stdout, /GET +\/ +express/);
    } finally {
      taken.close();
    }
  });

  it('lists an application that is exported and does not listen, and says when there is nothing', async () => {
    const folder = project({
      'app.mjs': `import { createApp } from 'fulmar';\nexport default createApp().get('/', () => 1);`,
      'none.mjs': `export {};`,
    });
    assert.deepEqual(
      (await reportOf(folder, ['app.mjs'])).routes.map(({ path }) => path),
      ['/'],
    );
    const none = await fulmar(folder, ['routes', 'none.mjs']);
    assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', 'fulmar: no route was found\n']);
  });

  it('lists an application that nothing holds any more', async () => {
    const folder = project({
      'app.mjs': `import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApp } from 'fulmar';
createApp().get('/gone', () => 1);
setFlagsFromString('--expose-gc');
await new Promise(setImmediate);
runInNewContext('gc')();`,
    });
    assert.deepEqual(
      (await reportOf(folder, ['app.mjs'])).routes.map(({ path }) => path),
      ['/gone'],
    );
  });

  it('lists what was registered in time where an application waits for its database', async () => {
    const folder = project({
      'app.mjs': `import express from 'express';
const app = express();
app.get('/before', () => {});
console.log('connecting to the database');
setInterval(() => {}, 1000);
await new Promise(() => {});
app.get('/after', () => {});`,
    });
    const { code, stdout, stderr } = await fulmar(folder, ['routes', 'app.mjs', '--start-timeout', '1.5']);
    assert.equal(code, 1);
    assert.match(stdout, /GET +\/before/);
    assert.doesNotMatch(stdout, /after/);
    assert.match(
      stderr,
      /^fulmar: the application did not want to listen within 1\.5 s; it may wait for a database\. Routes .* are listed\./,
    );
    assert.match(stderr, /connecting to the database/);
    assert.equal((await reportOf(folder, ['app.mjs', '--start-timeout', '1.5'])).isComplete, false);
  });

  it('lists what was registered before an error, and shows that', async () => {
    const folder = project({
      'app.cjs': `const app = require('express')();
app.get('/before', () => {});
setTimeout(() => { throw new Error('no database'); }, 1);
setInterval(() => {}, 1000);`,
      'exits.cjs': `require('express')().get('/', () => {});\nprocess.exit(3);`,
    });
    const thrown = await fulmar(folder, ['routes', 'app.cjs']);
    assert.equal(thrown.code, 1);
    assert.match(thrown.stdout, /GET +\/before/);
    assert.match(thrown.stderr, /^fulmar: the application ended before it listened \(exit code 1\)\.[^]*Error: no database/);
    const exited = await fulmar(folder, ['routes', 'exits.cjs']);
    assert.equal(exited.code, 1);
    assert.match(exited.stderr, /\(exit code 3\)\. .* It printed nothing\.\n$/);
  });

  it('gives up on one that is busy for ever', async () => {
    const folder = project({ 'app.cjs': `require('express')().get('/', () => {});\nfor (;;);` });
    const { code, stderr } = await fulmar(folder, ['routes', 'app.cjs', '--start-timeout', '0.2']);
    assert.equal(code, 1);
    assert.match(stderr, /^fulmar: the application did nothing more within 0\.2 s and cannot be asked/);
  });

  it('asks the workers of a cluster, whose primary has no routes', async () => {
    const folder = project({
      'app.cjs': `const cluster = require('node:cluster');
if (cluster.isPrimary) { cluster.fork(); cluster.fork(); }
else require('express')().get('/worker', () => {}).listen(1);`,
    });
    assert.deepEqual(
      (await reportOf(folder, ['app.cjs'])).routes.map(({ path }) => path),
      ['/worker'],
    );
  });

  it('gives the application its arguments and its environment', async () => {
    const folder = project({
      'app.cjs': `const app = require('express')();
app.get('/' + process.argv[2] + '/' + process.env.FROM_FILE, () => {});
app.listen(1);`,
      '.env': 'FROM_FILE=yes\n',
    });
    assert.deepEqual(
      (await reportOf(folder, ['app.cjs', '--env-file', '.env', '--', 'given'])).routes.map(({ path }) => path),
      ['/given/yes'],
    );
  });

  it('leaves no process and no file behind, also when it is ended', async () => {
    const folder = project({
      'app.cjs': `const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
require('node:fs').writeFileSync('pids', process.pid + ' ' + child.pid);
setInterval(() => {}, 1000);`,
    });
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('fulmar-routes-'));
    const running = start(folder, ['routes', 'app.cjs', '--start-timeout', '60']);
    const told = join(folder, 'pids');
    // It is there before it is written.
    await until(() => existsSync(told) && readFileSync(told, 'utf8') !== '');
    const pids = readFileSync(told, 'utf8').split(' ').map(Number);
    running.kill('SIGTERM');
    assert.equal((await running.ended).code, 143);
    await until(() => pids.every((pid) => !isAlive(pid)));
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('fulmar-routes-') && !before.includes(name));
    assert.deepEqual(
      after.filter((name) => readdirSync(join(tmpdir(), name)).length > 0),
      [],
    );
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Looks until it is so; the runner's own patience ends a test that waits in vain. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 10));
}

describe('fulmar routes --openapi', () => {
  it('prints the document of the first app, named after the package', async () => {
    const folder = project({ 'app.ts': typed, 'package.json': '{"type":"module","name":"birds","version":"2.1.0"}' });
    const { code, stdout, stderr } = await fulmar(folder, ['routes', 'app.ts', '--openapi']);
    assert.deepEqual([code, stderr], [0, '']);
    const document = JSON.parse(stdout) as { openapi: string; info: object; paths: Record<string, { get?: { operationId: string } }> };
    assert.deepEqual([document.openapi, document.info], ['3.1.1', { title: 'birds', version: '2.1.0' }]);
    assert.deepEqual(Object.keys(document.paths), ['/birds/{id}', '/shop/cart', '/late']);
  });

  it('prints the document that the application serves', async () => {
    const folder = project({
      'app.mjs': `import { createApp } from 'fulmar';
import { serveOpenapi } from 'fulmar/openapi';
const app = createApp().get('/', () => 1);
serveOpenapi(app, { info: { title: 'Served', version: '9' }, servers: [{ url: 'https://birds.example' }] });
app.listen();`,
    });
    const { stdout } = await fulmar(folder, ['routes', '--openapi', 'app.mjs']);
    const { info, servers } = JSON.parse(stdout) as { info: object; servers: object };
    assert.deepEqual([info, servers], [{ title: 'Served', version: '9' }, [{ url: 'https://birds.example' }]]);
  });

  it('says why there is none', async () => {
    const folder = project({
      'express.cjs': `require('express')().get('/', () => {}).listen(1);`,
      'schema.mjs': `import { createApp } from 'fulmar';
const body = { '~standard': { version: 1, vendor: 'mine', validate: (value) => ({ value }) } };
createApp().post('/x', { body }, () => 1);`,
    });
    const none = await fulmar(folder, ['routes', '--openapi', 'express.cjs']);
    assert.deepEqual([none.code, none.stdout], [1, '']);
    assert.match(none.stderr, /^fulmar: there is no document of this application: it makes no app of fulmar; .*mounted/);
    const schema = await fulmar(folder, ['routes', '--openapi', 'schema.mjs']);
    assert.match(schema.stderr, /The schema of body of POST \/x \(.*schema\.mjs:3\) is one of mine, .* toJsonSchema\(schema, side\)/);
  });
});
