/**
 * `fulmar run` of a module that only exports its application: what is served, where, and what is not.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Files, freePort, fulmar, start, writeProject } from './support.ts';

const SERVING = /fulmar: serving (.*) that it exports on http:\/\/([^\s]*):(\d+)\n/;
const byFetch = `{ fetch(request) { return new Response('hi ' + new URL(request.url).pathname + ' ' + request.headers.get('host').split(':')[0]); } }`;

async function ask(
  files: Files,
  entry: string,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Promise<string[]> {
  const run = start(writeProject(files), ['run', entry, ...args], { env: { PORT: '0', ...env } });
  const [, title, host, port] = await run.seen(SERVING);
  const text = await (await fetch(`http://127.0.0.1:${port}/bird`)).text();
  run.kill('SIGTERM');
  const { code } = await run.ended;
  assert.equal(code, 0);
  return [title as string, host as string, text];
}

describe('a module that exports', () => {
  const cases: readonly [name: string, file: string, text: string, title: string, reply: string][] = [
    ['an object with fetch', 'a.mjs', `export default ${byFetch};`, 'fetch()', 'hi /bird 127.0.0.1'],
    ['such an object, in CommonJS', 'a.cjs', `module.exports = ${byFetch};`, 'fetch()', 'hi /bird 127.0.0.1'],
    [
      'such an object, in TypeScript',
      'a.ts',
      `const app: { fetch(request: Request): Response } = ${byFetch};\nexport default app;`,
      'fetch()',
      'hi /bird 127.0.0.1',
    ],
    [
      'behind an await',
      'a.mjs',
      `await new Promise((resolve) => setTimeout(resolve, 20));\nexport default ${byFetch};`,
      'fetch()',
      'hi /bird 127.0.0.1',
    ],
    ['fetch by its name', 'a.mjs', `export async function fetch() { return new Response('named'); }`, 'fetch()', 'named'],
    [
      'a function that is called fetch',
      'a.mjs',
      `export default function fetch() { return new Response('function'); }`,
      'fetch()',
      'function',
    ],
    [
      'an Express application',
      'a.cjs',
      `const app = require('express')(); app.get('/bird', (req, res) => res.send('express')); module.exports = app;`,
      'the Express application',
      'express',
    ],
    [
      'a Koa application',
      'a.cjs',
      `const Koa = require('koa'); const app = new Koa(); app.use((ctx) => { ctx.body = 'koa'; }); module.exports = app;`,
      'the Koa application',
      'koa',
    ],
    [
      'an object like Hono’s, which needs itself',
      'a.mjs',
      `class App { #said = 'own'; fetch() { return new Response(this.#said); } }\nexport default new App();`,
      'fetch()',
      'own',
    ],
  ];
  for (const [name, file, text, title, reply] of cases) {
    it(name, async () => assert.deepEqual(await ask({ [file]: text }, file), [title, 'localhost', reply]));
  }

  it('its port and host', async () => {
    const got = await ask({ 'a.mjs': `export default { ...${byFetch}, port: 0, hostname: '127.0.0.1' };` }, 'a.mjs', { env: { PORT: '' } });
    assert.deepEqual(got, ['fetch()', '127.0.0.1', 'hi /bird 127.0.0.1']);
  });

  it('takes --port behind the file, before PORT and its own', async () => {
    const files = { 'a.mjs': `export default { ...${byFetch}, port: 1 };` };
    assert.equal((await ask(files, 'a.mjs', { args: ['--port', '0'], env: { PORT: '2' } }))[0], 'fetch()');
    assert.equal((await ask(files, 'a.mjs', { args: ['--port=0'], env: { PORT: '2' } }))[0], 'fetch()');
  });

  it('is run once', async () => {
    const run = start(writeProject({ 'a.ts': `console.log('RUN');\nexport default ${byFetch};` }), ['run', 'a.ts'], { env: { PORT: '0' } });
    await run.seen(SERVING);
    run.kill('SIGTERM');
    assert.equal((await run.ended).stdout, 'RUN\n');
  });

  it('is served by workers', async () => {
    const folder = writeProject({ 'a.mjs': `export default { ...${byFetch}, hostname: '127.0.0.1' };\nconsole.log('UP');` });
    const port = await freePort();
    const run = start(folder, ['run', '--workers', '2', 'a.mjs'], { env: { PORT: String(port) } });
    await run.seen(/UP[\s\S]*UP/);
    let text = '';
    for (let tries = 0; text === '' && tries < 100; tries += 1) {
      text = await fetch(`http://127.0.0.1:${port}/bird`).then(
        (reply) => reply.text(),
        () => new Promise((resolve) => setTimeout(resolve, 20, '')),
      );
    }
    assert.equal(text, 'hi /bird 127.0.0.1');
    run.kill('SIGTERM');
    assert.equal((await run.ended).code, 0);
  });

  it('is told what is wrong with its port', async () => {
    const { code, stderr } = await fulmar(writeProject({ 'a.mjs': `export default ${byFetch};` }), ['run', 'a.mjs', '--port', 'x']);
    assert.equal(code, 1);
    assert.match(stderr, /--port is a port, 0 to 65535, and this is "x"/);
  });
});

describe('a module that is left alone', () => {
  const ends: readonly [name: string, file: string, text: string][] = [
    ['exports nothing', 'a.mjs', `console.log('done');`],
    ['exports a function', 'a.mjs', `export default function main() {}\nconsole.log('done');`],
    ['exports a function of two', 'a.cjs', `module.exports = (req, res) => res.end(); console.log('done');`],
    ['exports an object', 'a.cjs', `module.exports = { port: 3000, listen() {} }; console.log('done');`],
    ['exports a text', 'a.mjs', `export default 'fetch';\nconsole.log('done');`],
  ];
  for (const [name, file, text] of ends) {
    it(`ends when it ${name}`, async () => {
      const { code, stdout, stderr } = await fulmar(writeProject({ [file]: text }), ['run', file]);
      assert.deepEqual([code, stdout, stderr], [0, 'done\n', '']);
    });
  }

  const listens: readonly [name: string, file: string, text: string][] = [
    [
      'an Express application that listens',
      'a.cjs',
      `const app = require('express')(); app.listen(0, function () { console.log('PORT ' + this.address().port); }); module.exports = app;`,
    ],
    [
      'one that listens later',
      'a.cjs',
      `const app = require('express')(); setTimeout(() => app.listen(0, function () { console.log('PORT ' + this.address().port); }), 50); module.exports = app;`,
    ],
    [
      'fetch beside a server',
      'a.mjs',
      `import { createServer } from 'node:http'; const server = createServer((req, res) => res.end('x')).listen(0, 'localhost', () => console.log('PORT ' + server.address().port)); export default ${byFetch};`,
    ],
  ];
  for (const [name, file, text] of listens) {
    it(`${name} is not listened to twice`, async () => {
      const run = start(writeProject({ [file]: text }), ['run', file], { env: { PORT: '0' } });
      await fetch(`http://127.0.0.1:${await run.port()}/`).then((reply) => reply.text());
      run.kill('SIGTERM');
      const { stderr } = await run.ended;
      assert.doesNotMatch(stderr, /serving/);
    });
  }

  it('throws as it did', async () => {
    const { code, stderr } = await fulmar(writeProject({ 'a.mjs': `export default ${byFetch};\nthrow new Error('of its own');` }), [
      'run',
      'a.mjs',
    ]);
    assert.equal(code, 1);
    assert.equal(stderr.match(/of its own/g)?.length ?? 0, stderr.includes('throw new Error') ? 2 : 1);
  });
});
