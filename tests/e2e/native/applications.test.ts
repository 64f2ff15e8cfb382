/**
 * The examples as executables do what their sources do under plain node: alone in a folder that nobody can
 * write, started in an empty one, without any environment, and by root as another user.
 *
 * The visitors and the comparison are those of `express-app` and `koa-app`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { executable } from '../build/support.ts';
import { writeProject } from '../cli/support.ts';
import { play as playExpress } from '../express-app/play.ts';
import { scenarios as expressScenarios } from '../express-app/scenarios.ts';
import { play as playKoa } from '../koa-app/play.ts';
import { scenarios as koaScenarios } from '../koa-app/scenarios.ts';
import { Client } from '../support/client.ts';
import { launch, launchProgram, type Running } from '../support/launch.ts';
import type { ReplyText } from '../support/transcript.ts';

const applications = [
  { name: 'express-app', include: ['views', 'public', 'files'], scenarios: expressScenarios, play: playExpress },
  { name: 'koa-app', include: ['views', 'public'], scenarios: koaScenarios, play: playKoa },
];

/** A user who owns nothing here; only root can become another one. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const READ_ONLY = 0o555;

/** The executable of an example, where it can write nothing. */
async function makeReadOnly(name: string, include: readonly string[]): Promise<string> {
  const source = fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
  const { file } = await executable.build(
    source,
    'server.js',
    include.flatMap((path) => ['--include', path]),
  );
  chmodSync(file, READ_ONLY);
  for (const folder of [dirname(file), dirname(dirname(file))]) chmodSync(folder, READ_ONLY);
  return file;
}

/** `toText` has inflated it. */
const asItIs = (content: Buffer): Buffer => content;

const decoders: Readonly<Record<string, (content: Buffer) => Buffer>> = {
  gzip: asItIs,
  br: brotliDecompressSync,
  deflate: asItIs,
};

/**
 * Compressed content by what it holds: two builds of zlib choose different bytes. And without the line and
 * column that newer Nodes, and the QuickJS host, tell in errors of JSON.
 */
function alike(reply: ReplyText): ReplyText {
  const coding = reply.fields.find((line) => line.startsWith('Content-Encoding: '))?.slice('Content-Encoding: '.length);
  const decode = coding === undefined || !reply.isComplete ? undefined : decoders[coding];
  const isWhole = decode !== undefined && reply.content !== '' && reply.content !== '<coded>' && !reply.line.startsWith('206');
  if (!isWhole) return { ...reply, content: reply.content.replaceAll(/ \(line \d+ column \d+\)/g, '') };
  const fields = reply.fields.map((line) => line.replace(/^(Content-Length: )\d+$/, '$1<n>'));
  return { ...reply, fields, content: decode(Buffer.from(reply.content, 'latin1')).toString('latin1') };
}

for (const { name, include, scenarios, play } of applications) {
  describe(`${name} as an executable${isRoot ? ', as another user' : ''}`, () => {
    let node: Running;
    let native: Running;
    let file: string;

    before(async () => {
      file = await makeReadOnly(name, include);
      const cwd = writeProject({});
      chmodSync(cwd, READ_ONLY);
      const started = launchProgram(file, [], { cwd, env: {}, ...(isRoot ? { uid: NOBODY } : {}) });
      [node, native] = await Promise.all([launch('node', name), started]);
    });
    after(async () => {
      await Promise.all([node?.stop(), native?.stop()]);
      for (const folder of [dirname(file), dirname(dirname(file))]) chmodSync(folder, 0o700);
    });

    for (const scenario of scenarios) {
      test(`${scenario.name}, as under node`, { timeout: 60_000 }, async () => {
        const expected = await play(node, scenario);
        assert.deepEqual((await play(native, scenario)).map(alike), expected.map(alike));
      });
    }

    test('runs on Fulmar, leaves nothing behind, and ends well on SIGTERM', { timeout: 60_000 }, async () => {
      const client = new Client(native.port);
      const { content } = await client.get('/');
      client.close();
      assert.match(content.toString(), /<strong id="engine">Fulmar</);
      assert.deepEqual(await native.stop(), { code: 0, signal: null });
      assert.deepEqual(readdirSync(dirname(file)), ['app']);
    });
  });
}

test('starts as another user', { timeout: 60_000, skip: isRoot ? false : 'only root can start a program as another user' }, async () => {
  const file = await makeReadOnly('koa-app', ['views', 'public']);
  const running = await launchProgram(file, [], { cwd: '/', env: {}, uid: NOBODY });
  assert.deepEqual(await running.stop(), { code: 0, signal: null });
});

/** Runs "$0" where nothing of the root file system can be written; for this process and its children only. */
const READ_ONLY_ROOT = ['--mount', 'sh', '-c', 'mount --bind / / && mount -o remount,bind,ro / && exec "$0" "$@"'];
const canRemount = isRoot && spawnSync('unshare', [...READ_ONLY_ROOT, 'true']).status === 0;

test('runs on a read-only file system', { timeout: 60_000, skip: canRemount ? false : 'needs root and unshare' }, async () => {
  const file = await makeReadOnly('koa-app', ['views', 'public']);
  assert.equal(spawnSync('unshare', [...READ_ONLY_ROOT, 'touch', `${file}.new`]).status, 1);
  const { PATH } = process.env;
  const running = await launchProgram('unshare', [...READ_ONLY_ROOT, file], { cwd: dirname(file), env: { PATH } });
  const client = new Client(running.port);
  const { content } = await client.get('/');
  client.close();
  assert.match(content.toString(), /<strong id="engine">Fulmar</);
  assert.deepEqual(await running.stop(), { code: 0, signal: null });
});
