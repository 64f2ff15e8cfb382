/** Who listens to SIGTERM and SIGINT besides Fulmar. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { examine, writeApplication } from './support.ts';

const server = `require('http').createServer((req, res) => res.end('x')).listen(process.env.PORT);`;
const folder = writeApplication({
  'package.json': '{}',
  'alone.cjs': server,
  'watched.cjs': `require('signal-exit').onExit(() => undefined);
process.once('SIGTERM', function shutDown() {});
${server}`,
});

it('names each of them, with its place and what follows', async () => {
  const { code, report } = await examine(folder, ['watched.cjs', '--no-requests']);
  assert.equal(code, 0);
  const found = report.findings.filter(({ code: name }) => name === 'signal-listener');
  assert.deepEqual(
    found.map(({ severity, what }) => [severity, what]),
    [
      ['note', 'SIGTERM and SIGINT: signal-exit listens as well'],
      ['note', 'SIGTERM: shutDown (watched.cjs:2) listens as well'],
    ],
  );
  assert.match(found[0]?.advice ?? '', /only watches/);
  assert.deepEqual(
    report.signals.filter(({ from }) => from === 'application'),
    [{ signal: 'SIGTERM', process: 'main', name: 'shutDown', from: 'application', place: { file: join(folder, 'watched.cjs'), line: 2 } }],
  );
});

it('names nobody where Fulmar listens alone', async () => {
  const { report } = await examine(folder, ['alone.cjs', '--no-requests']);
  assert.deepEqual([report.signals, report.findings], [[], []]);
});
