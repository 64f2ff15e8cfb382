/**
 * One application under plain node and under `fulmar run`: the same conversations with each, everything the
 * client saw compared, and proof that the second one ran on our engine.
 *
 * Conversations are played in their order, one after the other, on all sides: an application may keep state
 * between them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '../../e2e/support/client.ts';
import { mask, toText } from '../../e2e/support/transcript.ts';
import type { Mask, ReplyText } from '../../e2e/support/transcript.ts';
import { launch } from './launch.ts';
import type { End, Engine, Launch, Running } from './launch.ts';

export interface Talk {
  /** A client with keep-alive and cookies whose replies are all compared. */
  readonly client: Client;
  readonly port: number;
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Kept for the comparison: what any other client saw. */
  readonly note: (value: unknown) => void;
  /** Called when the conversation has ended, last first. */
  readonly after: (close: () => unknown) => void;
  readonly running: Running;
}

export interface Conversation {
  readonly name: string;
  readonly talk: (talk: Talk) => Promise<void>;
  readonly masks?: readonly Mask[];
  /**
   * Checks on the stock side that the conversation did what its name says, so that it cannot be equal by
   * being empty.
   */
  readonly check?: (replies: readonly ReplyText[], notes: readonly unknown[]) => void;
}

/** What runs under `fulmar run`. */
type Side = Pick<Launch, 'file' | 'env'>;

export interface AppTest {
  readonly name: string;
  readonly folder: URL;
  /** The entry under plain node. */
  readonly file: string;
  /** Options of Node, before the file, for all sides. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The entries under `fulmar run`; the same file unless told. */
  readonly sides?: readonly Side[];
  /** Called before anything is started: a build. */
  readonly prepare?: () => unknown;
  /** Which Express and which Koa are loaded under `fulmar run`; none unless told. */
  readonly express?: Engine['express'];
  readonly koa?: Engine['koa'];
  /**
   * Does the application handle SIGTERM itself? Otherwise node dies of it, and `fulmar run` drains and exits
   * with 0.
   */
  readonly handlesSigterm?: boolean;
  readonly masks?: readonly Mask[];
  readonly conversations: readonly Conversation[];
  /**
   * Printed lines that are compared; `undefined` leaves a line out. Stack frames and process ids never count.
   */
  readonly line?: (line: string) => string | undefined;
  /** Set where requests come at the same time, so that the order of what they print is nobody's promise. */
  readonly linesInAnyOrder?: boolean;
}

interface Outcome {
  readonly replies: readonly ReplyText[];
  readonly notes: readonly unknown[];
}

/** A conversation that takes longer than this hangs. */
const CONVERSATION_MS_MAX = 120_000;

/** Declares the tests of an application. */
export function compareApp(app: AppTest): void {
  const sides: readonly Side[] = app.sides ?? [{ file: app.file }];
  let stock: Running;
  let ours: readonly Running[] = [];

  describe(app.name, () => {
    before(async () => {
      await app.prepare?.();
      const start = (runner: 'node' | 'fulmar', { file, env }: Side): Promise<Running> =>
        launch({ runner, folder: app.folder, file, flags: app.flags ?? [], env: { ...app.env, ...env } });
      [stock, ...ours] = await Promise.all([start('node', app), ...sides.map((side) => start('fulmar', side))]);
    });
    after(async () => void (await Promise.all([stock, ...ours].map((side) => side?.stop()))));

    test('runs on the engine under fulmar run, and without it under node', async () => {
      assert.equal((await stock.engine()).engine, false);
      const expected = { engine: true, express: app.express ?? 'none', koa: app.koa ?? 'none' } satisfies Engine;
      for (const side of ours) assert.deepEqual(await side.engine(), expected);
    });

    for (const one of app.conversations) {
      test(`${one.name}, alike under node and fulmar run`, { timeout: CONVERSATION_MS_MAX }, async () => {
        const masks = [...(app.masks ?? []), ...(one.masks ?? [])];
        const expected = await play(stock, one, masks);
        one.check?.(expected.replies, expected.notes);
        assert.ok(expected.replies.length + expected.notes.length > 0, 'the conversation observed nothing');
        for (const side of ours) assert.deepEqual(await play(side, one, masks), expected);
      });
    }

    test('ends on SIGTERM, having printed the same', async () => {
      const ends = await Promise.all([stock, ...ours].map((side) => side.stop()));
      const [expected, ...found] = ends;
      if (app.handlesSigterm !== true) assert.deepEqual(expected, { code: null, signal: 'SIGTERM' } satisfies End);
      for (const end of found) assert.deepEqual(end, app.handlesSigterm === true ? expected : { code: 0, signal: null });
      const printed = [stock, ...ours].map(({ lines }) => ({ out: comparable(lines.out, app), err: comparable(lines.err, app) }));
      for (const lines of printed.slice(1)) assert.deepEqual(lines, printed[0]);
    });
  });
}

function comparable(lines: readonly string[], app: AppTest): string[] {
  const texts = lines
    .filter((line) => !/^\s+at .+|^listening on /.test(line))
    .map(app.line ?? ((line) => line))
    .filter((line) => line !== undefined)
    .map((line) => mask(line.replace(/^\(node:\d+\)/, '(node:<pid>)'), app.masks ?? []));
  return app.linesInAnyOrder === true ? texts.toSorted() : texts;
}

async function play(running: Running, one: Conversation, masks: readonly Mask[]): Promise<Outcome> {
  const notes: unknown[] = [];
  const closers: (() => unknown)[] = [];
  const client = new Client(running.port);
  closers.push(() => client.close());
  try {
    await one.talk({
      client,
      port: running.port,
      url: `http://127.0.0.1:${running.port}`,
      note: (value) => notes.push(value),
      after: (close) => closers.push(close),
      running,
    });
  } finally {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
  }
  return { replies: client.replies.map((reply) => toText(reply, masks)), notes: notes.map((value) => plain(value, masks)) };
}

/** A note as plain data, masked like the replies. */
function plain(value: unknown, masks: readonly Mask[]): unknown {
  const text = JSON.stringify(value, (_key, item: unknown) => (item instanceof Error ? { name: item.name, message: item.message } : item));
  return text === undefined ? undefined : JSON.parse(mask(text, masks));
}
