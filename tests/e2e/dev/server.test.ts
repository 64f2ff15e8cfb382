/** Files that make a server of their own under `fulmar dev`: they run again, and what is open stays. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { startDev } from './support.ts';

const esm = JSON.stringify({ type: 'module' });
const word = (text: string): string => `export const word: string = '${text}';\n`;

test('express: the session, the port and the connection stay while a module three levels below changes', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': '{}',
      'server.ts': `import express from 'express';
import session from 'express-session';
import { router } from './routes';
const app = express();
app.use(session({ secret: 'secret', resave: false, saveUninitialized: true }));
app.use(router());
process.on('SIGUSR2', () => {});
app.listen(process.env.PORT);
`,
      'routes.ts': `import { Router } from 'express';
import { phrase } from './phrase';
export const router = () =>
  Router()
    .get('/', (req, res) => void res.send(\`\${phrase()} \${(req.session.n = (req.session.n ?? 0) + 1)}\`))
    .get('/listeners', (req, res) => void res.send(String(process.listenerCount('SIGUSR2'))))
    .get('/slow', (req, res) => { res.write('old '); globalThis.finish = () => res.end(phrase()); })
    .get('/finish', (req, res) => { globalThis.finish(); res.send('finished'); });
`,
      'phrase.ts': `import { word } from './word';\nexport const phrase = () => word;\n`,
      'word.ts': word('one'),
    },
    { args: ['server.ts'], packages: true },
  );
  const first = await dev.get('/');
  assert.equal(first.text, 'one 1');
  const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
  assert.equal((await dev.get('/', { cookie })).text, 'one 2');
  const slow = fetch(`http://127.0.0.1:${dev.port}/slow`);
  const { body } = await slow;
  assert.ok(body);
  dev.write('word.ts', word('two'));
  await dev.until('/', /^two/);
  const last = await dev.get('/', { cookie });
  assert.equal(last.text, 'two 3');
  assert.equal(last.localPort, first.localPort);
  assert.equal((await dev.get('/listeners')).text, '1');
  await dev.get('/finish');
  assert.equal(await new Response(body).text(), 'old one', 'a request in flight is answered by the code that began');
  await dev.stop('SIGINT');
});

test('koa, in CommonJS of JavaScript', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': '{}',
      'server.js': `const Koa = require('koa');\nconst { word } = require('./lib');\nconst app = new Koa();\napp.use((ctx) => void (ctx.body = word));\napp.listen(process.env.PORT);\n`,
      'lib/index.js': `exports.word = require('./word.js').word;\n`,
      'lib/word.js': `exports.word = 'one';\n`,
    },
    { args: ['server.js'] },
  );
  await dev.until('/', 'one');
  dev.write('lib/word.js', `exports.word = 'two';\n`);
  await dev.until('/', 'two');
  dev.write('lib/word.js', `exports.word = ;\n`);
  await dev.seen(/SyntaxError/);
  assert.equal((await dev.get('/')).text, 'two');
  dev.write('lib/word.js', `exports.word = 'three';\n`);
  await dev.until('/', 'three');
  await dev.stop();
});

test('the typed app: what it exports is served, its hooks of the end run, sessions and sockets are told apart', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': esm,
      'server.ts': `import { createApp } from 'fulmar';
import { memorySessions, session } from 'fulmar/middleware';
import { word } from './word.ts';
const app = createApp();
const sessions = session({ secret: 'x'.repeat(32), store: memorySessions() });
app.use(sessions);
app.get('/', () => word);
app.get('/count', async (c) => { const { data } = await sessions.of(c); data.n = (data.n ?? 0) + 1; return word + data.n; });
app.websocket('/ws', { open: (socket) => void socket.send(word) });
app.onStop(() => console.log('stopped', word));
export default app;
`,
      'word.ts': word('one'),
    },
    { args: ['server.ts'], packages: true },
  );
  await dev.until('/', 'one');
  const socket = new WebSocket(`ws://127.0.0.1:${dev.port}/ws`);
  const [message] = (await once(socket, 'message')) as [Buffer];
  assert.equal(message.toString(), 'one');
  const closed = once(socket, 'close');
  const first = await dev.get('/count');
  const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
  assert.equal(first.text, 'one1');
  dev.write('word.ts', word('two'));
  await dev.until('/', 'two');
  assert.equal(((await closed) as [number])[0], 1012);
  await dev.seen(/stopped one/);
  assert.equal((await dev.get('/count', { cookie })).text, 'two2');
  await dev.stop();
});

test('WebSockets of others are closed with 1012 as well', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': esm,
      'server.js': `import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { word } from './word.js';
const server = createServer((req, res) => res.end(word));
new WebSocketServer({ server }).on('connection', (socket) => socket.send(word));
server.listen(process.env.PORT);
`,
      'word.js': `export const word = 'one';\n`,
    },
    { args: ['server.js'], packages: true },
  );
  await dev.until('/', 'one');
  const socket = new WebSocket(`ws://127.0.0.1:${dev.port}/`);
  await once(socket, 'message');
  const closed = once(socket, 'close');
  dev.write('word.js', `export const word = 'two';\n`);
  await dev.until('/', 'two');
  assert.equal(((await closed) as [number])[0], 1012);
  const again = new WebSocket(`ws://127.0.0.1:${dev.port}/`);
  const [message] = (await once(again, 'message')) as [Buffer];
  assert.equal(message.toString(), 'two');
  again.terminate();
  await dev.stop();
});

test('ES modules and CommonJS that import each other', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': esm,
      'server.mts': `import { createServer } from 'node:http';
import common from './common.cjs';
import { kept } from './kept.mjs';
import data from './data.json' with { type: 'json' };
const { named } = await import('./named.mjs');
createServer((req, res) => res.end([common.word, named, data.word, kept.runs, import.meta.url.split('/').at(-1)].join(' '))).listen(process.env.PORT);
`,
      'common.cjs': `exports.word = require('./deep.cjs').word;\n`,
      'deep.cjs': `exports.word = 'deep1';\n`,
      'named.mjs': `import { word } from './inner.mjs';\nexport const named = word;\n`,
      'inner.mjs': `export const word = 'inner1';\n`,
      'kept.mjs': `export const kept = { runs: (globalThis.runs = (globalThis.runs ?? 0) + 1) };\n`,
      'data.json': '{ "word": "data1" }',
    },
    { args: ['server.mts'] },
  );
  await dev.until('/', 'deep1 inner1 data1 1 server.mts');
  dev.write('deep.cjs', `exports.word = 'deep2';\n`);
  await dev.until('/', 'deep2 inner1 data1 1 server.mts');
  dev.write('inner.mjs', `export const word = 'inner2';\n`);
  await dev.until('/', 'deep2 inner2 data1 1 server.mts');
  dev.write('data.json', '{ "word": "data2" }');
  await dev.until('/', 'deep2 inner2 data2 1 server.mts');
  await dev.stop();
});

test('an app of a folder within a server of its own', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': esm,
      'server.ts': `import { app } from './app.ts';\nawait app.listen(Number(process.env.PORT));\n`,
      'app.ts': `import { createRoutes } from 'fulmar/routes';\nexport const app = createRoutes({ dir: new URL('routes', import.meta.url) });\n`,
      'routes/index.ts': `export const GET = 'one';\n`,
    },
    { args: ['server.ts'], packages: true },
  );
  await dev.until('/', 'one');
  dev.write('routes/index.ts', `export const GET = 'two';\n`);
  await dev.until('/', 'two');
  dev.write('routes/new.ts', `export const GET = 'new';\n`);
  await dev.until('/new', 'new');
  await dev.stop();
});

test('controllers and RPC', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': '{}',
      'tsconfig.json': JSON.stringify({ compilerOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } }),
      'main.ts': `import { NestFactory } from 'fulmar/controllers';
import { AppModule } from './app.module';
void (async () => {
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(Number(process.env.PORT));
})();
`,
      'app.module.ts': `import { Controller, Get, Module } from 'fulmar/controllers';
import { AppService } from './app.service';
@Controller()
class AppController {
  constructor(private readonly service: AppService) {}
  @Get() get() { return this.service.word(); }
}
@Module({ controllers: [AppController], providers: [AppService] })
export class AppModule {}
`,
      'app.service.ts': `import { Injectable } from 'fulmar/controllers';\n@Injectable()\nexport class AppService { word() { return 'one'; } }\n`,
    },
    { args: ['main.ts'], packages: true },
  );
  await dev.until('/', 'one');
  dev.write(
    'app.service.ts',
    `import { Injectable } from 'fulmar/controllers';\n@Injectable()\nexport class AppService { word() { return 'two'; } }\n`,
  );
  await dev.until('/', 'two');
  await dev.stop();
});

test('what would end the process is shown, and it goes on', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': esm,
      'server.js': `import { createServer } from 'node:http';
import { word } from './word.js';
const does = {
  '/throw': () => { throw new Error('thrown later'); },
  '/reject': () => void Promise.reject(new Error('rejected later')),
  '/exit': () => process.exit(3),
};
createServer((req, res) => {
  res.end(word);
  if (does[req.url]) setTimeout(does[req.url], 1);
}).listen(process.env.PORT);
`,
      'word.js': `export const word = 'one';\n`,
    },
    { args: ['server.js'] },
  );
  await dev.get('/throw');
  await dev.seen(/thrown later/);
  await dev.get('/reject');
  await dev.seen(/rejected later/);
  await dev.get('/exit');
  await dev.seen(/asked to end with 3/);
  dev.write('word.js', `export const word = 'two';\n`);
  await dev.until('/', 'two');
  await dev.stop();
});

test('a server that moves to another port is there, and the one before it goes', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': esm,
      'server.js': `import { createServer } from 'node:http';\nimport { port } from './port.js';\ncreateServer((req, res) => res.end('here')).listen(port, '127.0.0.1', function () { console.log('PORT', this.address().port); });\n`,
      'port.js': `export const port = process.env.PORT;\n`,
    },
    { args: ['server.js'] },
  );
  await dev.until('/', 'here');
  dev.write('port.js', `export const port = 0;\n`);
  const [, moved] = await dev.seen(new RegExp(`PORT (?!${dev.port}\\b)(\\d+)`));
  assert.equal(await (await fetch(`http://127.0.0.1:${moved}/`)).text(), 'here');
  for (;;) {
    const isThere = await fetch(`http://127.0.0.1:${dev.port}/`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    );
    if (!isThere) break;
    await pause(20);
  }
  await dev.stop();
});

test('code that listens late does not take over from the code after it', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': esm,
      'server.js': `import { createServer } from 'node:http';
import { word, afterMs } from './word.js';
await new Promise((resume) => setTimeout(resume, afterMs));
createServer((req, res) => res.end(word)).listen(process.env.PORT, () => console.log('listens', word));
`,
      'word.js': `export const word = 'one', afterMs = 0;\n`,
    },
    { args: ['server.js'] },
  );
  await dev.until('/', 'one');
  dev.write('word.js', `export const word = 'late', afterMs = 600;\n`);
  await pause(200);
  dev.write('word.js', `export const word = 'newest', afterMs = 0;\n`);
  await dev.until('/', 'newest');
  await dev.seen(/listens newest/);
  await pause(600);
  assert.equal((await dev.get('/')).text, 'newest');
  await dev.stop();
});
