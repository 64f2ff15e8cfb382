/**
 * What differs between two runs of the same conversation, as lines to read; and the tests of a server that is
 * part of `npm test`.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { buildUnlessBuilt } from './build.ts';
import { play } from './play.ts';
import type { Played, Runner } from './play.ts';
import type { Published } from './server.ts';
import type { Step } from './transcript.ts';

/** A conversation of two starts, on a busy machine. */
const CONVERSATION_MS_MAX = 240_000;
const DIFFERENCE_LINES_MAX = 40;

export interface Difference {
  /** The same place in two runs has the same key. */
  readonly key: string;
  readonly text: string;
}

export function countReplies(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + step.replies.length, 0);
}

/** Replies and notes that one of the runs has and the other has not. */
export function differences(stock: Played, ours: Played): Difference[] {
  const found: Difference[] = [];
  const names = new Set([...stock.steps, ...ours.steps].map(({ name }) => name));
  for (const name of names) {
    const [expected, seen] = [stock, ours].map(({ steps }) => steps.filter((step) => step.name === name));
    const texts = (steps: readonly Step[] = []): string[] => steps.flatMap(({ replies, notes }) => [...replies, ...notes]);
    const [lacking, added] = [without(texts(expected), texts(seen)), without(texts(seen), texts(expected))];
    for (let at = 0; at < Math.max(lacking.length, added.length); at += 1) {
      const first = (lacking[at] ?? added[at] ?? '').split('\n')[0] ?? '';
      found.push({ key: `${name}: ${first}`, text: `${name}: ${first}\n${lineDifference(lacking[at], added[at])}` });
    }
  }
  if (stock.failure !== ours.failure && ours.failure !== undefined) {
    found.push({ key: 'failure', text: `the conversation broke off: ${ours.failure}\nthe server printed:\n${ours.printed.slice(-3_000)}` });
  }
  if (!ours.isEnded && stock.isEnded) found.push({ key: 'end', text: 'does not end on SIGTERM' });
  return found;
}

function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function lineDifference(expected: string | undefined, seen: string | undefined): string {
  if (expected === undefined || seen === undefined)
    return expected === undefined ? `+ only under fulmar:\n${seen}` : `- only under node:\n${expected}`;
  const [one, two] = [expected.split('\n'), seen.split('\n')];
  const lines = [...without(one, two).map((line) => `  - ${line}`), ...without(two, one).map((line) => `  + ${line}`)];
  const shown =
    lines.length === 0
      ? ['  the same lines in another order', ...one.map((line) => `  - ${line}`), ...two.map((line) => `  + ${line}`)]
      : lines;
  return shown
    .slice(0, DIFFERENCE_LINES_MAX)
    .map((line) => line.slice(0, 2_000))
    .join('\n');
}

const SHOWN: Readonly<Record<Exclude<Runner, 'node'>, string>> = { fulmar: 'fulmar run', register: 'node --import fulmar/register' };

/**
 * Declares the tests of a server: on the Node that runs the tests, with it and with `fulmar run` or, where
 * told, with the module.
 */
export function compareServer(server: Published, runner: Exclude<Runner, 'node'> = 'fulmar'): void {
  const major = Number(process.versions.node.split('.')[0]);
  const skip = major < (server.nodeMin ?? 20) ? `${server.name} needs Node ${server.nodeMin}` : false;
  describe(`${server.name} under ${SHOWN[runner]}`, { skip }, () => {
    let stock: Played;
    let ours: Played;
    before(
      async () => {
        buildUnlessBuilt(server, process.execPath);
        stock = await play(server, { runner: 'node', node: process.execPath, isThorough: false });
        ours = await play(server, { runner, node: process.execPath, isThorough: false });
      },
      { timeout: CONVERSATION_MS_MAX },
    );

    test('runs on the engine, and without it under node', () => {
      assert.notEqual(stock.engine, true);
      assert.notEqual(ours.engine, false);
    });

    if (server.tellsHttp === true) {
      test("gives its application Fulmar's http, and Node's under node", () => {
        assert.match(stock.printed, /http is Fulmar's: false/);
        assert.doesNotMatch(stock.printed, /http is Fulmar's: true/);
        assert.match(ours.printed, /http is Fulmar's: true/);
        assert.doesNotMatch(ours.printed, /http is Fulmar's: false/);
      });
    }

    test('answers its real clients as under node', () => {
      assert.equal(stock.failure, undefined, `the conversation fails under node: ${stock.printed}`);
      assert.ok(countReplies(stock.steps) > 0, 'the conversation observed nothing');
      const found = differences(stock, ours).map(({ text }) => text);
      assert.equal(found.join('\n\n'), '');
    });

    test('ends on SIGTERM where it does under node', () => {
      assert.ok(!stock.isEnded || ours.isEnded);
    });
  });
}
