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
import { file, mutation, query, rpc, rpcError, stream } from 'fulmar/rpc';
import { createClient } from 'fulmar/client';
import { binary } from 'fulmar/client/binary';
import { parts } from 'fulmar/client/parts';

const number = { type: 'number' };
const app = createApp();
app.mount('/api', rpc({
  get: query({ params: [number] }, (c, id) => (id === 1 ? { id, seen: new Date(0), big: 10n } : rpcError({ type: 'none' }))),
  echo: query({ validateParams: false }, (c, value) => value),
  count: query({ params: [number] }, async function* (c, count) {
    for (let at = 0; at < count; at += 1) yield at;
  }),
  size: mutation({ params: [file()] }, async (c, given) => [given.name, given instanceof File, (await given.arrayBuffer()).byteLength]),
  twice: mutation({ params: [stream(number)] }, async function* (c, numbers) {
    for await (const one of numbers) yield one * 2;
  }),
  give: query({ params: [] }, () => new File(['a gull'], 'gull.txt')),
  wait: mutation({ params: [stream(number)] }, async (c, numbers) => {
    begin();
    try {
      for await (const one of numbers);
    } catch {
      told(c.signal.aborted);
    }
  }),
}));
let begin = () => {};
let told = () => {};
const server = await app.listen({ port: 0, host: '127.0.0.1' });
const client = createClient(server.url + '/api', { parts: parts() });
const found = [];
const [bird] = await client.query.get(1);
found.push(bird.seen instanceof Date, typeof bird.big, (await client.query.get(2))[1].type);
for await (const one of await client.orThrow.query.count(2)) found.push(one);
const [, again] = await client.batch((plan) => { const first = plan.get(1); return [first, plan.get(first.id)]; });
found.push(again[0].id, (await client.query.get('x'))[1].issues[0].path);
async function* upTo(count) {
  for (let at = 0; at < count; at += 1) yield at;
}
found.push(...(await client.orThrow.mutate.size(new File([new Uint8Array(300000)], 'gull.png'))));
for await (const one of await client.orThrow.mutate.twice(upTo(3))) found.push(one);
found.push(await (await client.orThrow.query.give()).text());
const controller = new AbortController();
let isEnded = false;
async function* endless() {
  try {
    for (;;) {
      yield 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    isEnded = true;
  }
}
const begun = new Promise((resolve) => (begin = resolve));
const left = new Promise((resolve) => (told = resolve));
const waiting = client.with({ signal: controller.signal }).mutate.wait(endless());
await begun;
controller.abort();
found.push((await waiting)[1].type, await left);
while (!isEnded) await new Promise((resolve) => setImmediate(resolve));
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
  assert.deepEqual(JSON.parse(stdout), [
    true,
    'bigint',
    'none',
    0,
    1,
    1,
    [0],
    'gull.png',
    true,
    300000,
    0,
    2,
    4,
    'a gull',
    'aborted',
    true,
    5,
    `-1${'0'.repeat(40)}`,
    0.1,
    true,
    0.5,
  ]);
});
