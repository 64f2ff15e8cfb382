/**
 * Plays a conversation with an application of Nest's and of ours: its sources import `@nestjs/*`, and run on Nest
 * (`fulmar run --no-alias`), on `fulmar/controllers` as they are, and built into one file with their imports changed. All
 * replies have to be Nest's.
 *
 * The manifest of this folder declares no `@nestjs/core`, which is what makes the applications ours.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { copyApp, here, toFulmar, toModule } from './changed.ts';
import { type Started, start } from './process.ts';

const run = promisify(execFile);
export const command = fileURLToPath(new URL('../../../packages/fulmar/bin/fulmar.cjs', import.meta.url));
const BUILD_MS_MAX = 120_000;

/** A reply as it is compared. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Client {
  /** Notes the reply, and gives it. */
  ask(path: string, init?: RequestInit): Promise<Reply>;
  json(path: string, init?: RequestInit): Promise<any>;
  readonly url: string;
  /** Notes something else that has to be the same. */
  note(what: unknown): void;
}

export interface NestApp {
  /** Its folder in `apps`. */
  readonly name: string;
  readonly play: (client: Client) => Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
  /** What differs from run to run in replies. */
  readonly masks?: readonly RegExp[];
  /** Files that it reads, for the built one. */
  readonly include?: readonly string[];
  /** Packages whose names are computed while it runs, for the built one. */
  readonly require?: readonly string[];
  /** Is it also built for the native host? Else why not. */
  readonly native: true | string;
}

/** Of the connection and of the moment; `Keep-Alive` says how long a server waits, which is each server's own. */
const unlike = new Set(['date', 'keep-alive', 'connection', 'transfer-encoding']);

export function playNestApp(app: NestApp): void {
  const folder = mkdtempSync(join(here, 'changed-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const entry = join(here, 'apps', app.name, 'main.ts');
  const changed = copyApp({ name: app.name, to: join(folder, 'commonjs'), type: 'commonjs', change: toFulmar });
  const out = join(folder, `${app.name}.mjs`);
  const play = (words: readonly string[]): Promise<readonly unknown[]> => transcribe(app, words);
  describe(app.name, () => {
    let expected: readonly unknown[];
    it('answers on Nest', async () => {
      expected = await play([command, 'run', '--no-alias', entry]);
      assert.ok(expected.length > 0);
    });
    it('answers the same on Fulmar, as it is', async () => {
      assert.deepEqual(await play([command, 'run', entry]), expected);
    });
    it('answers the same as an ES module', async () => {
      const module = copyApp({ name: app.name, to: join(folder, 'module'), type: 'module', change: toModule });
      assert.deepEqual(await play([command, 'run', module]), expected);
    });
    it('answers the same with its imports changed, built into one file', async () => {
      await build(changed, out, app);
      assert.deepEqual(await play([out]), expected);
    });
    if (app.native !== true) return;
    it('answers the same as an executable', async () => {
      const program = join(folder, `${app.name}.out`);
      await build(changed, program, app, ['--native']);
      assert.deepEqual(await transcribe(app, [], program), expected);
    });
  });
}

async function build(entry: string, out: string, { include = [], require = [] }: NestApp, more: readonly string[] = []): Promise<void> {
  const included = include.flatMap((path) => ['--include', join(entry, '..', path)]);
  const required = require.flatMap((name) => ['--require', name]);
  const words = [command, 'build', ...more, ...included, ...required, '-o', out, entry];
  await run(process.execPath, words, { timeout: BUILD_MS_MAX, cwd: join(entry, '..') });
}

async function transcribe(app: NestApp, words: readonly string[], program = process.execPath): Promise<readonly unknown[]> {
  const started = await start(program, words, app.env);
  const notes: unknown[] = [];
  try {
    await app.play(clientOf(started, notes, app.masks ?? []));
  } catch (error) {
    throw new Error(`the conversation broke off; the application printed:\n${started.printed()}`, { cause: error });
  } finally {
    await started.stop();
  }
  return notes;
}

function clientOf({ url }: Started, notes: unknown[], masks: readonly RegExp[]): Client {
  const mask = (text: string): string => masks.reduce((masked, pattern) => masked.replaceAll(pattern, '…'), text);
  const ask: Client['ask'] = async (path, init = {}) => {
    const response = await fetch(`${url}${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    const kept = [...response.headers].filter(([name]) => !unlike.has(name)).map(([name, value]): [string, string] => [name, mask(value)]);
    const reply: Reply = { status: response.status, headers: Object.fromEntries(kept), text };
    notes.push({ asked: `${init.method ?? 'GET'} ${path}`, ...reply, text: mask(text) });
    return reply;
  };
  return {
    url,
    ask,
    json: async (path, init) => JSON.parse((await ask(path, init)).text) as unknown,
    note: (what) => void notes.push(what),
  };
}
