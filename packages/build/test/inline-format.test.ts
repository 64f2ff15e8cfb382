import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inlineConstants, readConstants } from '../passes/inline-format.mjs';

const FORMAT = 'export const Event = {\n  slot: 1,\n  kind: 2,\n} as const;\nexport const Reply = { head: 7 } as const;\n';
const constants = readConstants(FORMAT);
const inline = (code: string): string | undefined =>
  inlineConstants(code, constants, { file: '/src/http/a.ts', format: '/src/exchange/format.ts' });

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
  const code =
    "import { Event } from '../exchange/format.ts';\nuse(Event.slot, Event.other, Reply.head, myEvent.slot, my.Event.slot, 'Event.slot'); // Event.slot";
  assert.equal(
    inline(code),
    "import { Event } from '../exchange/format.ts';\nuse(1, Event.other, Reply.head, myEvent.slot, my.Event.slot, 'Event.slot'); // Event.slot",
  );
});

test('a file that imports none is left alone', () => {
  assert.equal(inline('use(Event.slot);'), undefined);
  assert.equal(inline("import { Event } from './format.ts';\nuse(Event.slot);"), undefined);
  assert.equal(inline("import type { Event } from '../exchange/format.ts';"), undefined);
});

for (const imported of ['{ Event as E }', '* as E', 'E']) {
  test(`an import of format.ts that cannot be followed is an error: ${imported}`, () => {
    assert.throws(
      () => inline(`import ${imported} from '../exchange/format.ts';`),
      /\/src\/http\/a\.ts imports format\.ts as E; import what it exports, by its own name/,
    );
  });
}

test('a format without constants is an error', () => {
  assert.throws(() => readConstants('export type Event = number;'), /format\.ts has no constants/);
});
