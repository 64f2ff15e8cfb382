/**
 * `fulmar build --target`: what it makes is called as the platform calls it, away from the project and its
 * node_modules; and what it refuses.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { addFile, type Files, fulmar, writeProject } from '../cli/support.ts';
import { packages, workers } from '../platforms/runtimes.ts';

const timeout = 60_000;
const FOLDER_BYTES_MAX = 2_000_000;

const typed = `import { createApp } from 'fulmar';
const app = createApp();
app.get('/', () => ({ hello: 'app' }));
app.post('/echo', (c) => c.body.json());
app.get('/ip', (c) => c.ip);
`;
const express = `const express = require('express');
const app = express();
app.use(express.json());
app.get('/', (req, res) => res.json({ hello: 'express' }));
app.post('/echo', (req, res) => res.json(req.body));
app.get('/ip', (req, res) => res.send(req.ip));
app.use('/public', express.static(require('node:path').join(__dirname, 'public')));
`;
const koa = `import Koa from 'koa';
const app = new Koa();
app.use(async (ctx) => {
  if (ctx.path === '/ip') ctx.body = ctx.ip;
  else if (ctx.path === '/echo') {
    let text = '';
    for await (const piece of ctx.req) text += piece;
    ctx.type = 'json';
    ctx.body = text;
  } else ctx.body = { hello: 'koa' };
});
`;

interface Entry {
  readonly name: string;
  readonly file: string;
  readonly code: string;
  readonly hello: string;
}

const entries: readonly Entry[] = [
  { name: 'an app that is exported', file: 'main.mjs', code: `${typed}export default app;`, hello: 'app' },
  {
    name: 'an app that listens',
    file: 'main.ts',
    code: `${typed}const server: { url: string } = await app.listen(3000);\nconsole.error(server.url);`,
    hello: 'app',
  },
  {
    name: 'an app whose handler is its own',
    file: 'main.mjs',
    code: `import { lambda } from 'fulmar/adapters/lambda';\n${typed}export const handler = lambda(app);`,
    hello: 'app',
  },
  { name: 'an Express application that is exported', file: 'main.cjs', code: `${express}module.exports = app;`, hello: 'express' },
  {
    name: 'an Express application that listens',
    file: 'main.cjs',
    code: `${express}if (require.main === module) app.listen(process.env.PORT || 3000, () => console.error('up'));`,
    hello: 'express',
  },
  {
    name: 'an Express application that listens late',
    file: 'main.cjs',
    code: `${express}setTimeout(() => app.listen(3000), 30);`,
    hello: 'express',
  },
  { name: 'a Koa application that is exported', file: 'main.mjs', code: `${koa}export default app;`, hello: 'koa' },
  { name: 'a Koa application that listens', file: 'main.mjs', code: `${koa}app.listen(3000);`, hello: 'koa' },
  {
    name: 'a server of node:http',
    file: 'main.mjs',
    code: `import { createServer } from 'node:http';
createServer((req, res) => {
  if (req.url === '/ip') return res.end(req.socket.remoteAddress);
  if (req.method === 'POST') return void req.pipe(res.setHeader('Content-Type', 'application/json'));
  res.setHeader('Content-Type', 'application/json').end('{"hello":"http"}');
}).listen({ port: 3000 });`,
    hello: 'http',
  },
  {
    name: 'a fetch function',
    file: 'main.mjs',
    code: `export default { fetch: async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === '/ip') return new Response('192.0.2.1');
  return request.method === 'POST' ? new Response(request.body) : Response.json({ hello: 'fetch' });
} };`,
    hello: 'fetch',
  },
];

/** A project that has Fulmar installed. */
function projectOf(files: Files): string {
  const project = writeProject({ 'package.json': '{}', ...files });
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(join(packages, 'fulmar'), join(project, 'node_modules', 'fulmar'));
  return project;
}

/** Builds, and moves what was made away from the project. */
async function build(files: Files, args: readonly string[], made: string): Promise<{ path: string; stdout: string; stderr: string }> {
  const project = projectOf(files);
  const { code, stdout, stderr } = await fulmar(project, ['build', ...args]);
  assert.equal(code, 0, stdout + stderr);
  const elsewhere = writeProject({});
  const path = join(elsewhere, 'made');
  renameSync(join(project, made), path);
  rmSync(project, { recursive: true });
  return { path, stdout, stderr };
}

