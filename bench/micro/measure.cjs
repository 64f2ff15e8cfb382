/**
 * One round of one program: CPU nanoseconds per request on standard output.
 * `node measure.cjs <dist folder> <program>`.
 */
'use strict';
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { runInThisContext } = require('node:vm');

const [dist, program] = process.argv.slice(2);
const BATCH = 64;
const WARM_BATCHES = 3_000;
const BATCHES = 6_000;
const EVENT_WORDS = 16;
const PARTS = 4;

/**
 * An engine without sockets: what the JavaScript side shares with it is there, and what it is told is
 * dropped.
 */
function fakeEngine() {
  const control = new ArrayBuffer(4 * 64);
  const words = new Uint32Array(control);
  const events = new ArrayBuffer(4 * 16 * 576);
  const commands = new ArrayBuffer(4 * 12 * 512);
  const arena = new ArrayBuffer(256 * 1024);
  const state = { words, events: new Uint32Array(events), slab: Buffer.alloc(0), run: undefined, replies: 0 };
  const members = {
    setup(receiver, onBatch) {
      state.run = (count, slabBytes) => onBatch.call(receiver, count, slabBytes);
      return [control, events, commands, arena];
    },
    setSlab: (slab) => void (state.slab = slab),
    collect() {
      state.replies += words[1];
      words[1] = 0;
      words[2] = 0;
    },
    tellAwaited: () => void (words[3] = 0),
    settle: undefined,
    reportUncaught: () => undefined,
    listen: () => [0, 1],
    listenerAddress: () => ['127.0.0.1', 80, 'IPv4'],
    methods: () => ['GET', 'POST'],
    rejectReasons: () => [],
  };
  state.binding = new Proxy(members, { get: (target, name) => (name in target ? target[name] : () => 0) });
  return state;
}

const load = (name) => require(join(dist, `${name}.cjs`));
const users = (id) => ({ id, page: '2', sort: 'name' });

const handlers = {
  'http-text': () => load('http').createServer((req, res) => res.end('Hello, World!')),
  'http-fields': () =>
    load('http').createServer((req, res) => {
      res.setHeader('Content-Type', 'application/json; charset=utf-8');
      res.setHeader('X-Powered-By', 'Fulmar');
      res.setHeader('Cache-Control', 'no-store');
      res.end('{"message":"Hello, World!"}');
    }),
  'express-text': () => express((app) => app.get('/', (req, res) => res.send('Hello, World!'))),
  'express-json': () => express((app) => app.get('/', (req, res) => res.json({ message: 'Hello, World!' }))),
  'express-params': () => express((app) => app.get('/users/:id', (req, res) => res.json(users(req.params.id)))),
  'express-chain': () =>
    express((app) => {
      for (let i = 0; i < 5; i += 1) {
        app.use((req, res, next) => {
          req.visited = (req.visited ?? 0) + 1;
          next();
        });
      }
      app.get('/', (req, res) => res.json({ visited: req.visited }));
    }),
  'koa-json': () => {
    const Koa = load('koa');
    const app = new (Koa.default ?? Koa)();
    app.use((ctx) => {
      ctx.body = { message: 'Hello, World!' };
    });
    return load('http').createServer(app.callback());
  },
  'app-json': () => typed((app) => app.get('/', () => ({ message: 'Hello, World!' }))),
  'app-reply': () => typed((app) => app.get('/', (c) => c.json({ message: 'Hello, World!' }))),
  'app-params': () => typed((app) => app.get('/users/:id', (c) => users(c.params.id))),
  'app-chain': () =>
    typed((app) => {
      for (let i = 0; i < 5; i += 1) {
        app.use((c, next) => {
          c.state.visited = (c.state.visited ?? 0) + 1;
          return next();
        });
      }
      app.get('/', (c) => ({ visited: c.state.visited }));
    }),
  'app-post': () => typed((app) => app.post('/', async (c) => ({ id: 7, ...(await c.body.json()) }))),
  'app-post-schema': () =>
    typed((app) => app.post('/', { body: schema(POSTED), response: schema({ id: INTEGER, ...POSTED }) }, (c) => ({ id: 7, ...c.body }))),
  'app-list': () => typed((app) => app.get('/', () => LIST)),
  'app-list-schema': () =>
    typed((app) => app.get('/', { response: { type: 'array', items: schema({ id: INTEGER, ...POSTED }) } }, () => LIST)),
  'app-post-types': () => typed((app) => app.post('/', { body: compiled().user, response: compiled().user }, (c) => c.body)),
  'app-post-type': () => typed((app) => app.post('/', { body: compiled().user }, (c) => ({ id: c.body.id }))),
  'app-post-untyped': () => typed((app) => app.post('/', async (c) => ({ id: (await c.body.json()).id }))),
  'rpc-double': () => compiled().api,
  'rpc-update': () => compiled().api,
  'rpc-update-typed': () => compiled().api,
  'controllers-json': () => controllers((n, decorate) => decorate([n.Get()], () => ({ message: 'Hello, World!' }))),
  'controllers-params': () => controllers((n, decorate) => decorate([n.Get('users/:id'), [n.Param('id')]], (id) => users(id))),
  'controllers-post': () => controllers((n, decorate) => decorate([n.Post(), [n.Body()], n.HttpCode(200)], (body) => ({ id: 7, ...body }))),
  // A guard that looks at a field and metadata, an interceptor, a pipe: all of them synchronous.
  'controllers-guarded': () =>
    controllers((n, decorate) =>
      decorate(
        [
          n.Get('users/:id'),
          [n.Param('id', { transform: (value) => Number(value) })],
          n.SetMetadata('roles', ['user']),
          n.UseGuards({ canActivate: (context) => new n.Reflector().get('roles', context.getHandler()).includes('user') }),
          n.UseInterceptors({ intercept: (_context, next) => next().then((data) => ({ data })) }),
        ],
        (id) => ({ id }),
      ),
    ),
};

