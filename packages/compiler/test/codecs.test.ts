/** Classes that an application says a form of, and those of `Temporal`. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import fulmarApp, { type App } from '../../fulmar/src/app/index.ts';
import type { Issue } from '../../fulmar/src/shape/validate/rule-types.ts';
import { codec } from '../../fulmar/src/typed/codec.ts';
import { CompileError } from '../src/analyze/problem.ts';
import { compiled, makeProject, run } from './support.ts';

let folder = '';
before(() => {
  folder = makeProject({
    'money.ts': `import { codec } from 'fulmar/types';
export class Money { private constructor(readonly cents: number) {} static of(cents: number) { return new Money(cents); } plus(by: number) { return new Money(this.cents + by); } }
export const moneyCodec = codec('Money', Money, {
  encode: (money) => ({ cents: money.cents, at: new Date(0) }),
  decode: (sent: { cents: number; at: Date }) => { if (!Number.isInteger(sent.cents)) throw new Error('no cents'); return Money.of(sent.cents); },
});
`,
    'big.d.ts': 'export class Big { constructor(text: string); toString(): string; plus(other: Big): Big }',
    'big-codec.ts':
      "import { codec } from 'fulmar/types';\nimport { Big } from './big.js';\ncodec('Big', Big, { encode: String, decode: (text: string) => new Big(text) });\n",
    'again.ts':
      "import { codec } from 'fulmar/types';\nexport class Other { run() {} }\ncodec('Money', Other, { encode: () => 1, decode: (one: number) => new Other() });\n",
    'named.ts':
      "import { codec } from 'fulmar/types';\nexport class Other { run() {} }\nconst name = 'Other' as string;\ncodec(name, Other, { encode: () => 1, decode: (one: number) => new Other() });\n",
  });
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** The same class again: sources of tests import nothing of their folder when they run. */
class Money {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
}
codec('Money', Money, {
  encode: ({ cents }) => ({ cents, at: new Date(0) }),
  decode: ({ cents }: { cents: number; at: Date }) => {
    if (!Number.isInteger(cents)) throw new Error('no cents');
    return new Money(cents);
  },
});

interface Made {
  readonly validate: (value: unknown) => boolean;
  readonly errors: (value: unknown) => readonly Issue[];
  readonly parse: (text: string) => { total: Money; more?: Money[] | null };
  readonly stringify: (value: unknown) => string;
  readonly sample: () => { total: Money };
  readonly app: App;
}

const SOURCE = `import { createApp } from 'fulmar';
import { errors, parse, route, sample, stringify, validate } from 'fulmar/types';
import type { Money } from './money.ts';
interface Order { total: Money; more?: Money[] | null }
const app = createApp();
app.post('/orders', route<{ body: Order; response: Order }>(), (c) => c.body);
app.get('/orders', route<{ query: { at: Money } }>(), () => 1);
export default { validate: validate<Order>, errors: errors<Order>, parse: parse<Order>, stringify: stringify<Order>, sample: sample<Order>, app };`;

