/**
 * One case of a comparison: the same application is built on both sides, the same requests are made, and
 * everything the client saw, plus what the application noted about itself, must be equal.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Server } from 'node:http';
import { Client } from './client.ts';
import type { Application } from './express-types.ts';
import { closeServer, listen, ours, stock } from './sides.ts';
import type { Side } from './sides.ts';
import { mask, toText } from './transcript.ts';
import type { Mask, ReplyText } from './transcript.ts';

export interface Bench extends Side {
  /** Kept for the comparison: events, log lines, what a middleware put on the request. */
  readonly note: (value: unknown) => void;
  /** Called when the case has ended, last first. */
  readonly after: (close: () => unknown) => void;
}

export interface Talk extends Bench {
  readonly client: Client;
  readonly port: number;
  readonly server: Server;
}

export interface Case {
  /** Returns the application, or a server that is not listening yet. */
  readonly build: (bench: Bench) => Application | Server | Promise<Application | Server>;
  readonly talk: (talk: Talk) => Promise<void>;
  readonly masks?: readonly Mask[];
  /**
   * Checks on the stock side that the case does what its name says, so that it cannot be equal by being
   * empty.
   */
  readonly check?: (replies: readonly ReplyText[], notes: readonly unknown[]) => void;
}

interface Outcome {
  readonly replies: readonly ReplyText[];
  readonly notes: readonly unknown[];
}

/** Declares a test that runs the case on both sides and compares. */
export function same(name: string, one: Case): void {
  test(name, { timeout: 30_000 }, async () => {
    const expected = await run(stock, one);
    one.check?.(expected.replies, expected.notes);
    assert.ok(expected.replies.length + expected.notes.length > 0, 'the case observed nothing');
    assert.deepEqual(await run(ours, one), expected);
  });
}

async function run(side: Side, one: Case): Promise<Outcome> {
  const notes: unknown[] = [];
  const closers: (() => unknown)[] = [];
  const bench: Bench = { ...side, note: (value) => notes.push(value), after: (close) => closers.push(close) };
  const closeAll = async (): Promise<void> => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
  };
  try {
    const made = await one.build(bench);
    const server = 'listen' in made && 'closeAllConnections' in made ? (made as Server) : side.http.createServer(made as Application);
    closers.unshift(() => closeServer(server));
    const port = await listen(server);
    const client = new Client(port);
    closers.push(() => client.close());
    await one.talk({ ...bench, client, port, server });
    // Late events (finish, close, a log line) belong to the case: the connections end before it is judged.
    await closeAll();
    await new Promise(setImmediate);
    const masks = one.masks ?? [];
    return { replies: client.replies.map((reply) => toText(reply, masks)), notes: notes.map((value) => plain(value, masks)) };
  } finally {
    await closeAll();
  }
}

/** A note as plain data, masked like the replies. */
function plain(value: unknown, masks: readonly Mask[]): unknown {
  const text = JSON.stringify(value, (_key, item: unknown) => (item instanceof Error ? { name: item.name, message: item.message } : item));
  return text === undefined ? undefined : JSON.parse(mask(text, masks));
}
