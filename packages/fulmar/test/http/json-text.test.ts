/**
 * JSON of replies: the same text as of `JSON.stringify`, whatever stands in for a date, and nothing is left
 * replaced. `JSON_DATES=1000000` is a long run, `JSON_SEED=7` another sequence.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { afterEach, test } from 'node:test';
import { runInNewContext, runInThisContext } from 'node:vm';
import { jsonText } from '../../src/http/json-text.ts';

const DATES = Number(process.env['JSON_DATES'] ?? 50_000);
const SEED = Number(process.env['JSON_SEED'] ?? 1);
const own = Date.prototype.toJSON;
const ownIso = Date.prototype.toISOString;

afterEach(() => {
  assert.equal(Date.prototype.toJSON, own);
});

/** Texts are made without a look at dates after many that had none. */
function wake(): void {
  for (let i = 0; i < 200; i++) jsonText([new Date(0)]);
}

function assertSame(value: unknown, ...rest: [unknown?, unknown?]): void {
  wake();
  assert.equal(jsonText(value, ...rest), JSON.stringify(value, ...(rest as [])));
}

function outcome(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const DAY_MS = 86_400_000;
const EDGES = [0, -1, 1, 999, 1000, 59_999, 60_000, DAY_MS - 1, DAY_MS, -DAY_MS, -62_167_219_200_000, -62_167_219_200_001];
const LATE = [253_402_300_799_999, 253_402_300_800_000, 8.64e15, -8.64e15, Number.NaN, 951_782_400_000, 1_709_164_800_000];

test('a date at any edge has the text that it has of its own', () => {
  for (const time of [...EDGES, ...LATE]) assertSame([new Date(time)]);
});

test('random dates have the texts that they have of their own', () => {
  let state = SEED;
  const random = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 0x1_0000_0000;
  const spans = [DAY_MS, 400 * DAY_MS, 4e12, 2.6e14, 8.64e15];
  wake();
  for (let i = 0; i < DATES; i++) {
    const date = new Date(Math.round((random() * 2 - 1) * (spans[i % spans.length] as number)));
    assert.equal(jsonText([date]), `[${JSON.stringify(date)}]`);
  }
});

test('values of all kinds have the text that JSON.stringify gives them', () => {
  const date = new Date(1_700_000_000_123);
  for (const value of [
    undefined,
    null,
    1,
    'a',
    true,
    date,
    [date, [date]],
    { a: date, b: { c: [date] } },
    Symbol('a'),
    () => 1,
    [undefined],
  ])
    assertSame(value);
});

test('replacer and spaces are given on', () => {
  const value = { at: new Date(5), list: [new Date(6)], b: 1 };
  assertSame(value, ['at']);
  assertSame(value, null, 2);
  assertSame(value, (_key: string, one: unknown) => (one === '1970-01-01T00:00:00.005Z' ? 'seen' : one), '\t');
  const seen: unknown[] = [];
  const note = function (this: Record<string, unknown>, key: string, one: unknown): unknown {
    seen.push(key, this[key], one);
    return one;
  };
  const told = (): unknown[] => seen.splice(0);
  wake();
  jsonText(value, note);
  const ours = told();
  JSON.stringify(value, note as never);
  assert.deepEqual(ours, told());
});

test('a date that answers for itself does so', () => {
  class Day extends Date {
    override toISOString(): string {
      return 'of the class';
    }
  }
  class Number_ extends Date {
    override valueOf(): number {
      return Number.NaN;
    }
  }
  const with_ = (members: object): Date => Object.assign(new Date(7), members);
  assertSame([
    new Day(1),
    new Number_(1),
    with_({ toISOString: () => 'its own' }),
    with_({ toJSON: () => ({ its: 'own' }) }),
    with_({ toJSON: undefined }),
    with_({ valueOf: () => Number.POSITIVE_INFINITY }),
    Object.defineProperty(new Date(7), Symbol.toPrimitive, { value: () => Number.NaN }),
    with_({ getTime: () => 0, extra: 1 }),
    Object.setPrototypeOf(new Date(7), null),
    Object.create(Date.prototype, { toISOString: { value: () => 'no date', enumerable: false }, valueOf: { value: () => 1 } }),
    { toJSON: Date.prototype.toJSON, toISOString: () => 'lent', valueOf: () => 1 },
    runInNewContext('new Date(9)'),
  ]);
});

test('what cannot be JSON is refused as by JSON.stringify', () => {
  const circle: unknown[] = [new Date(1)];
  circle.push({ circle });
  const invalid = Object.assign(new Date(3), { toISOString: 5 });
  for (const value of [circle, [new Date(1), 1n], [new Proxy(new Date(1), {})], [invalid], [Object.create(Date.prototype)]]) {
    wake();
    assert.equal(
      outcome(() => jsonText(value)),
      outcome(() => JSON.stringify(value)),
    );
    assert.equal(Date.prototype.toJSON, own);
  }
});

test('a program that has replaced what dates call is heard', (t) => {
  t.mock.method(Date.prototype, 'toISOString', () => 'replaced');
  assertSame([new Date(1)]);
  t.mock.restoreAll();
  t.mock.method(Date.prototype, 'toJSON', () => 'replaced');
  assert.equal(jsonText([new Date(1)]), '["replaced"]');
  t.mock.restoreAll();
  assert.equal(Date.prototype.toISOString, ownIso);
});

test('what is replaced while a text is made stays replaced', () => {
  const mine = (): string => 'mine';
  wake();
  const replacing = {
    toJSON(): string {
      Date.prototype.toJSON = mine;
      return 'done';
    },
  };
  try {
    assert.equal(jsonText([new Date(1), replacing, new Date(2)]), '["1970-01-01T00:00:00.001Z","done","mine"]');
    assert.equal(Date.prototype.toJSON, mine);
  } finally {
    Date.prototype.toJSON = own;
  }
});

test('what a limit of time has left there is away behind the next text', async () => {
  wake();
  const scope = globalThis as { endless?: () => void };
  scope.endless = () => {
    jsonText({
      toJSON(): void {
        for (;;);
      },
    });
  };
  assert.throws(() => runInThisContext('endless()', { timeout: 20 }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
  delete scope.endless;
  assert.equal(jsonText([new Date(1)]), '["1970-01-01T00:00:00.001Z"]');
  await Promise.resolve();
  assert.equal(Date.prototype.toJSON, own);
});

test('a text within a text is whole, and within it dates can be asked by the program', () => {
  wake();
  const inner = {
    toJSON: (): unknown => [jsonText({ at: new Date(1) }), new Date(2).toJSON(), outcome(() => new Date(Number.NaN).toJSON())],
  };
  assert.equal(jsonText([inner, new Date(3)]), JSON.stringify([inner, new Date(3)]));
});

test('a getter is called as often as by JSON.stringify, in its order', () => {
  const calls: string[] = [];
  const rows = [1, 2].map((id) => ({
    get a(): Date {
      calls.push(`a${id}`);
      return new Date(id);
    },
    b: { toJSON: (key: string) => calls.push(`b${id}${key}`) },
  }));
  wake();
  const text = jsonText(rows);
  const ours = calls.splice(0);
  assert.equal(
    text,
    JSON.stringify(rows).replaceAll(/"b":\d+/g, (one) => `"b":${Number(one.slice(4))}`),
  );
  assert.deepEqual(ours, calls);
});

test('after many texts without dates the next dates are right', () => {
  for (let i = 0; i < 300; i++) {
    assert.equal(jsonText({ i }), `{"i":${i}}`);
    if (i % 37 === 0) assert.equal(jsonText({ at: new Date(i) }), `{"at":"${new Date(i).toISOString()}"}`);
  }
});

test('whoever has replaced JSON.stringify sees the arguments that a framework gives', (t) => {
  const stringify = t.mock.method(JSON, 'stringify');
  wake();
  stringify.mock.resetCalls();
  jsonText({ a: 1 });
  jsonText({ a: 1 }, undefined, 2);
  assert.deepEqual(
    stringify.mock.calls.map((call) => call.arguments),
    [[{ a: 1 }], [{ a: 1 }, undefined, 2]],
  );
});

/** What a program writes that has `tamper` run before and `then` behind the loading of the file. */
function outputOf(tamper: string, then: string): string {
  const program = `
    const RealDate = Date;
    ${tamper};
    const { jsonText } = await import(${JSON.stringify(new URL('../../src/http/json-text.ts', import.meta.url).href)});
    ${then};`;
  const args = ['--import', new URL('../../../../scripts/ts-register.mjs', import.meta.url).href, '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout;
}

test('where built-in objects are frozen the text is the same', () => {
  const output = outputOf('', 'Object.freeze(Date.prototype); console.log(jsonText([new Date(1)]), jsonText([new Date(2)]))');
  assert.equal(output, '["1970-01-01T00:00:00.001Z"] ["1970-01-01T00:00:00.002Z"]\n');
});

test('where they are frozen within the call the text is the same', () => {
  const output = outputOf(
    'const lockdown = { toJSON: () => (Object.freeze(Date.prototype), 1) }',
    'console.log(jsonText([lockdown, new Date(1)]), jsonText([new Date(2)]), JSON.stringify([new Date(3)]))',
  );
  assert.equal(output, '[1,"1970-01-01T00:00:00.001Z"] ["1970-01-01T00:00:00.002Z"] ["1970-01-01T00:00:00.003Z"]\n');
});

const SHOW = 'const show = (make) => { try { return make(); } catch (error) { return error.message; } }';
const DATE_LIST = '[new RealDate(1700000000000), new RealDate(0)]';

for (const [what, tamper] of [
  ['a date without toJSON', 'delete Date.prototype.toJSON'],
  ['a toJSON that is no function', 'Date.prototype.toJSON = undefined'],
  ['another getTime', 'Date.prototype.getTime = () => 42'],
  ['another valueOf', 'Date.prototype.valueOf = () => Infinity'],
  [
    'a conversion that is refused',
    'Object.defineProperty(Date.prototype, Symbol.toPrimitive, { value() { throw new Error("no number"); } })',
  ],
  ['a Date that stands still', 'globalThis.Date = function () { return new RealDate(3e8); }; Date.prototype = RealDate.prototype'],
  ['a class that stands for Date', 'globalThis.Date = class Date extends RealDate {}'],
] as const) {
  test(`what was there before is kept: ${what}`, () => {
    const then = `${SHOW}; console.log(show(() => jsonText(${DATE_LIST})) === show(() => JSON.stringify(${DATE_LIST})));
      console.log(Object.keys(Date.prototype).join())`;
    assert.equal(outputOf(tamper, then), 'true\n\n');
  });
}

test('what is replaced between loading and the first date has no part in it', () => {
  const then = 'Float64Array.prototype.fill = () => 0; Math.floor = () => 1; console.log(jsonText([new Date(0), new Date(5e8)]))';
  assert.equal(outputOf('', then), '["1970-01-01T00:00:00.000Z","1970-01-06T18:53:20.000Z"]\n');
});

test('a date that is no time is not asked for its members', () => {
  const refuse = (): never => {
    throw new Error('asked');
  };
  assertSame([Object.defineProperty(new Date(Number.NaN), 'toISOString', { get: refuse })]);
});
