/**
 * Built applications that only export what they serve, and those that are left alone; the same for files and
 * executables.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fetchText, type Files } from '../cli/support.ts';
import { appProject } from './app-end-cases.ts';
import type { Kind } from './support.ts';

const SERVING = /^fulmar: serving (.*) that it exports on http:\/\/([^\s]*):(\d+)\n$/;
const byFetch = `{ fetch(request) { return new Response('hi ' + new URL(request.url).pathname); } }`;

const served: readonly [name: string, file: string, text: string, title: string, reply: string][] = [
  ['an object with fetch', 'a.mjs', `export default ${byFetch};`, 'fetch()', 'hi /bird'],
  ['such an object, in CommonJS', 'a.cjs', `module.exports = ${byFetch};`, 'fetch()', 'hi /bird'],
  [
    'such an object, in TypeScript',
    'a.ts',
    `const app: { fetch(r: Request): Response } = ${byFetch};\nexport default app;`,
    'fetch()',
    'hi /bird',
  ],
  ['behind an await', 'a.mjs', `await new Promise((done) => setTimeout(done, 20));\nexport default ${byFetch};`, 'fetch()', 'hi /bird'],
  ['fetch by its name', 'a.mjs', `export async function fetch() { return new Response('named'); }`, 'fetch()', 'named'],
  ['what another module exports', 'a.mjs', `export { default } from './b.mjs';`, 'fetch()', 'of b'],
  [
    'an object that needs itself',
    'a.mjs',
    `class App { #said = 'own'; fetch() { return new Response(this.#said); } }\nexport default new App();`,
    'fetch()',
    'own',
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
];

const alone: readonly [name: string, file: string, text: string][] = [
  ['exports nothing', 'a.mjs', `console.log('done');`],
  ['exports a function', 'a.mjs', `export default function main() {}\nconsole.log('done');`],
  ['exports a function of two, in CommonJS', 'a.cjs', `module.exports = (req, res) => res.end(); console.log('done');`],
  ['exports a text', 'a.mjs', `export default 'fetch';\nconsole.log('done');`],
  ['exports nothing and says so', 'a.mjs', `export {};\nconsole.log('done');`],
];

export function defineExported(kind: Kind): void {
  const ask = async (project: Files | string, entry: string, args: readonly string[] = [], env = {}): Promise<string[]> => {
    const run = kind.run(await kind.build(project, entry), args, { PORT: '0', ...env });
    const [, title, host, port] = await run.seen(new RegExp(SERVING, 'm'));
    const text = await fetchText(Number(port), '/bird');
    run.kill('SIGTERM');
    const { code, stderr } = await run.ended;
    assert.equal(code, 0, stderr);
    assert.match(stderr, SERVING);
    return [title as string, host as string, text];
  };

  for (const [name, file, text, title, reply] of served) {
    it(`serves ${name}`, async () => {
      const others = { 'b.mjs': `export default { fetch: () => new Response('of b') };` };
      assert.deepEqual(await ask({ [file]: text, ...others }, file), [title, 'localhost', reply]);
    });
  }

  it('serves an app, with its hooks', async () => {
    const project = appProject(`export default createApp().onStop(() => console.log('STOP app')).get('/bird', () => 'app');`);
    const run = kind.run(await kind.build(project, 'main.mjs'), [], { PORT: '0' });
    const [, title, , port] = await run.seen(new RegExp(SERVING, 'm'));
    assert.deepEqual([title, await fetchText(Number(port), '/bird')], ['the app', 'app']);
    run.kill('SIGTERM');
    const { code, stdout } = await run.ended;
    assert.deepEqual([code, stdout], [0, 'STOP app\n']);
  });

  it('takes --port before PORT before the port of the export, and its host', async () => {
    const files = { 'a.mjs': `export default { ...${byFetch}, port: 1, hostname: '127.0.0.1' };` };
    assert.deepEqual(await ask(files, 'a.mjs', ['--port', '0'], { PORT: '2' }), ['fetch()', '127.0.0.1', 'hi /bird']);
    assert.deepEqual(await ask(files, 'a.mjs'), ['fetch()', '127.0.0.1', 'hi /bird']);
    const own = { 'a.mjs': `export default { ...${byFetch}, port: 0 };` };
    assert.deepEqual(await ask(own, 'a.mjs', [], { PORT: '' }), ['fetch()', 'localhost', 'hi /bird']);
  });

  for (const [name, file, text] of alone) {
    it(`ends when it ${name}`, async () => {
      const { code, stdout, stderr } = await kind.run(await kind.build({ [file]: text }, file)).ended;
      assert.deepEqual([code, stdout, stderr], [0, 'done\n', '']);
    });
  }

  it('does not serve twice what listens', async () => {
    const listening = `app.listen(0, function () { console.log('PORT ' + this.address().port + ' '); })`;
    for (const begin of [`${listening};`, `setTimeout(() => ${listening}, 50);`]) {
      const text = `const app = require('express')(); ${begin} module.exports = app;`;
      const run = kind.run(await kind.build({ 'a.cjs': text }, 'a.cjs'), [], { PORT: '0' });
      await fetchText(await run.port());
      run.kill('SIGTERM');
      const { code, stderr } = await run.ended;
      assert.deepEqual([code, stderr], [0, '']);
    }
  });

  it('is told what is wrong with its port', async () => {
    const { code, stderr } = await kind.run(await kind.build({ 'a.mjs': `export default ${byFetch};` }, 'a.mjs'), ['--port', 'x']).ended;
    assert.equal(code, 1);
    assert.match(stderr, /--port is a port, 0 to 65535, and this is "x"/);
  });
}
