import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inlineConstants, readConstants } from '../passes/inline-format.mjs';

const FORMAT = 'export const Event = {\n  slot: 1,\n  kind: 2,\n} as const;\nexport const Reply = { head: 7 } as const;\n';
const constants = readConstants(FORMAT);

test('every number of an exported object is read', () => {
  assert.deepEqual(
    [...constants],
    [
      ['Event.slot', '1'],
      ['Event.kind', '2'],
      ['Reply.head', '7'],
    ],
  );
});

test('constants become numbers where they are imported, and only those that are', () => {
  const code = "import { Event } from '../exchange/format.ts';\nuse(Event.slot, Event.other, Reply.head, myEvent.slot);";
  assert.equal(
    inlineConstants(code, constants),
    "import { Event } from '../exchange/format.ts';\nuse(1, Event.other, Reply.head, myEvent.slot);",
  );
});

test('a file that imports none is left alone', () => {
  assert.equal(inlineConstants('use(Event.slot);', constants), undefined);
});

test('a format without constants is an error', () => {
  assert.throws(() => readConstants('export type Event = number;'), /format\.ts has no constants/);
});
