/** Projects that are a folder of routes: run, and as files for Node; what is wrong with them when they are built. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { join } from 'node:path';
import { existsSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { type Files, fulmar, start, writeProject } from '../cli/support.ts';
import { defineRoutes, folderOf, manyRoutes, ownServer, playManyRoutes, playOwnServer, project } from './routes-cases.ts';
import { type Built, buildError, file } from './support.ts';

describe('a folder of routes that is run', { concurrency: 2 }, () => {
  const folder = folderOf(project);
  defineRoutes({ isBuilt: false, start: async () => start(folder, ['run', '.']) });
});

describe('a folder of routes in a built file', { concurrency: 2 }, () => {
  let built: Promise<Built> | undefined;
  const start = async () => file.run(await (built ??= file.build(folderOf(project), '.')));
  defineRoutes({ isBuilt: true, start });

  it('has an await at the top of a route', { timeout: 60_000 }, async () => {
    const awaiting = { ...project, 'routes/index.ts': `const value = await Promise.resolve('awaited'); export const GET = () => value;` };
    const running = file.run(await file.build(folderOf(awaiting), '.'));
    const [, port] = await running.seen(/serving the project on http:\/\/localhost:(\d+)/);
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'awaited');
    running.kill('SIGTERM');
    assert.equal((await running.ended).code, 0);
  });
});

describe('a built file', { concurrency: 2 }, () => {
  it('has 1,000 routes, of which each is loaded when it is asked for', { timeout: 120_000 }, async () => {
    await playManyRoutes(file.run(await file.build(folderOf(manyRoutes), '.')));
  });

  it('has the folders that an application’s own server gives to createRoutes()', { timeout: 60_000 }, async () => {
    const built = await file.build(folderOf(ownServer), 'src/server.ts');
    assert.doesNotMatch(built.stderr, /not embedded/);
    await playOwnServer(file.run(built));
  });

  it('is told at the build of a folder that is not there, or not known', { timeout: 60_000 }, async () => {
    const of = (dir: string): Files => ({
      'a.mjs': `import { createRoutes } from 'fulmar/routes';\ncreateRoutes({ dir: ${dir} });`,
      'r/x.mjs': 'export const GET = 1;',
      'w/a.mjs': '',
      'w/a.ts': '',
    });
    const build = (dir: string) => fulmar(folderOf(of(dir)), ['build', 'a.mjs']);
    assert.match((await build(`'nowhere'`)).stderr, /a\.mjs:2: createRoutes\(\) names nowhere, and there is no such folder/);
    assert.match((await build(`'w'`)).stderr, /a\.mjs:2: .*a\.mjs and .*a\.ts: answer the same path/);
    const computed = await build('process.env.X');
    assert.deepEqual(
      [computed.code, /a\.mjs:2: createRoutes\(\) has a computed folder, which is not embedded/.test(computed.stderr)],
      [0, true],
    );
  });

  it('unpacks a part anew that somebody has changed', { timeout: 60_000 }, async () => {
    const built = await file.build(
      folderOf({
        'package.json': '{ "type": "module" }',
        'routes/x.js': `export const GET = () => 'as built';`,
        'fulmar.config.js': 'export default { server: { port: 0 } };',
      }),
      '.',
    );
    const ask = async (): Promise<string> => {
      const running = file.run(built);
      const [, port] = await running.seen(/serving the project on http:\/\/localhost:(\d+)/);
      const text = await (await fetch(`http://127.0.0.1:${port}/x`)).text();
      running.kill('SIGTERM');
      await running.ended;
      return text;
    };
    assert.equal(await ask(), 'as built');
    const parts = readdirSync(built.cache, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /[\\/]code[\\/]part-\d+\.mjs$/.test(name),
    );
    assert.equal(parts.length, 2);
    for (const name of parts) writeFileSync(join(built.cache, name), `export const GET = () => 'changed';`);
    assert.equal(await ask(), 'as built');
    for (const name of parts) rmSync(join(built.cache, name));
    assert.equal(await ask(), 'as built');
  });
});

describe('fulmar build of a folder', { concurrency: 2 }, () => {
  it('writes dist/server.mjs, and runs the hooks of plugins around that', { timeout: 60_000 }, async () => {
    const folder = folderOf(project);
    const { code, stdout, stderr } = await fulmar(folder, ['build']);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^HOOK configResolved build\nHOOK buildStart false\n(?:.*\n)*HOOK buildEnd true\ndist\/server\.mjs: \d+ modules, \d+ embedded files, /m,
    );
    assert.equal(stdout.match(/HOOK buildStart/g)?.length, 1);
    assert.doesNotMatch(stdout, /LOADED (?:index|users)/);
  });

  const route = `export const GET = () => 'hello';`;
  const wrong: readonly (readonly [name: string, files: Files, message: RegExp])[] = [
    [
      'two files for one path',
      { 'routes/(a)/x.ts': route, 'routes/x.ts': route },
      /routes\/\(a\)\/x\.ts and routes\/x\.ts: answer the same path/,
    ],
    [
      'a file and a virtual route for one path',
      { 'routes/x.js': route, 'fulmar.config.mjs': `export default { routes: { virtual: { '/x': 1 } } };` },
      /x\.js and \/x: answer the same path/,
    ],
    ['a name that is none', { 'routes/[a.ts': route }, /\[a\.ts: expected '\]' behind '\['/],
    ['a route that does not parse', { 'routes/x.ts': `export const GET = () =>\n  = 5;` }, /routes\/x\.ts:2/],
    [
      'an import of nothing',
      { 'routes/x.ts': `import x from './nowhere.ts';\nexport const GET = x;` },
      /\.\/nowhere\.ts does not exist[^]*imported by routes\/x\.ts/,
    ],
    ['no folder of routes', { 'fulmar.config.mjs': 'export default {};' }, /There is no folder of routes at .*routes/],
    [
      'a config that throws',
      { 'routes/x.ts': route, 'fulmar.config.ts': `const a: number = 1;\nthrow new Error('on purpose');` },
      /fulmar\.config\.ts could not be loaded: on purpose[^]*fulmar\.config\.ts:2/,
    ],
    [
      'a config with an unknown key',
      { 'routes/x.ts': route, 'fulmar.config.mjs': 'export default { sttic: [] };' },
      /fulmar\.config\.mjs: defineConfig\(\) has no option sttic; did you mean static/,
    ],
    [
      'a static folder that is missing',
      { 'routes/x.ts': route, 'fulmar.config.mjs': `export default { static: 'nowhere' };` },
      /static of the config names nowhere, and there is no such folder/,
    ],
    [
      'a plugin whose hook throws',
      {
        'routes/x.ts': route,
        'fulmar.config.mjs': `export default { plugins: [{ name: 'a', buildEnd() { throw new Error('at the end'); } }] };`,
      },
      /at the end/,
    ],
    [
      'a prerender that fails',
      { 'routes/x.ts': `export const prerender = true;\nexport const GET = () => { throw new Error('not made'); };` },
      /x\.ts: prerender: GET \/x was answered with 500/,
    ],
    [
      'a prerender that throws',
      { 'routes/[id].ts': `export const prerender = () => { throw new Error('no list'); };\nexport const GET = () => 1;` },
      /\[id\]\.ts: prerender: Error: no list/,
    ],
    [
      'a prerender of parameters without a list',
      { 'routes/[id].ts': `export const prerender = true;\nexport const GET = () => 1;` },
      /\[id\]\.ts: has prerender = true and parameters in its path/,
    ],
    [
      'a prerender whose list lacks a parameter',
      { 'routes/[id].ts': `export const prerender = () => [{ di: '1' }];\nexport const GET = () => 1;` },
      /expected a text for the parameter id, found undefined/,
    ],
    [
      'a prerender that sets a cookie',
      { 'routes/x.ts': `export const prerender = true;\nexport const GET = (c) => { c.cookie('a', 'b'); return 'x'; };` },
      /sets a cookie/,
    ],
    [
      'a prerender without GET',
      { 'routes/x.ts': `export const prerender = true;\nexport const POST = () => 1;` },
      /has prerender, which makes replies of GET, and answers no GET/,
    ],
    ['a config that ends the process', { 'routes/x.ts': route, 'fulmar.config.mjs': 'process.exit(0);' }, /ended before it was done/],
  ];
  for (const [name, files, message] of wrong)
    it(`refuses ${name}, and writes nothing`, { timeout: 60_000 }, async () => {
      const folder = folderOf({ 'package.json': '{ "type": "module" }', ...files });
      const { code, stdout, stderr } = await fulmar(folder, ['build', '.']);
      assert.equal(code, 1, stdout + stderr);
      assert.match(stderr, message);
      if (!name.includes('hook')) assert.ok(!existsSync(join(folder, 'dist')));
    });

  it('keeps a reply to a parameter with a slash for that alone', { timeout: 60_000 }, async () => {
    const folder = folderOf({
      'package.json': '{ "type": "module" }',
      'routes/[name].ts': `export const prerender = () => [{ name: 'a/b' }];\nexport const GET = (c) => c.params.name + ' ' + process.env.SAID;`,
      'routes/a/b.ts': `export const GET = () => 'own';`,
      'fulmar.config.mjs': 'export default { server: { port: 0 } };',
    });
    const { code, stderr } = await fulmar(folder, ['build'], { env: { SAID: 'built' } });
    assert.equal(code, 0, stderr);
    const running = start(folder, ['start'], { env: { SAID: 'started' } });
    const [, port] = await running.seen(/on http:\/\/localhost:(\d+)/);
    const asked = ['/a%2Fb', '/a/b', '/c'].map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text());
    assert.deepEqual(await Promise.all(asked), ['a/b built', 'own', 'c started']);
    running.kill('SIGTERM');
    assert.equal((await running.ended).code, 0);
  });

  it('embeds no folder in itself, however many links say so', { timeout: 60_000 }, async () => {
    const folder = folderOf({ 'package.json': '{ "type": "module" }', 'routes/x.ts': route, 'public/a/b/c.txt': 'c' });
    for (const name of ['one', 'two', 'a/three']) symlinkSync(join(folder, 'public'), join(folder, 'public', name));
    symlinkSync('self', join(folder, 'public/self'));
    const { code, stdout, stderr } = await fulmar(folder, ['build']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, / modules, 1 embedded file, /);
  });

  it('embeds nothing that a link of a static folder leads to outside of the project', { timeout: 60_000 }, async () => {
    const folder = folderOf({ 'package.json': '{ "type": "module" }', 'routes/x.ts': route, 'public/a.txt': 'a' });
    symlinkSync(folderOf({ 'secret.txt': 'secret' }), join(folder, 'public/other'));
    const { code, stderr } = await fulmar(folder, ['build']);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /static of the config names public, and .*public\/other\/.* leads out of the project's folder/);
  });

  it('refuses options that are for files', async () => {
    assert.match(await buildError(project, ['.', '--target', 'lambda'], 2), /--target lambda takes a file/);
    assert.match(await buildError(project, ['.', '--no-alias'], 2), /--no-alias is for files/);
  });
});

describe('fulmar start', { concurrency: 1 }, () => {
  let folder: string;
  before(async () => {
    folder = writeProject({
      'package.json': '{ "type": "module" }',
      'routes/index.ts': `export const GET = () => ({ mode: process.env.NODE_ENV, said: process.env.SAID });`,
      '.env': 'SAID=hello\n',
      '.env.staging': 'NODE_ENV=staging\n',
      'fulmar.config.ts': 'export default { server: { port: Number(process.env.PORT ?? 0) } };',
    });
    assert.equal((await fulmar(folder, ['build'])).code, 0);
  });
  after(() => undefined);

  const ask = async (args: readonly string[]): Promise<{ text: string; stderr: string }> => {
    const running = start(folder, ['start', ...args], { env: { NODE_ENV: '' } });
    const [, port] = await running.seen(/on http:\/\/localhost:(\d+)/);
    const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    running.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    assert.equal(code, 0, stderr);
    return { text, stderr };
  };

  it('runs what was built, with variables of files', { timeout: 60_000 }, async () => {
    const { text, stderr } = await ask(['--env-file', '.env', '--drain-timeout', '1']);
    assert.equal(text, '{"mode":"","said":"hello"}');
    assert.doesNotMatch(stderr, /newer/);
  });
  it('says which source is newer', { timeout: 60_000 }, async () => {
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(folder, 'routes/index.ts'), later, later);
    assert.match((await ask([])).stderr, /^fulmar: routes\/index\.ts is newer than what is started: fulmar build makes it anew$/m);
  });
  it('is told what to do where nothing is built', async () => {
    const { code, stderr } = await fulmar(writeProject({ 'routes/x.js': '' }), ['start']);
    assert.deepEqual(
      [code, stderr],
      [1, 'fulmar: nothing is built in .: there is no dist/server.mjs or dist/server. Make it: fulmar build\n'],
    );
    const native = await fulmar(folder, ['start', '--native']);
    assert.match(native.stderr, /there is no dist\/server\. Make it: fulmar build --native/);
    assert.match((await fulmar(folder, ['start', 'nowhere'])).stderr, /nowhere does not exist/);
    assert.match((await fulmar(folder, ['start', '--native', '-w', '2'])).stderr, /give one of them/);
    assert.match((await fulmar(folder, ['start', 'a', 'b'])).stderr, /takes one folder/);
    assert.match((await fulmar(folder, ['start', '--env-file', 'none'])).stderr, /none/);
  });
});
