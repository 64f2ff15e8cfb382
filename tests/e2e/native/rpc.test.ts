/** `fulmar/rpc` and `fulmar/client` on the native host: the server and its caller in one program, in JSON and in bytes. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fulmar, writeProject } from '../cli/support.ts';

test('serves an API and calls it', { timeout: 60_000 }, async () => {
  const project = writeProject({
    'package.json': '{"type":"module"}',
    'main.mjs': `import { createApp } from 'fulmar';
import { query, rpc, rpcError } from 'fulmar/rpc';
import { createClient } from 'fulmar/client';
import { binary } from 'fulmar/client/binary';

const number = { type: 'number' };
const app = createApp();
app.mount('/api', rpc({
  get: query({ params: [number] }, (c, id) => (id === 1 ? { id, seen: new Date(0), big: 10n } : rpcError({ type: 'none' }))),
  echo: query({ validateParams: false }, (c, value) => value),
  count: query({ params: [number] }, async function* (c, count) {
    for (let at = 0; at < count; at += 1) yield at;
  }),
}));
const server = await app.listen({ port: 0, host: '127.0.0.1' });
const client = createClient(server.url + '/api');
const found = [];
const [bird] = await client.query.get(1);
found.push(bird.seen instanceof Date, typeof bird.big, (await client.query.get(2))[1].type);
for await (const one of await client.orThrow.query.count(2)) found.push(one);
const [, again] = await client.batch((plan) => { const first = plan.get(1); return [first, plan.get(first.id)]; });
found.push(again[0].id, (await client.query.get('x'))[1].issues[0].path);
const inBytes = createClient(server.url + '/api', { binary });
const all = { at: new Date(5), rows: [{ x: 0.1, y: 1n }, { x: 2, y: -(10n ** 40n) }], text: 'é🐦\\ud800', floats: new Float32Array([0.5]), no: undefined };
await inBytes.orThrow.query.echo(1);
const back = await inBytes.orThrow.mutate.echo(all);
found.push(back.at.getTime(), String(back.rows[1].y), back.rows[0].x, back.text === all.text, back.floats[0]);
console.log(JSON.stringify(found));
await app.close();
`,
  });
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../../../packages/fulmar', import.meta.url)), join(project, 'node_modules', 'fulmar'));
  const { code, stdout, stderr } = await fulmar(project, ['run', '--native', 'main.mjs']);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), [true, 'bigint', 'none', 0, 1, 1, [0], 5, `-1${'0'.repeat(40)}`, 0.1, true, 0.5]);
});
