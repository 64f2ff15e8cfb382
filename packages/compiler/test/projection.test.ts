/**
 * Lists, and objects that have some, may be copied and given to JSON.stringify at once: what that writes is what the
 * encoder writes piece by piece, also where the two would differ if nobody looked.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rmSync } from 'node:fs';
import { makeProject, run } from './support.ts';

const folder = makeProject();
after(() => rmSync(folder, { recursive: true, force: true }));

type Write = (value: unknown) => string;
const writerOf = (type: string, more = ''): Write =>
  run<Write>(folder, `import { stringify } from 'fulmar/types'; ${more} export default stringify<${type}>;`);

const USERS = [
  { id: 1, name: 'a text of some length', active: true, note: null },
  { note: 'x', name: '"quoted" \ud800', active: false, id: -0, more: 'nobody knows it' },
  { id: NaN, name: '', active: true, note: null, nick: undefined },
  { id: 1e21, name: 'n', active: true, note: null, nick: 'nick' },
];
const USER = '{ id: number; name: string; active: boolean; note: string | null; nick?: string }';

describe('lists are written as the encoder writes their items', () => {
  it('has declared members alone, in the order of the type', () => {
    const [list, one] = [writerOf(`(${USER})[]`), writerOf(USER)];
    assert.equal(list(USERS), `[${USERS.map(one).join(',')}]`);
  });

  it('is the same for an object that has a list of objects', () => {
    const [team, list] = [writerOf(`{ users: (${USER})[]; at: number }`), writerOf(`(${USER})[]`)];
    assert.equal(team({ at: 7, users: USERS, more: 1 }), `{"users":${list(USERS)},"at":7}`);
  });

  it('takes the member of a union that the discriminator tells', () => {
    const write = writerOf("({ kind: 'a'; size: number } | { kind: 'b'; of?: { text: string } })[]");
    const given = [{ kind: 'b' }, { size: 2, kind: 'a', text: 'no' }, { kind: 'b', of: { text: 'yes', more: 1 }, size: 3 }];
    assert.equal(write(given), '[{"kind":"b"},{"kind":"a","size":2},{"kind":"b","of":{"text":"yes"}}]');
    assert.throws(() => write([{ kind: 'c' }]), /one of the members of its union/);
  });

  it('keeps the order of members whose names are numbers', () => {
    assert.equal(writerOf('{ b: number; 1: string }[]')([{ 1: 'one', b: 2 }]), '[{"b":2,"1":"one"}]');
  });

  it('writes constants of the type, whatever stands there', () => {
    assert.equal(writerOf("{ kind: 'a'; list: { n: number }[] }")({ kind: 'b', list: [{ n: 1 }] }), '{"kind":"a","list":[{"n":1}]}');
  });
});

describe('what is not of the type is an error, as it is outside of a list', () => {
  for (const [type, value, message] of [
    [`(${USER})[]`, [{ ...USERS[0], name: 5 }], /a text is expected by the type, and this is number/],
    [`(${USER})[]`, [null], TypeError],
    ['{ list: { n: number }[] }', { list: [{ n: '5' }] }, /a number is expected by the type/],
    ['string[]', ['a', 'b', 'c', 'd', 5], /a text is expected/],
    ['string[]', ['a', 'b', 'c', 'd', undefined], /a text is expected/],
    ['number[]', [1, 2, 3, 4, 5n], /a number is expected/],
    ["('a' | 'b')[]", ['a', 'b', 'a', 'b', 5], /a text is expected/],
  ] as const) {
    it(`${type} refuses ${typeof value}`, () => {
      assert.throws(() => writerOf(type)(value), message as RegExp);
    });
  }
});

describe('nobody is asked what their JSON is', () => {
  it('not a list with a function toJSON', () => {
    const list = Object.assign(['a', 'b', 'c', 'd'], { toJSON: () => 'mine' });
    assert.equal(writerOf('string[]')(list), '["a","b","c","d"]');
  });

  it('not what all objects inherit', (t) => {
    const { prototype } = Object as { prototype: { toJSON?: unknown } };
    prototype.toJSON = () => 'mine';
    t.after(() => delete prototype.toJSON);
    assert.equal(writerOf('{ n: number }[]')([{ n: 1 }]), '[{"n":1}]');
    assert.equal(writerOf('number[]')([1, 2, 3, 4]), '[1,2,3,4]');
  });

  it('but dates of classes that have a form of their own', () => {
    class Zoned extends Date {
      override toISOString(): string {
        return '2026-01-02T03:04:05.678+01:00';
      }
    }
    const write = writerOf('Date');
    assert.equal(write(new Zoned(0)), '"2026-01-02T03:04:05.678+01:00"');
    for (const ms of [0, -1, 1_767_323_045_678, 253_402_300_800_000, -62_135_596_800_000, -8.64e15, 8.64e15]) {
      assert.equal(write(new Date(ms)), JSON.stringify(new Date(ms)));
    }
    assert.equal(write(new Date(NaN)), 'null');
  });
});

describe('dates are read as Date reads them', () => {
  const read = run<(text: string) => Date>(folder, "import { parse } from 'fulmar/types'; export default parse<Date>;");
  for (const text of [
    '2026-01-02T03:04:05.678Z',
    '2024-02-29T23:59:59.999Z',
    '0099-12-31T00:00:00.000Z',
    '0100-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.67+01:00',
    '+012026-01-02T03:04:05.678Z',
  ]) {
    it(text, () => {
      assert.equal(read(JSON.stringify(text)).getTime(), Date.parse(text));
    });
  }

  for (const text of ['2026-02-29T03:04:05.678Z', '2026-01-02T24:04:05.678Z', '2026-01-02T03:04:60.678Z', '2026-01-02t03:04:0a.678Z']) {
    it(`refuses ${text}`, () => {
      assert.throws(() => read(JSON.stringify(text)), { name: 'ValidationError' });
    });
  }
});