const CALL_LAMBDA = `import { pathToFileURL } from 'node:url';
const { handler } = await import(pathToFileURL(process.argv[2]).href);
const event = (rawPath, body) => ({ version: '2.0', rawPath, rawQueryString: '', headers: { host: 'x', 'content-type': 'application/json' },
  requestContext: { http: { method: body === undefined ? 'GET' : 'POST', sourceIp: '192.0.2.1' } }, body });
const replies = [];
for (const [path, body] of JSON.parse(process.argv[3])) {
  const { statusCode, body: content, isBase64Encoded } = await handler(event(path, body), {});
  replies.push([statusCode, isBase64Encoded ? Buffer.from(content, 'base64').toString() : content]);
}
console.log('REPLIES ' + JSON.stringify(replies));`;

async function callLambda(folder: string, asked: readonly (readonly [string, string?])[]): Promise<unknown> {
  const script = join(folder, '..', 'call.mjs');
  writeFileSync(script, CALL_LAMBDA);
  const { stdout } = await promisify(execFile)(process.execPath, [script, join(folder, 'index.mjs'), JSON.stringify(asked)], { cwd: '/' });
  return JSON.parse(/REPLIES (.*)/.exec(stdout)?.[1] ?? 'null');
}

describe('--target lambda', () => {
  for (const { name, file, code, hello } of entries) {
    test(name, { timeout }, async () => {
      const { path, stdout } = await build({ [file]: code }, [file, '--target', 'lambda'], 'main.lambda');
      assert.match(stdout, /^main\.lambda: \d+ modules, \d\.\d MB\. Zip what is in it; the handler is index\.handler/);
      const replies = await callLambda(path, [['/'], ['/echo', '{"x":1}'], ['/ip']]);
      assert.deepEqual(replies, [
        [200, JSON.stringify({ hello })],
        [200, '{"x":1}'],
        [200, '192.0.2.1'],
      ]);
    });
  }

  test('files are in it, and no engine', { timeout }, async () => {
    const files = { 'main.cjs': `${express}module.exports = app;`, 'public/a.txt': 'a file' };
    const { path } = await build(files, ['main.cjs', '--target', 'lambda', '--include', 'public', '-o', 'out/fn'], 'out/fn');
    assert.deepEqual(await callLambda(path, [['/public/a.txt']]), [[200, 'a file']]);
    const all = readdirSync(path, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      all.filter((name) => name.endsWith('.node')),
      [],
    );
    assert.ok(
      all.reduce((sum, name) => sum + (statSync(join(path, name)).isFile() ? statSync(join(path, name)).size : 0), 0) < FOLDER_BYTES_MAX,
    );
  });

  test('an entry that is no application says so when it is called', { timeout }, async () => {
    const { path } = await build(
      { 'main.mjs': 'export default 5;\nsetTimeout(() => {}, 20_000).unref();' },
      ['main.mjs', '--target', 'lambda'],
      'main.lambda',
    );
    await assert.rejects(callLambda(path, [['/']]), /neither exports an app by default .* nor has it called listen\(\) within 10 s/);
  });

  test('an older folder of its own is replaced, and no other', { timeout }, async () => {
    const project = projectOf({ 'main.mjs': `${typed}export default app;`, 'mine/keep.txt': 'mine' });
    const refused = await fulmar(project, ['build', 'main.mjs', '--target', 'lambda', '-o', 'mine']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /cannot write .*mine: it is a folder with files that fulmar build did not make/);
    assert.equal(readFileSync(join(project, 'mine', 'keep.txt'), 'utf8'), 'mine');
    for (let round = 0; round < 2; round++) {
      assert.equal((await fulmar(project, ['build', 'main.mjs', '--target', 'lambda'])).code, 0);
      assert.equal(existsSync(join(project, 'main.lambda', 'stale.txt')), false);
      addFile(project, 'main.lambda/stale.txt', 'x');
    }
    assert.deepEqual(
      readdirSync(project).filter((name) => name.startsWith('.fulmar-build')),
      [],
    );
  });

  test('a folder that the file to build is in is refused', { timeout }, async () => {
    const project = projectOf({ 'src/main.mjs': typed });
    const { code, stderr } = await fulmar(project, ['build', 'src/main.mjs', '--target', 'lambda', '-o', 'src']);
    assert.equal(code, 1);
    assert.match(stderr, /cannot write .*src: the file to build is in it/);
  });
});

