/** `fulmar doctor` of an application that uses another language. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { doctor, examine, writeApplication } from '../doctor/support.ts';

const folder = writeApplication({
  'package.json': '{"type":"module"}',
  'model.py': 'def double(x):\n    return x * 2\n',
  'app.js': `import { createServer } from 'node:http'; import model from './model.py';
    createServer(async (request, response) => response.end(await model.double(21).then(String, () => 'none'))).listen(process.env.PORT);`,
  'plain.js': `import { createServer } from 'node:http'; createServer((request, response) => response.end()).listen(process.env.PORT);`,
});

it('tells which one is used, and where it is', async () => {
  const { report, code } = await examine(folder, ['app.js']);
  assert.equal(code, 0);
  assert.deepEqual(
    report.guests.map(({ language, problem }) => [language, problem]),
    [['python', null]],
  );
  assert.match(report.guests[0]?.library ?? '', /python/);
});

it('tells what to install where there is none', async () => {
  const { stdout } = await doctor(folder, ['app.js', '--no-requests'], { env: { FULMAR_PYTHON: '/nowhere/python' } });
  assert.match(stdout, /Other languages\n {2}python {2}not available: there is no \/nowhere\/python/);
  assert.match(stdout, /Calls of python fail here: it is not available\. There is\s+no\s+\/nowhere\/python/);
});

it('says nothing of languages to applications that use none', async () => {
  const { report } = await examine(folder, ['plain.js', '--no-requests']);
  assert.deepEqual(report.guests, []);
});
