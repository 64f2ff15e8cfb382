/** Tests from tables: a row is a message, by name, that is rejected or accepted however its bytes are cut. */
import { test } from 'node:test';
import type { Recorder } from './recorder.ts';
import { assertAccepted, assertRejected } from './verdict.ts';

/** A message that is rejected, with 400 unless the row has other statuses. */
type Rejected = readonly [name: string, text: string, status?: number | readonly number[]];
/** A message that is accepted, and the calls of the handler it leads to. */
type Accepted = readonly [name: string, text: string, ...calls: string[]];

/** `recorder` is asked for when a test runs. */
export function defineRows(recorder: () => Recorder): {
  rejects(rows: readonly Rejected[]): void;
  accepts(rows: readonly Accepted[]): void;
} {
  return {
    rejects(rows) {
      for (const [name, text, status = 400] of rows) test(`rejects ${name}`, () => assertRejected(recorder(), text, status));
    },
    accepts(rows) {
      for (const [name, text, ...calls] of rows) test(`accepts ${name}`, () => assertAccepted(recorder(), text, calls));
    },
  };
}
