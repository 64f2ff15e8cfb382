/**
 * The verdict on a byte sequence, and the proof that it does not depend on how the bytes were cut (G7).
 *
 * Every sequence is followed by `LAST`, a valid request that closes the connection. After an accepted message
 * it must be answered; after a rejected one it must never reach a handler (G3).
 */
import assert from 'node:assert/strict';
import { pool, send, type Exchanged, type SendOptions } from './client.ts';
import type { Call, Recorder } from './recorder.ts';
import { field } from './reply.ts';

export const LAST = 'GET /last HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n';

export function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

export interface Verdict {
  readonly statuses: readonly number[];
  readonly bodies: readonly string[];
  readonly closed: string;
  /** `METHOD target content events` per handler call. */
  readonly calls: readonly string[];
}

export type Cuts = 'every' | 'some';

/** Whole, byte by byte, and every two pieces; `some` takes about a dozen two-piece cuts. */
export function fragmentations(whole: Buffer, cuts: Cuts): { readonly name: string; readonly pieces: Buffer[] }[] {
  const list = [
    { name: 'whole', pieces: [whole] },
    { name: 'byte by byte', pieces: Array.from(whole, (_, at) => whole.subarray(at, at + 1)) },
  ];
  const step = cuts === 'every' ? 1 : Math.max(1, Math.ceil(whole.length / 12));
  for (let at = 1; at < whole.length; at += step) {
    list.push({ name: `cut at ${at}`, pieces: [whole.subarray(0, at), whole.subarray(at)] });
  }
  return list;
}

function describe(call: Call): string {
  // Answered without looking at the content: what becomes of it is a matter of time.
  if (call.url.startsWith('/early')) return `${call.method} ${call.url}`;
  const content = Buffer.concat(call.chunks).toString('latin1');
  const fate = call.events.includes('end') ? 'end' : 'cut';
  return `${call.method} ${call.url} ${JSON.stringify(content)} ${fate}`;
}

export function toVerdict(recorder: Recorder, got: Exchanged): Verdict {
  return {
    statuses: got.replies.map((reply) => reply.status),
    bodies: got.replies.filter((reply) => reply.status === 200).map((reply) => reply.body.toString('latin1')),
    closed: got.resetAfterEnd ? 'fin, then reset' : got.closed,
    calls: recorder.calls(got.port).map(describe),
  };
}

export interface VerdictOptions extends SendOptions {
  readonly cuts?: Cuts;
  /** Without `LAST`. */
  readonly bare?: boolean;
  /**
   * A framing error inside the content: whether the handler ran before it was seen may differ, what it saw
   * may not be more.
   */
  readonly inContent?: boolean;
}

/** For an error inside the content: only what may not differ. */
function withoutTiming(verdict: Verdict): Verdict {
  return { ...verdict, calls: verdict.calls.filter((call) => call.endsWith(' end')) };
}

/**
 * Sends `text` in every fragmentation; asserts one verdict and that others are served; returns that verdict.
 */
export async function verdictOf(recorder: Recorder, text: string | Buffer, options: VerdictOptions = {}): Promise<Verdict> {
  const head = typeof text === 'string' ? bytes(text) : text;
  const whole = options.bare ? head : Buffer.concat([head, bytes(LAST)]);
  const list = fragmentations(whole, options.cuts ?? 'every').slice(0, options.bare ? undefined : head.length + 8);
  const verdicts = await pool(
    list.map(({ pieces }) => async () => {
      const verdict = toVerdict(recorder, await send(recorder.port, pieces, options));
      return options.inContent ? withoutTiming(verdict) : verdict;
    }),
  );
  const [first] = verdicts;
  assert(first);
  for (const [index, verdict] of verdicts.entries()) {
    assert.deepEqual(verdict, first, `the verdict differs when sent ${list[index]?.name} (actual) and whole (expected)`);
  }
  await recorder.probe.check();
  return first;
}

/** A rejected head: one error reply, no handler, an orderly close. */
export async function assertRejected(
  recorder: Recorder,
  text: string | Buffer,
  status: number | readonly number[],
  options: VerdictOptions = {},
): Promise<void> {
  const allowed = typeof status === 'number' ? [status] : status;
  const verdict = await verdictOf(recorder, text, options);
  assert.deepEqual(verdict.calls, [], 'no handler runs (G2, G3)');
  assert.equal(verdict.statuses.length, 1, `one reply, got ${verdict.statuses.join(' ')}`);
  assert(allowed.includes(verdict.statuses[0] ?? 0), `status ${verdict.statuses[0]}, expected ${allowed.join(' or ')}`);
  assert.equal(verdict.closed, 'fin', 'closed after a lingering close');
  const once = await send(recorder.port, [typeof text === 'string' ? bytes(text) : text], options);
  assert.equal(field(once.replies[0] ?? assert.fail('no reply'), 'connection')?.toLowerCase(), 'close');
}

/** A sequence the engine accepts: these calls, then `/last`. */
export async function assertAccepted(
  recorder: Recorder,
  text: string | Buffer,
  calls: readonly string[],
  options: VerdictOptions = {},
): Promise<void> {
  const verdict = await verdictOf(recorder, text, options);
  assert.deepEqual(verdict.calls, [...calls, 'GET /last "" end']);
  assert.deepEqual(
    verdict.statuses,
    Array.from({ length: calls.length + 1 }, () => 200),
  );
  assert.equal(verdict.closed, 'fin');
}
