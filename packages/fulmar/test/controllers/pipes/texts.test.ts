/**
 * Pipes that Nest has not: texts changed, checked and read.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ParseCommaSeparatedPipe,
  ParseJSONPipe,
  type PipeTransform,
  SlugifyPipe,
  StripHTMLPipe,
  TransformCasePipe,
  TrimPipe,
  ValidateEmailPipe,
  ValidateLengthPipe,
  ValidateRangePipe,
} from '../../../src/controllers/index.ts';

const REFUSED = Symbol('refused');

/** `REFUSED` and the message, or the value. */
function through(pipe: PipeTransform, value: unknown): unknown {
  try {
    return pipe.transform(value, { type: 'query' }) as unknown;
  } catch (error) {
    return [REFUSED, (error as { status: number }).status, (error as Error).message];
  }
}

function table(name: string, pipe: () => PipeTransform, rows: readonly (readonly [unknown, unknown])[]): void {
  test(name, () => {
    for (const [given, expected] of rows) assert.deepEqual(through(pipe(), given), expected, JSON.stringify(given));
  });
}

const refused = (message: string, status = 400): unknown => [REFUSED, status, message];
const date = new Date(0);

table('TrimPipe takes blanks off texts, wherever they are', () => new TrimPipe(), [
  [' a ', 'a'],
  [
    { a: ' x ', b: [' y ', 1, null], c: { d: '\n' } },
    { a: 'x', b: ['y', 1, null], c: { d: '' } },
  ],
  [date, date],
  [undefined, undefined],
]);
table('TransformCasePipe changes letters', () => new TransformCasePipe('title'), [
  ['ÉCOLE élève 2b', 'École Élève 2b'],
  [5, 5],
]);
table('TransformCasePipe makes small letters unless told', () => new TransformCasePipe(), [['ÀB', 'àb']]);
table('TransformCasePipe makes capitals', () => new TransformCasePipe('upper'), [['straße', 'STRASSE']]);
table('SlugifyPipe makes words of addresses', () => new SlugifyPipe(), [
  ['  Crème brûlée, twice!  ', 'creme-brulee-twice'],
  ['a__b--c', 'a-b-c'],
  ['Привет мир', 'привет-мир'],
  ['---', ''],
  [7, 7],
]);
table('StripHTMLPipe takes tags out', () => new StripHTMLPipe(), [
  ['<b>bold</b> & <i class="x">more</i>', 'bold & more'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['a<!-- <b>x</b> -->b', 'ab'],
  ['<scr<script>ipt>alert(1)</script>', 'ipt>alert(1)'],
  ['open <img src=x', 'open '],
  [`${'<'.repeat(100_000)}b`, '<'.repeat(99_999)],
  [null, null],
]);
table('ValidateLengthPipe counts characters and items', () => new ValidateLengthPipe(2, 3), [
  ['ab', 'ab'],
  [
    [1, 2, 3],
    [1, 2, 3],
  ],
  ['a', refused('Length must be at least 2 characters')],
  ['', refused('Length must be at least 2 characters')],
  [[1, 2, 3, 4], refused('Length must not exceed 3 items')],
  [5, refused('Validation failed (text or list is expected)')],
  [undefined, refused('Validation failed (text or list is expected)')],
]);
table(
  'ValidateRangePipe makes numbers and keeps them in bounds',
  () => new ValidateRangePipe(1, 10, { optional: true, errorHttpStatusCode: 422 }),
  [
    ['5', 5],
    [10, 10],
    ['0.5', refused('Value must be at least 1', 422)],
    [11, refused('Value must not exceed 10', 422)],
    ['5x', refused('Value must be a number', 422)],
    ['', refused('Value must be a number', 422)],
    [undefined, undefined],
  ],
);
table('ValidateEmailPipe takes addresses', () => new ValidateEmailPipe(), [
  ['Ada.L+x@Example.co.uk', 'ada.l+x@example.co.uk'],
  ['', refused('Email is required')],
  [undefined, refused('Email is required')],
  ...['a@b', '@b.co', 'a@b..co', 'a@-b.co', 'a b@c.co', '.a@b.co', 'a@b.1', `${'a'.repeat(65)}@b.co`, 'a@b.co\n', ['a@b.co'], 5].map(
    (bad) => [bad, refused('Invalid email format')] as const,
  ),
]);
table('ParseJSONPipe reads texts', () => new ParseJSONPipe(), [
  ['{"a":[1,{"__proto__":{"x":1},"b":2}]}', { a: [1, { b: 2 }] }],
  ['null', null],
  [{ a: 1 }, { a: 1 }],
  ['{', refused('Invalid JSON format')],
  ['', refused('Invalid JSON format')],
  [undefined, refused('Validation failed (JSON string is expected)')],
]);
table('ParseCommaSeparatedPipe makes lists', () => new ParseCommaSeparatedPipe(), [
  ['a, b ,c', ['a', 'b', 'c']],
  [
    ['a,b', 'c'],
    ['a', 'b', 'c'],
  ],
  ['', []],
  [undefined, []],
  [{ toString: 1 }, refused('Validation failed (text or list of texts is expected)')],
  [[Object.create(null)], refused('Validation failed (text or list of texts is expected)')],
]);
table('ParseCommaSeparatedPipe leaves blanks where told', () => new ParseCommaSeparatedPipe(false), [['a, b', ['a', ' b']]]);

test('wrong bounds and cases are told when a pipe is made', () => {
  assert.throws(() => new TransformCasePipe('small' as never), /takes 'lower', 'upper' or 'title', and this is small/);
  assert.throws(() => new ValidateRangePipe(3, 2), /min of ValidateRangePipe is not above max, and these are 3 and 2/);
  assert.throws(() => new ValidateLengthPipe('1' as never), /min of ValidateLengthPipe is a number, and this is 1/);
});

test('what is taken out leaves no tag', () => {
  const pipe = new StripHTMLPipe();
  assert.equal(pipe.transform('<<b>script>alert(1)<<!-- a -->/script>'), 'alert(1)');
  assert.equal(pipe.transform('<<<b>b>script>a'), 'a');
  assert.equal(pipe.transform('1 < 2 << 3 <b>and</b> 4'), '1 < 2 << 3 and 4');
});

test('rows of marks take their time once', () => {
  const began = performance.now();
  assert.equal(new SlugifyPipe().transform(`a${'\u0316\u0301'.repeat(200_000)}b`), 'ab');
  assert.ok(performance.now() - began < 2000);
});
