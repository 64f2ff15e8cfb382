/** `fulmar bench --native` measures the executable beside stock Node and Fulmar on Node. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fulmar, writeProject } from '../cli/support.ts';

interface Report {
  readonly columns: readonly string[];
  readonly routes: readonly { readonly path: string; readonly verified: string }[];
  readonly process: { readonly idleBytes: { readonly values: readonly number[]; readonly more: readonly object[] } };
  readonly repeat: string;
}

const skip = process.platform === 'linux' ? false : 'the command needs /proc';
const patienceMs = 90_000;

test('adds a column, and compares the replies of all three', { skip, timeout: patienceMs }, async () => {
  const project = writeProject({
    'package.json': '{}',
    'app.cjs': `require('http').createServer((req, res) => res.setHeader('Content-Type', 'text/plain').end('hello')).listen(process.env.PORT, '127.0.0.1');`,
  });
  const args = [
    '--native',
    '--json',
    '--no-wait',
    '--rounds',
    '1',
    '--duration',
    '0.3',
    '--starts',
    '1',
    '--connections',
    '4',
    '--path',
    '/',
  ];
  const { stdout, stderr } = await fulmar(project, ['bench', 'app.cjs', ...args], { patienceMs });
  const report = JSON.parse(stdout) as Report;
  assert.deepEqual(report.columns, ['stock', 'Fulmar', 'native'], stderr);
  // Busy machines make rows void; that they were compared is told all the same.
  assert.deepEqual(
    report.routes.map(({ path, verified }) => [path, verified]),
    [['/', 'status and content']],
  );
  const { values, more } = report.process.idleBytes;
  assert.ok(values.length === 3 && values.every((value) => value > 0), JSON.stringify(values));
  assert.equal(more.length, 1);
  assert.match(report.repeat, / --native/);
});