describe('--target vercel', () => {
  test('the output of Vercel’s Build Output API', { timeout }, async () => {
    const { path, stdout } = await build(
      { 'main.cjs': `${express}app.listen(3000);` },
      ['main.cjs', '--target', 'vercel'],
      '.vercel/output',
    );
    assert.match(stdout, /^\.vercel\/output: .*vercel deploy --prebuilt/);
    const config = JSON.parse(readFileSync(join(path, 'config.json'), 'utf8')) as { version: number; routes: unknown[] };
    assert.deepEqual([config.version, config.routes.at(-1)], [3, { src: '/(.*)', dest: '/index' }]);
    const folder = join(path, 'functions', 'index.func');
    const { handler } = JSON.parse(readFileSync(join(folder, '.vc-config.json'), 'utf8')) as { handler: string };
    const script = join(path, '..', 'call.mjs');
    writeFileSync(
      script,
      `import { createServer } from 'node:http';
      const { default: handler } = await import(${JSON.stringify(join(folder, handler))});
      const server = createServer(handler).listen(0, '127.0.0.1', async () => {
        const url = 'http://127.0.0.1:' + server.address().port;
        const echo = { method: 'POST', body: '{"x":1}', headers: { 'content-type': 'application/json' } };
        const replies = [await (await fetch(url)).text(), await (await fetch(url + '/echo', echo)).text(), await (await handler(new Request('http://x/'))).text()];
        console.log(JSON.stringify(replies));
        server.close();
        server.closeAllConnections();
      });`,
    );
    const { stdout: said } = await promisify(execFile)(process.execPath, [script], { cwd: '/' });
    assert.deepEqual(JSON.parse(said), ['{"hello":"express"}', '{"x":1}', '{"hello":"express"}']);
  });
});

const makeWorker = workers();
const noWorkers = makeWorker === undefined ? 'miniflare is not installed in tests/runtimes' : false;

async function callWorker(
  file: string,
  bindings: object,
  paths: readonly string[],
  flags: readonly string[] = [],
): Promise<readonly (readonly [number, string])[]> {
  const worker = (makeWorker as NonNullable<typeof makeWorker>)(
    [{ type: 'ESModule', path: file, contents: readFileSync(file, 'utf8') }],
    bindings,
    flags,
  );
  try {
    await worker.ready;
    const replies: (readonly [number, string])[] = [];
    for (const path of paths) {
      const reply = await worker.dispatchFetch(`http://localhost${path}`);
      replies.push([reply.status, await reply.text()]);
    }
    return replies;
  } finally {
    await worker.dispose();
  }
}