/** What the tree's own compiler makes of `rpc-api.ts`, running with the tree's own bundles. */
function compiled() {
  const file = join(__dirname, 'rpc-api.ts');
  const { compile } = require(join(dist, '..', '..', 'compiler', 'dist', 'index.cjs'));
  const { code } = compile(file, readFileSync(file, 'utf8'), null);
  const ts = createRequire(join(dist, '..', '..', 'compiler', 'package.json'))('typescript');
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } });
  const module = { exports: {} };
  const ofTree = (name) => load(name.replace('fulmar/', ''));
  runInThisContext(`(function (module, exports, require) { ${outputText}\n})`)(module, module.exports, ofTree);
  return module.exports;
}

const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };
const POSTED = {
  name: { type: 'string', minLength: 1, maxLength: 80 },
  email: { type: 'string', format: 'email' },
  age: { type: 'integer', minimum: 0 },
  active: { type: 'boolean' },
  createdAt: { type: 'string', format: 'date-time' },
  tags: { type: 'array', items: TEXT, maxItems: 8 },
};
const user = (at) => ({
  name: `Name of ${at}`,
  email: `user${at}@example.com`,
  age: 20 + at,
  active: at % 2 === 0,
  createdAt: '2026-01-02T03:04:05.678Z',
  tags: ['one', 'two'],
});
const LIST = Array.from({ length: 10 }, (_, at) => ({ id: at, ...user(at) }));
const schema = (properties) => ({ type: 'object', required: Object.keys(properties), additionalProperties: false, properties });
const UPDATED = { id: 17, name: 'Ada', surname: 'Lovelace', lastUpdate: '2026-01-02T03:04:05.678Z' };
/** What each program is sent; the others are asked by GET. A client that knows no types says what is a date. */
const BODIES = {
  'app-post': user(1),
  'app-post-schema': user(1),
  'app-post-types': UPDATED,
  'app-post-type': UPDATED,
  'app-post-untyped': UPDATED,
  'controllers-post': user(1),
  'rpc-double': { rpc: 1, params: [21] },
  'rpc-update': { rpc: 1, params: [UPDATED], as: { '*': { lastUpdate: 'date' } } },
  'rpc-update-typed': { rpc: 1, params: [UPDATED] },
};
const TARGETS = { 'rpc-double': '/double', 'rpc-update': '/updateUser', 'rpc-update-typed': '/updateUser' };
const isPost = program in BODIES;
const FIELD = 'content-type: application/json\r\n';
const BODY = isPost ? JSON.stringify(BODIES[program]) : '';

