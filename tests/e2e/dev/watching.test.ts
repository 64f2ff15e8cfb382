/** What is watched, and which changes are a reason to run the application again: not those that it makes itself. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../cli/support.ts';
import { type Dev, startDev } from './support.ts';

const manifest = JSON.stringify({ type: 'module' });
const word = (text: string): string => `export const word = '${text}';\n`;
/** Without a further run for so long it has come to rest. */
const REST_MS = 400;
const PATIENCE_MS = 10_000;
/** Sockets that newer code does not want are closed by then. */
const SETTLED_MS = 1_500;

/** Resolves to the lines of a log that nobody writes any more. */
async function restOf({ folder }: Dev, name: string): Promise<number> {
  const endAt = performance.now() + PATIENCE_MS;
  const count = (): number => readFileSync(join(folder, name), 'utf8').split('\n').length - 1;
  for (let last = count(); ;) {
    await new Promise((resume) => void setTimeout(resume, REST_MS));
    const now = count();
    if (now === last) return now;
    if (performance.now() > endAt) assert.fail(`${name} is still written, and has ${now} lines`);
    last = now;
  }
}

test('a file outside of the folder is watched when the first request imports it', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': manifest,
      'shared/word.ts': word('one'),
      'app/package.json': manifest,
      'app/routes/index.ts': `import { word } from '../../shared/word.ts';\nexport const GET = () => word;\n`,
    },
    { args: ['app'] },
  );
  assert.equal((await dev.get('/')).text, 'one');
  dev.write('shared/word.ts', word('two'));
  await dev.until('/', 'two');
  await dev.stop();
});

test('data that a server of routes writes beside them does not run it again', async (t) => {
  const log = `import { appendFileSync } from 'node:fs';\nappendFileSync(new URL('runs.log', import.meta.url), 'run\\n');\n`;
  const dev = await startDev(
    t,
    {
      'package.json': manifest,
      'data.json': '0',
      'server.ts': `${log}import { createRoutes } from 'fulmar/routes';\ncreateRoutes({ dir: new URL('routes', import.meta.url) }).listen(Number(process.env.PORT));\n`,
      'routes/index.ts': `import { writeFileSync } from 'node:fs';\nexport const POST = 'none';\nexport const GET = (c) => {\n  writeFileSync('data.json', c.url);\n  return 'written';\n};\n`,
    },
    { args: ['server.ts'], packages: true },
  );
  await dev.get('/?1');
  // Of a file that it has not heard of before it cannot know that it is data.
  const runs = await restOf(dev, 'runs.log');
  for (let count = 0; count < 3; count += 1) {
    await dev.get(`/?${count}`);
    assert.equal(await restOf(dev, 'runs.log'), runs);
  }
  await dev.stop();
});

test('what changes while it starts is what holds', async (t) => {
  const slow = `if (word === 'bad') {\n  await new Promise((resume) => setTimeout(resume, 1_500));\n  setImmediate(() => console.error('it has thrown'));\n  throw new Error('the first is broken');\n}\n`;
  const dev = await startDev(
    t,
    {
      'package.json': manifest,
      'word.mjs': `console.error('word is loaded');\n${word('bad')}`,
      'server.mjs': `import { createServer } from 'node:http';\nimport { word } from './word.mjs';\n${slow}createServer((req, res) => res.end(word)).listen(process.env.PORT);\n`,
    },
    { args: ['server.mjs'], listens: false },
  );
  await dev.seen(/word is loaded/);
  dev.write('word.mjs', word('good'));
  await dev.seen(/listening on http/);
  await dev.seen(/it has thrown/);
  assert.equal((await dev.get('/')).text, 'good');
  const { broken } = JSON.parse((await dev.get('/_fulmar/state')).text) as { broken: unknown };
  assert.equal(broken, null);
  await dev.stop();
});

test('a server behind the line that throws stays what it was', async (t) => {
  const second = await freePort();
  const dev = await startDev(
    t,
    {
      'package.json': manifest,
      'word.mjs': word('one'),
      'server.mjs': `import { createServer } from 'node:http';\nimport { word } from './word.mjs';\nconst listen = (port) => createServer((req, res) => res.end(word)).listen(port);\nlisten(process.env.PORT);\nif (word === 'bad') throw new Error('between two servers');\nlisten(${second});\n`,
    },
    { args: ['server.mjs'] },
  );
  const askSecond = async (): Promise<string> => (await fetch(`http://localhost:${second}/`)).text();
  dev.write('word.mjs', word('bad'));
  await dev.seen(/between two servers/);
  const endAt = performance.now() + SETTLED_MS;
  while (performance.now() < endAt) assert.equal(await askSecond(), 'one');
  dev.write('word.mjs', word('two'));
  await dev.until('/', 'two');
  await dev.seen(/reloaded/);
  assert.equal(await askSecond(), 'two');
  await dev.stop();
});