describe('--target cloudflare', () => {
  for (const { name, file, code, hello } of entries.filter((one) => ['app', 'fetch'].includes(one.hello) && !one.name.includes('own'))) {
    test(name, { timeout, skip: noWorkers }, async () => {
      const { path, stdout } = await build({ [file]: code }, [file, '--target', 'cloudflare'], 'main.worker.mjs');
      assert.match(stdout, /^main\.worker\.mjs: .*wrangler dev main\.worker\.mjs --no-bundle/);
      assert.doesNotMatch(readFileSync(path, 'utf8'), /^import .*node:/m);
      assert.deepEqual(await callWorker(path, {}, ['/']), [[200, JSON.stringify({ hello })]]);
    });
  }

  test('bindings, packages, and what else a worker exports', { timeout, skip: noWorkers }, async () => {
    const code = `import { createApp } from 'fulmar';
import { cloudflare, platform } from 'fulmar/adapters/cloudflare';
import { cors } from 'fulmar/middleware';
import { shout } from 'shouting';
const app = createApp();
app.use(cors());
app.get('/', (c) => shout(platform(c).env.NAME));
export class Counter {}
export default { ...cloudflare(app), scheduled: () => {} };`;
    const files = {
      'main.mjs': code,
      'node_modules/shouting/package.json': '{"name":"shouting","main":"index.js"}',
      'node_modules/shouting/index.js': 'exports.shout = (text) => text.toUpperCase();',
    };
    const { path } = await build(files, ['main.mjs', '--target', 'cloudflare', '--minify', '-o', 'out/worker.js'], 'out/worker.js');
    assert.match(readFileSync(path, 'utf8'), /Counter/);
    renameSync(path, `${path}.mjs`);
    assert.deepEqual(await callWorker(`${path}.mjs`, { NAME: 'fulmar' }, ['/']), [[200, 'FULMAR']]);
  });

  test('TypeScript, what a module asks about itself, and requires with computed names', { timeout, skip: noWorkers }, async () => {
    const code = `import { createApp } from 'fulmar';
import * as answers from './answers';
import name from './name.cjs';
interface Row { readonly id: number }
const app = createApp();
app.get('/', () => ({ ...answers, name, row: { id: 7 } satisfies Row }));
app.get('/computed', async () => {
  try {
    return await import('./no' + 'where.js');
  } catch (error) {
    return (error as Error).message.split('\\n');
  }
});
export default app;`;
    const files = {
      'main.ts': code,
      'answers.ts': 'export const answer: number = 42;',
      'name.cjs': 'module.exports = [require.main === module, __dirname, __filename].join();',
    };
    const { path } = await build(files, ['main.ts', '--target', 'cloudflare'], 'main.worker.mjs');
    assert.deepEqual(await callWorker(path, {}, ['/', '/computed']), [
      [200, '{"answer":42,"name":"false,/,/name.cjs","row":{"id":7}}'],
      [
        200,
        `["Cannot find module './nowhere.js'","Required by main.ts in a worker made by fulmar build. Its name was not known when the worker was built."]`,
      ],
    ]);
  });

  test('what cannot run there is named, with its line', { timeout }, async () => {
    const project = projectOf({
      'main.mjs': `import './files.mjs';\n${typed}export default app;`,
      'files.mjs': "// Files.\n\nimport { readFile } from 'node:fs/promises';\nreadFile('x');\n",
    });
    const { code, stderr } = await fulmar(project, ['build', 'main.mjs', '--target', 'cloudflare']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /node:fs\/promises is a module of Node's, which workers do not have\.\n.*\n {4}imported by files\.mjs:3\n {4}imported by main\.mjs/,
    );
    assert.equal(existsSync(join(project, 'main.worker.mjs')), false);
  });

  test('Express and Koa applications are named, too', { timeout }, async () => {
    for (const [name, code] of [
      ['express', express],
      ['koa', koa],
    ] as const) {
      const file = name === 'express' ? 'main.cjs' : 'main.mjs';
      const project = projectOf({ [file]: code });
      const { code: exit, stderr } = await fulmar(project, ['build', file, '--target', 'cloudflare']);
      assert.equal(exit, 1);
      assert.match(stderr, new RegExp(`${name} is not installed|node:http is a module of Node's`));
    }
  });

  for (const { name, file, code, hello } of entries.filter(
    (one) => ['express', 'koa'].includes(one.hello) && one.name.includes('exported'),
  )) {
    test(`with nodejs_compat: ${name}`, { timeout, skip: noWorkers }, async () => {
      const files = { [file]: code, 'wrangler.toml': 'name = "birds"\ncompatibility_flags = ["nodejs_compat"]\n' };
      const { path } = await build(files, [file, '--target', 'cloudflare'], 'main.worker.mjs');
      assert.deepEqual(await callWorker(path, {}, ['/', '/ip'], ['nodejs_compat']), [
        [200, JSON.stringify({ hello })],
        [200, '127.0.0.1'],
      ]);
    });
  }

  test('a comment in the configuration of wrangler is no flag', { timeout }, async () => {
    const project = projectOf({
      'main.mjs': "import 'node:fs';\nexport default {};",
      'wrangler.toml': '# compatibility_flags = ["nodejs_compat"]\n',
    });
    const { code, stderr } = await fulmar(project, ['build', 'main.mjs', '--target', 'cloudflare']);
    assert.equal(code, 1);
    assert.match(stderr, /give wrangler's configuration the flag nodejs_compat/);
  });

  test('fulmar/express needs Node', { timeout }, async () => {
    const project = projectOf({ 'main.mjs': "import express from 'fulmar/express';\nexport default express();" });
    const { code, stderr } = await fulmar(project, ['build', 'main.mjs', '--target', 'cloudflare']);
    assert.equal(code, 1);
    assert.match(stderr, /fulmar\/express needs Node, and a worker has none/);
  });
});

describe('the options', () => {
  const cases: readonly (readonly [args: readonly string[], said: RegExp, code: number])[] = [
    [['--target', 'azure'], /--target is one of lambda, vercel, cloudflare, got azure/, 2],
    [['--target'], /--target/, 2],
    [['--target', 'lambda', '--native'], /--native makes an executable, which lambda does not run: give one of them/, 2],
    [['--target', 'vercel', '--no-alias'], /--target vercel needs Fulmar in the place of http/, 2],
    [['--target', 'cloudflare', '-o', 'worker.cjs'], /a worker is a module; end it in \.mjs or \.js/, 1],
  ];
  for (const [args, said, expected] of cases) {
    test(args.join(' '), { timeout }, async () => {
      const project = projectOf({ 'main.mjs': typed });
      const { code, stderr } = await fulmar(project, ['build', 'main.mjs', ...args]);
      assert.match(stderr, said);
      assert.equal(code, expected);
    });
  }
});

test('an executable, which nobody calls, has no adapters', { timeout }, async () => {
  const project = projectOf({ 'main.mjs': "import { lambda } from 'fulmar/adapters/lambda';\nconsole.log(lambda);" });
  const { code, stderr } = await fulmar(project, ['build', 'main.mjs', '--native']);
  assert.equal(code, 1);
  assert.match(stderr, /fulmar\/adapters\/lambda is for a platform that calls the application, and an executable listens/);
});