function typed(set) {
  const app = load('app').createApp();
  set(app);
  return app;
}

/** One controller with one method; lists among its decorators are those of its parameters. */
async function controllers(set) {
  const n = load('controllers');
  class Root {}
  set(n, (decorators, method) => {
    Object.defineProperty(Root.prototype, 'show', { value: method, configurable: true, writable: true });
    for (const [index, one] of decorators.filter(Array.isArray).flat().entries()) one(Root.prototype, 'show', index);
    const descriptor = Object.getOwnPropertyDescriptor(Root.prototype, 'show');
    for (const one of decorators.toReversed()) if (!Array.isArray(one)) one(Root.prototype, 'show', descriptor);
  });
  n.Controller()(Root);
  return n.createApplication({ controllers: [Root] });
}

function express(set) {
  const make = load('express');
  const app = (make.default ?? make)();
  set(app);
  return load('http').createServer(app);
}

/** What the engine writes beside a head: where head and content are, and a table of the one field. Its offset. */
function writeRecord(slab, lineLength) {
  const record = (lineLength + FIELD.length + BODY.length + 3) & ~3;
  const [name, value] = FIELD.trimEnd().split(': ');
  const contentAt = lineLength + FIELD.length;
  const table = [lineLength, name.length, lineLength + name.length + 2, value.length];
  new Uint32Array(slab.buffer, slab.byteOffset + record).set([0, contentAt, contentAt, BODY.length, 1, ...table]);
  return record;
}

/** So many events of requests for `target`, in the slab that is current. */
function fill(state, target, generation) {
  const { events, slab } = state;
  const line = `${isPost ? 'POST' : 'GET'} ${target} HTTP/1.1\r\n`;
  const text = isPost ? line + FIELD + BODY : line;
  slab.latin1Write(text, 0, text.length);
  const record = isPost ? writeRecord(slab, line.length) : 0;
  for (let i = 0; i < BATCH; i += 1) {
    const at = i * EVENT_WORDS;
    events.fill(0, at, at + EVENT_WORDS);
    // A request of HTTP/1.1 that keeps its connection; with a method and with all of its content.
    events[at] = 1 | (3 << 16) | (isPost ? (1 << 8) | (64 << 16) : 0);
    events[at + 1] = i;
    events[at + 2] = generation;
    events[at + 3] = 0;
    events[at + 5] = line.length;
    events[at + 6] = isPost ? 5 : 4;
    events[at + 7] = target.length;
    events[at + 8] = record;
    events[at + 11] = BODY.length;
    events[at + 14] = i;
    events[at + 15] = 1;
  }
  state.words[0] = 0;
}

/** One batch, and the turn of the loop behind it. */
async function batch(state, target, generation, slabBytes) {
  fill(state, target, generation);
  while (state.words[0] < BATCH) state.run(BATCH, slabBytes);
  if (program.startsWith('koa')) await undefined;
  if (program === 'app-chain' || program === 'controllers-guarded' || isPost) await new Promise(setImmediate);
  state.binding.collect();
}

async function main() {
  const state = fakeEngine();
  globalThis[Symbol.for('fulmar.engine')] = () => state.binding;
  const server = await handlers[program]();
  await server.listen(80);
  await new Promise(setImmediate);
  const target = /-(?:params|guarded)$/.test(program) ? '/users/42?page=2&sort=name' : (TARGETS[program] ?? '/');
  let generation = 1;
  const run = async (batches) => {
    for (let i = 0; i < batches; i += 1) {
      generation += 1;
      // A slab is full after some hundred requests.
      await batch(state, target, generation, i % 6 === 0 ? 1 : 0);
      if (i % 64 === 0) await new Promise(setImmediate);
    }
  };
  await run(WARM_BATCHES);
  const times = [];
  for (let part = 0; part < PARTS; part += 1) {
    globalThis.gc();
    state.replies = 0;
    const before = process.cpuUsage();
    await run(BATCHES / PARTS);
    const { user, system } = process.cpuUsage(before);
    const expected = (BATCHES / PARTS) * BATCH;
    if (state.replies !== expected) throw new Error(`expected ${expected} replies, found ${state.replies}`);
    times.push(((user + system) * 1_000) / expected);
  }
  console.log(Math.min(...times));
  process.exit();
}

void main();
