/** Files of Python under `fulmar dev`: loaded anew when they change, with those they import; errors with their place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDev } from './support.ts';

const model = `import helper

def word(n):
    return f"{helper.WORD} {n}"

def fail():
    rows = {}
    return rows["missing"]
`;
const helper = (word: string): string => `WORD = "${word}"\n`;
const esm = '{"type":"module"}';

const server = (take: string): string => `import { createServer } from 'node:http';
${take}
globalThis.started = (globalThis.started ?? 0) + 1;
const kept = (globalThis.kept ??= model);
createServer(async (request, response) => {
  if (request.url === '/fail') await model.fail();
  if (request.url === '/kept') return response.end(await kept.word(0));
  response.end(await model.word(globalThis.started));
}).listen(process.env.PORT);
`;

const takes: readonly [name: string, take: string, kept: string][] = [
  ['import of a file', "import model from './python/model.py';", 'two 0'],
  ['python.import()', "import { python } from 'fulmar/polyglot';\nconst model = await python.import('./python/model.py');", 'one 0'],
  ['Polyglot.import()', "const model = Polyglot.import('./python/model.py');", 'two 0'],
];

for (const [name, take, kept] of takes)
  test(`${name}: a file that another one imports changes, and the next call runs the new code`, async (t) => {
    const dev = await startDev(
      t,
      { 'package.json': esm, 'server.js': server(take), 'python/model.py': model, 'python/helper.py': helper('one') },
      { args: ['--polyglot', 'server.js'], packages: true },
    );
    const first = await dev.until('/', 'one 1');
    dev.write('python/helper.py', helper('two'));
    const second = await dev.until('/', /^two \d+$/);
    assert.equal(second.localPort, first.localPort, 'the port and its connections stay');
    assert.equal((await dev.get('/kept')).text, kept);
    dev.write('python/model.py', model.replace('{n}', '{n}!'));
    await dev.until('/', /^two \d+!$/);
    dev.write('python/other.py', 'X = 1\n');
    dev.write('python/helper.py', helper('six'));
    await dev.until('/', /^six \d+!$/);
    await dev.stop();
  });

test('in CommonJS', async (t) => {
  const source = `const model = require('./model.py');
require('node:http').createServer((request, response) => void model.word(7).then((text) => response.end(text))).listen(process.env.PORT);\n`;
  const dev = await startDev(
    t,
    { 'package.json': '{}', 'server.js': source, 'model.py': model, 'helper.py': helper('one') },
    { args: ['server.js'] },
  );
  await dev.until('/', 'one 7');
  dev.write('helper.py', helper('two'));
  await dev.until('/', 'two 7');
  await dev.stop();
});

test('an error of Python is shown with its file, line and source, at the terminal and on the page', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': esm,
      'server.js': server("import model from './python/model.py';"),
      'python/model.py': model,
      'python/helper.py': helper('one'),
    },
    { args: ['server.js'] },
  );
  const { status, text } = await dev.get('/fail', { accept: 'text/html' });
  assert.equal(status, 500);
  assert.match(text, /<span class="red">KeyError<\/span>/);
  assert.match(text, /<b>fail<\/b> <span class="mono">python\/model\.py:8:1<\/span>/);
  assert.match(text, /<span class="line meant">\s*8 │ {5}return rows\[&quot;missing&quot;\]/);
  await dev.seen(
    /KeyError: 'missing' \(ERR_GUEST_EXCEPTION\)[^]*> 8 \| {5}return rows\["missing"\]\n +\| {5}\^[^]*at fail \(python\/model\.py:8:1\)/,
  );
  await dev.stop();
});

test('a file that is no Python is told with its place before it is called, and when it is mended all goes on', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': esm,
      'server.js': server("import model from './python/model.py';"),
      'python/model.py': model,
      'python/helper.py': 'WORD = (\n',
    },
    { args: ['server.js'] },
  );
  await dev.seen(/a file cannot be loaded[^]*SyntaxError: [^]*> 1 \| WORD = \([^]*python\/helper\.py:1:1/);
  assert.match((await dev.get('/', { accept: 'text/html' })).text, /<span class="red">SyntaxError<\/span>[^]*python\/helper\.py:1:1/);
  dev.write('python/helper.py', helper('one'));
  await dev.until('/', /^one \d$/);
  dev.write('python/model.py', 'def word(n)\n');
  await dev.until('/', /SyntaxError|Internal Server Error/);
  dev.write('python/model.py', model);
  await dev.until('/', /^one \d$/);
  await dev.stop();
});

test('a file that is awaited and broken from the start stands where the application would listen', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': esm,
      'server.js': server("import { python } from 'fulmar/polyglot';\nconst model = await python.import('./python/model.py');"),
      'python/model.py': 'def word(n)\n',
      'python/helper.py': helper('one'),
    },
    { args: ['server.js'], packages: true, listens: false },
  );
  await dev.seen(/SyntaxError: [^]*> 1 \| def word\(n\)/);
  dev.write('python/model.py', model);
  await dev.seen(/reloaded/);
  await dev.until('/', /^one \d$/);
  await dev.stop();
});