describe('a class with a codec', () => {
  const made = (): Made => run<Made>(folder, SOURCE, { fulmar: fulmarApp });
  const text = '{"total":{"cents":5,"at":"1970-01-01T00:00:00.000Z"},"more":[{"cents":7,"at":"1970-01-01T00:00:00.000Z"}]}';

  it('is what its instances are, and comes back from what is sent', () => {
    const { parse, stringify, validate } = made();
    const order = parse(text);
    assert.ok(order.total instanceof Money && order.more?.[0] instanceof Money);
    assert.deepEqual([order.total.cents, order.more[0].cents], [5, 7]);
    assert.equal(stringify(order), text);
    assert.deepEqual([validate(order), validate({ total: { cents: 5 } })], [true, false]);
    assert.throws(() => stringify({ total: { cents: 5 } }), /stringify: Money is expected by the type, and this is object/);
  });

  it('is refused where what came does not fit, and where the codec throws', () => {
    const { errors, parse } = made();
    assert.deepEqual(
      errors({ total: 5 }).map(({ path, expected, received }) => [path, expected, received]),
      [[['total'], 'Money', 'number']],
    );
    for (const total of ['{"cents":"5","at":"2026-01-01"}', '{"cents":0.5,"at":"2026-01-01"}', '{"cents":5}', 'null', '[]'])
      assert.throws(() => parse(`{"total":${total}}`), { code: 'FULMAR_VALIDATION', message: /total: Expected Money/ });
  });

  it('is taken and written by routes', async () => {
    const { app } = made();
    const reply = await app.inject({ url: '/orders', body: JSON.parse(text) as object });
    assert.deepEqual([reply.status, reply.text], [200, text]);
    assert.equal((await app.inject({ url: '/orders', body: { total: 1 } })).status, 422);
  });

  it('has samples', () => {
    const { sample, validate } = made();
    assert.equal(validate(sample()), true);
  });

  const WRONG: readonly (readonly [imports: string, type: string, told: RegExp])[] = [
    ["import type { Big } from './big.js'", 'Big', /Big is a class with the member toString\(\)/],
    ["import { Other } from './again.ts'; import { Money } from './money.ts'", 'Other | Money', /has a codec Money, and so has/],
    ["import type { Other } from './named.ts'", 'Other', /whose name is not written out: write codec\('Other', …\)/],
  ];
  for (const [imports, type, told] of WRONG) {
    it(`is told apart from others: ${type}`, () => {
      assert.throws(
        () => compiled(folder, `import { validate } from 'fulmar/types'; ${imports};\nexport const x = validate<${type}>;`),
        (error) => error instanceof CompileError && told.test(error.message),
      );
    });
  }

  it('may be another package’s, where the file of the codec is imported', () => {
    const code = compiled(
      folder,
      "import { stringify } from 'fulmar/types'; import { Big } from './big.js'; import './big-codec.ts';\nexport const x = stringify<Big>;",
    );
    assert.match(code, /codec\("Big"\)/);
  });

  it('is an error where nothing has registered it when a value comes', () => {
    const validate = run<(value: unknown) => boolean>(
      folder,
      `import { codec, validate } from 'fulmar/types';\nclass Late { run() {} }\nvoid (() => codec('Late', Late, { encode: () => 1, decode: (one: number) => new Late() }));\nexport default validate<Late>;`,
    );
    assert.throws(() => validate(1), /the codec Late is not registered: import the file that calls codec\('Late', …\)/);
  });

  it('refuses what is no codec', () => {
    assert.throws(
      () => codec('A', {} as typeof Money, { encode: () => 1, decode: () => new Money(1) }),
      /codec\('A'\) takes a class, and this is object/,
    );
    assert.throws(() => codec('A', Money, { encode: () => 1 } as never), /takes \{ encode, decode \}, and they are function and undefined/);
    assert.throws(() => codec('', Money, { encode: () => 1, decode: () => new Money(1) }), /a codec is not called ""/);
  });
});

describe('Temporal', () => {
  const { Temporal } = globalThis as { Temporal?: Readonly<Record<string, { from(text: string): { toString(): string } }>> };
  const VALUES: readonly (readonly [name: string, text: string, wrong: string])[] = [
    ['Instant', '2026-11-25T10:00:00.000000001Z', '2026-11-25'],
    ['PlainDate', '2024-02-29', '2023-02-30'],
    ['PlainDateTime', '2026-11-25T10:00:00', 'noon'],
    ['PlainTime', '10:30:00', '25:00'],
    ['PlainYearMonth', '2026-11', '2026-13'],
    ['PlainMonthDay', '11-25', '13-01'],
    ['ZonedDateTime', '2026-11-25T10:00:00+01:00[Europe/Berlin]', '2026-11-25T10:00:00Z'],
    ['Duration', 'P1DT2H', 'a day'],
  ];
  for (const [name, text, wrong] of VALUES) {
    it(`.${name} is its text in JSON, or is missed with an error`, () => {
      const type = `{ at: Temporal.${name} }`;
      const { parse, stringify, validate, sample } = run<{
        parse: (text: string) => { at: unknown };
        stringify: (value: unknown) => string;
        validate: (value: unknown) => boolean;
        sample: () => unknown;
      }>(
        folder,
        `import { parse, sample, stringify, validate } from 'fulmar/types';\nexport default { parse: parse<${type}>, stringify: stringify<${type}>, validate: validate<${type}>, sample: sample<${type}> };`,
      );
      if (Temporal === undefined) return assert.throws(() => parse(`{"at":"${text}"}`), /this host has no Temporal/);
      const value = parse(`{"at":"${text}"}`);
      assert.equal(String(value.at), text);
      assert.equal(stringify(value), `{"at":"${text}"}`);
      assert.deepEqual([validate(value), validate({ at: text }), validate(sample())], [true, false, true]);
      assert.throws(() => parse(`{"at":"${wrong}"}`), { code: 'FULMAR_VALIDATION', message: /at: Expected Temporal/ });
      assert.throws(() => parse(`{"at":"${'1'.repeat(200)}"}`), { code: 'FULMAR_VALIDATION' });
      return undefined;
    });
  }
});

it('bytes of half-precision floats are read where the host has them', () => {
  const validate = run<(value: unknown) => boolean>(
    folder,
    "import { validate } from 'fulmar/types';\nexport default validate<Float16Array>;",
  );
  const { Float16Array: Half } = globalThis as { Float16Array?: new (items: number[]) => object };
  assert.equal(validate(new Float32Array(1)), false);
  assert.equal(validate(Half === undefined ? 1 : new Half([1.5])), Half !== undefined);
});
