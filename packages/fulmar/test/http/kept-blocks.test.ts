/**
 * Header blocks that are kept: random replies get the block and the state that they get without the table.
 * `KEPT_BLOCKS_REPLIES=1000000` is a long run, `KEPT_BLOCKS_SEED=7` another sequence.
 */
import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { headerName } from '../../src/http/header-name.ts';
import type { HeaderList } from '../../src/http/headers-out.ts';
import { makeBlock, storedBlock } from '../../src/http/reply-head.ts';
import type { ResponseState } from '../../src/http/response-state.ts';

const REPLIES = Number(process.env['KEPT_BLOCKS_REPLIES'] ?? 40_000);
const SEED = Number(process.env['KEPT_BLOCKS_SEED'] ?? 1);

const NAMES = (
  'Content-Type content-type Content-Length Connection Transfer-Encoding Keep-Alive Date Trailer Set-Cookie Cookie ' +
  'Content-Disposition ETag Vary X-A x-a X-B 7 0-x X-Powered-By'
)
  .split(' ')
  .map(headerName);
const TEXTS = [
  'a',
  'b',
  'close',
  'keep-alive',
  'chunked',
  'text/plain; charset=utf-8',
  '5',
  '6',
  '',
  'ä\u{80}ÿ',
  'x'.repeat(300),
  'attachment; filename="Ã¤"',
];
const VALUES = [...TEXTS, 5, 6, 0, -0, 1.5, ['a'], ['a', 'b'], ['close', 'b'], true, null];

/** As many as an application has, so that the same come again, and places in the table are fought for. */
const SHAPES = 400;
const FIELDS_MAX = 20;

/** Numbers from 0 to below `max`, by a linear congruential generator. */
function generator(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

function randomList(random: (max: number) => number): HeaderList {
  const list: HeaderList = [];
  const count = random(8) === 0 ? random(FIELDS_MAX) : random(5);
  for (let i = 0; i < count; i += 1) list.push(NAMES[random(NAMES.length)], VALUES[random(VALUES.length)]);
  return list;
}

const state = (unique: ReadonlySet<string> | null): ResponseState =>
  ({
    _kindsSeen: 0,
    _last: false,
    shouldKeepAlive: true,
    chunkedEncoding: false,
    _contentLength: null,
    _removedConnection: true,
    _removedTE: true,
    _removedContLen: true,
    _defaultKeepAlive: true,
    _endLength: false,
    _unique: unique,
  }) as unknown as ResponseState;

test(`${REPLIES} random replies have the block they would have without the table`, () => {
  const random = generator(SEED);
  const shapes = Array.from({ length: SHAPES }, () => randomList(random));
  const unique = new Set(['x-a', 'vary']);
  for (let i = 0; i < REPLIES; i += 1) {
    // Most replies repeat a few shapes, some are new; each has a list of its own.
    const list = random(50) === 0 ? randomList(random) : shapes[random(random(3) === 0 ? SHAPES : 12)]!.slice();
    const names = random(20) === 0 ? unique : null;
    const [kept, plain] = [state(names), state(names)];
    const expected = makeBlock(plain, list.slice());
    assert.equal(storedBlock(kept, list), expected, `reply ${i} of seed ${SEED}`);
    assert.deepEqual(kept, plain, `reply ${i} of seed ${SEED}`);
  }
});

test('a list that is changed behind its reply changes no later one', () => {
  const list: HeaderList = [headerName('X-A'), 'one'];
  assert.equal(storedBlock(state(null), list), 'X-A: one\r\n');
  list[1] = 'two';
  assert.equal(storedBlock(state(null), list), 'X-A: two\r\n');
  assert.equal(storedBlock(state(null), [headerName('X-A'), 'one']), 'X-A: one\r\n');
});

test('names of another spelling are other names', () => {
  assert.equal(storedBlock(state(null), [headerName('X-Spelt'), 'v']), 'X-Spelt: v\r\n');
  assert.equal(storedBlock(state(null), [headerName('x-spelt'), 'v']), 'x-spelt: v\r\n');
});
