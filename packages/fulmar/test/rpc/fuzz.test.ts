/**
 * Rubbish for whatever reads RPC: the server its requests, the client its replies, both the hints of values. Nothing but
 * errors of ours comes of it, nothing reaches `Object.prototype`, and calls that are none never run.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { binary } from '../../../client/src/binary.ts';
import { type ClientError, createClient } from '../../../client/src/index.ts';
import { createApp } from '../../src/app/index.ts';
import { mutation, query, rpc } from '../../src/rpc/index.ts';
import { BINARY_TYPE } from '../../src/shape/binary/form.ts';
import { fromBinary, toBinary } from '../../src/shape/binary/values.ts';
import { fromWire, toWire } from '../../src/shape/wire-hints.ts';
import { assertNoPollution, changedBytes, type Pick, random, ROUNDS, SEED } from '../fuzz.ts';

const ownOfObject = Reflect.ownKeys(Object.prototype);
const from = `from seed ${SEED} on`;

/** A value of kinds that have hints. */
function anything(pick: Pick, depth = 3): unknown {
  const inner = (): unknown => anything(pick, depth - 1);
  const made: (() => unknown)[] = [
    () => pick(500) - 250,
    () => pick(1000) / 7,
    () => ['a', 'é"\\', '__proto__', '', 'text that is longer'][pick(5)],
    () => null,
    () => undefined,
    () => [NaN, Infinity, -Infinity][pick(3)],
    () => BigInt(pick(1000)) ** 9n,
    () => new Date(pick(1000)),
    () => new URL('https://birds.example'),
    () => new Uint8Array([1, 2]),
    () => new Float64Array([0.1]),
    () => [inner(), inner()],
    () => [{ a: inner() }, { a: inner() }],
    () => ({ a: inner(), b: inner(), constructor: 1 }),
    () => new Map([[inner(), inner()]]),
    () => new Set([inner(), inner()]),
  ];
  return made[pick(depth === 0 ? 11 : made.length)]?.();
}

const HINTS = [
  'date', 'bigint', 'url', 'bytes', 'undefined', 'nan', 'inf', 'nodate', 'x', '', '*', null, 1, [], {}, [[]],
  ['map', null], ['set', null], ['map', 'date'], ['set', { '*': 'bigint' }], ['bytes', 'Float64Array'], ['bytes', '__proto__'], ['bytes', 'Buffer'],
  ['ref', 0], ['ref', 0, '__proto__'], ['ref', -1], ['ref', 1e9], { __proto__: null, 'length': 'date' }, { '*': 'date', '0': 'bigint' }, { constructor: 'date' },
] as const; // prettier-ignore

/** JSON texts of hints that nobody writes. */
function oddHint(pick: Pick, depth = 2): string {
  if (depth === 0 || pick(2) === 0) return JSON.stringify(HINTS[pick(HINTS.length)]);
  const inner = oddHint(pick, depth - 1);
  return [
    `{"a":${inner}}`,
    `{"__proto__":${inner}}`,
    `{"*":${inner},"0":"date"}`,
    `["map",${inner}]`,
    `["set",${inner}]`,
    `{"length":${inner}}`,
  ][pick(6)] as string;
}

const PIECES = ['', '"', '{', '}', '[', ']', 'null', '0', '-', 'e9', '\\u0000', '"__proto__":1,', '"rpc":1,', '"as":"date",', '1e999', ','];

function changedText(text: string, pick: Pick): string {
  const at = pick(text.length + 1);
  return text.slice(0, at) + (PIECES[pick(PIECES.length)] as string) + text.slice(at + pick(4));
}

describe('hints of values', () => {
  it(`are refused by a TypeError or fit, ${from}`, () => {
    const pick = random(SEED);
    let refused = 0;
    for (let round = 0; round < ROUNDS * 4; round += 1) {
      const { json, as } = toWire(anything(pick));
      const hint: unknown = pick(3) === 0 ? as : JSON.parse(oddHint(pick));
      const text = JSON.stringify(json);
      try {
        fromWire(JSON.parse(text), hint);
      } catch (error) {
        assert.ok(
          error instanceof TypeError && /does not fit its value/.test(error.message),
          `${text} ${JSON.stringify(hint)}\n${String(error)}`,
        );
        refused += 1;
      }
    }
    assert.ok(refused > ROUNDS / 10 && refused < ROUNDS * 4);
    assertNoPollution(ownOfObject);
  });

  it('keep a member __proto__ what it is', () => {
    const value = JSON.parse('{"__proto__":{"admin":"1"},"a":"1"}') as object;
    const made = fromWire(value, JSON.parse('{"__proto__":{"admin":"bigint"},"a":"bigint"}')) as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(made), Object.prototype);
    assert.deepEqual(Object.keys(made), ['__proto__', 'a']);
    assert.equal(made['admin'], undefined);
    const again = toWire(made);
    assert.deepEqual(Object.keys(again.json as object), ['__proto__', 'a']);
    assertNoPollution(ownOfObject);
  });
});

describe('the binary form of what no type tells of', () => {
  it(`is refused by a DecodeError or a value that can be sent again, ${from}`, () => {
    const pick = random(SEED);
    let refused = 0;
    for (let round = 0; round < ROUNDS * 4; round += 1) {
      const bytes = changedBytes(toBinary(anything(pick)), pick, 1);
      let value: unknown;
      try {
        value = fromBinary(bytes);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'FULMAR_DECODE', `${Buffer.from(bytes).toString('hex')}\n${String(error)}`);
        refused += 1;
        continue;
      }
      // Not by value: an invalid date equals none.
      const again = toBinary(value);
      assert.deepEqual(toBinary(fromBinary(again)), again);
    }
    assert.ok(refused > ROUNDS / 10 && refused < ROUNDS * 4);
    assertNoPollution(ownOfObject);
  });
});

/** Hints by chance may have a member that the form has not. */
function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  try {
    return toBinary(value);
  } catch {
    return toBinary({ rpc: 1, params: [null] });
  }
}

describe('a server of RPC', () => {
  const logged: unknown[] = [];
  let called = 0;
  const count = (): number => (called += 1);
  const app = createApp({ logger: { error: (...what) => logged.push(what) }, bodyLimit: 100_000 });
  app.mount(
    '/api',
    rpc({
      echo: mutation({ validateParams: false }, (_c, value: unknown) => (count(), value)),
      query: query({ validateParams: false }, (_c, value: unknown) => (count(), value)),
      strict: mutation(
        { params: [{ type: 'object', required: ['a'], properties: { a: { type: 'integer' } }, additionalProperties: false }] },
        count,
      ),
    }),
  );
  const paths = ['echo', 'query', 'strict', '~batch', 'constructor', '__proto__', 'echo/'];

  async function ask(path: string, init: RequestInit, told: () => string): Promise<number> {
    const before = called;
    const response = await app.fetch(new Request(`http://localhost/api/${path}`, init));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isBinary = response.headers.get('content-type') === BINARY_TYPE;
    const reply = (isBinary ? fromBinary(bytes) : JSON.parse(new TextDecoder().decode(bytes))) as { rpc: number; error?: { type: string } };
    assert.equal(reply.rpc, 1, told());
    assert.equal(reply.error === undefined, response.status === 200, told());
    assert.ok(response.status < 500, `${told()}\n${String((logged.at(-1) as unknown[] | undefined)?.at(-1))}`);
    assert.ok(response.status === 200 || called === before, 'what is refused does not run');
    return response.status;
  }

  const call = (pick: Pick): object => {
    const { json, as } = toWire([anything(pick)]);
    if (pick(4) > 0) return { rpc: 1, params: json, ...(as === undefined ? {} : { as }) };
    const calls = Array.from({ length: pick(4) }, () => ({
      path: paths[pick(paths.length)],
      params: json,
      as: JSON.parse(oddHint(pick)) as unknown,
    }));
    return { rpc: 1, calls, values: {}, timeout: pick(3) };
  };

  it(`answers changed calls in JSON in its own words, ${from}`, async () => {
    const pick = random(SEED);
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = paths[pick(paths.length)] as string;
      let text = JSON.stringify(call(pick));
      for (let times = pick(3); times > 0; times -= 1) text = changedText(text, pick);
      const init = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: pick(2) === 0 ? BINARY_TYPE : '*/*' },
        body: text,
      };
      statuses.add(await ask(path, init, () => `${path} ${text}`));
    }
    assert.deepEqual([...statuses].sort(), [200, 400, 404, 422]);
    assertNoPollution(ownOfObject);
  });

  it(`answers changed queries in its own words, ${from}`, async () => {
    const pick = random(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { json } = toWire([anything(pick)]);
      const params = pick(2) === 0 ? JSON.stringify(json) : changedText(JSON.stringify(json), pick);
      const as = pick(2) === 0 ? oddHint(pick) : changedText(oddHint(pick), pick);
      const search = [
        `rpc=${pick(9) === 0 ? '2' : '1'}`,
        `params=${encodeURIComponent(params)}`,
        `as=${encodeURIComponent(as)}`,
        `timeout=${pick(3) - 1}`,
      ];
      const query = search.slice(0, 1 + pick(4)).join('&');
      await ask(
        `query?${pick(20) === 0 ? changedText(query, pick).replaceAll(/[{}[\]"\\]/g, '%') : query}`,
        { method: 'GET' },
        () => query,
      );
    }
    assertNoPollution(ownOfObject);
  });

  it(`answers changed calls in the binary form in its own words, ${from}`, async () => {
    const pick = random(SEED);
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = paths[pick(paths.length)] as string;
      const given = pick(2) === 0 ? call(pick) : { rpc: 1, params: [anything(pick)] };
      const whole = bytesOf(given);
      const bytes = pick(5) === 0 ? whole : changedBytes(whole, pick, pick(20) === 0 ? 0 : 1);
      const headers = { 'Content-Type': BINARY_TYPE, Accept: pick(2) === 0 ? BINARY_TYPE : '*/*' };
      const init = { method: 'POST', headers, body: bytes as Uint8Array<ArrayBuffer> };
      statuses.add(await ask(path, init, () => `${path} ${Buffer.from(bytes).toString('hex')}`));
    }
    assert.deepEqual([...statuses].sort(), [200, 400, 404, 422]);
    assertNoPollution(ownOfObject);
  });

  it('answers calls that are as deep, as wide or as long as they can be', async () => {
    const json = { 'Content-Type': 'application/json' };
    const bytes = { 'Content-Type': BINARY_TYPE };
    const nested = (level: readonly number[]): Uint8Array<ArrayBuffer> =>
      Uint8Array.from([1, ...Array.from({ length: 20_000 }, () => level).flat()]);
    for (const init of [
      { headers: json, body: '['.repeat(99_000) },
      { headers: json, body: `{"params":[${'{"a":'.repeat(10_000)}` },
      { headers: json, body: `{"params":[],"as":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}` },
      { headers: json, body: `{"params":["${'9'.repeat(90_000)}"],"as":{"0":"bigint"}}` },
      { headers: bytes, body: nested([0xed, 1]) },
      { headers: bytes, body: nested([0xef, 1, 0]) },
      { headers: bytes, body: nested([0xf2, 1, 0, 1]) },
      { headers: bytes, body: nested([0xf0, 1]) },
      { headers: bytes, body: nested([0xed, 0xff, 0x7f]) },
    ])
      assert.equal(await ask('echo', { method: 'POST', ...init }, () => String(init.body).slice(0, 60)), 400);
  });
});

describe('a client of RPC', () => {
  const make = (content: string | Uint8Array<ArrayBuffer>, type: string, status = 200) =>
    createClient<never>('http://localhost/api', {
      binary,
      retries: 0,
      fetch: () => Promise.resolve(new Response(content, { status, headers: { 'Content-Type': type } })),
    }) as unknown as {
      mutate: { echo(value: unknown): Promise<readonly [unknown, ClientError | undefined]> };
      batch(plan: (api: { echo(value: unknown): unknown }) => unknown[]): Promise<readonly (readonly [unknown, ClientError | undefined])[]>;
    };

  /** A pair, whatever comes: an error is a `ClientError`. */
  async function look(client: ReturnType<typeof make>, told: () => string): Promise<void> {
    const pairs = [await client.mutate.echo(1), ...(await client.batch((api) => [api.echo(1), api.echo(2)]))];
    for (const pair of pairs) {
      assert.equal(pair.length, 2);
      const [value, error] = pair;
      if (error !== undefined) assert.equal(error.name, 'ClientError', told());
      if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) continue;
      try {
        for await (const item of value as AsyncIterable<unknown>) void item;
      } catch (cause) {
        assert.equal((cause as Error).name, 'ClientError', told());
      }
    }
  }

  const reply = (pick: Pick): object => {
    const { json, as } = toWire(anything(pick));
    const error = { type: 'no-bird', status: 404, message: 'x', data: json, as, issues: pick(2) === 0 ? json : [] };
    const one = pick(2) === 0 ? { value: json, as: pick(2) === 0 ? as : (JSON.parse(oddHint(pick)) as unknown) } : { error };
    return pick(3) === 0 ? { rpc: 1, results: [one, pick(2) === 0 ? json : toBinary(anything(pick))] } : { rpc: 1, ...one };
  };
  const STATUSES = [200, 404, 500, 415];

  it(`gives values or errors of its own for changed replies in JSON, ${from}`, async () => {
    const pick = random(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const text = JSON.stringify(reply(pick));
      const content = pick(3) === 0 ? text : changedText(text, pick);
      await look(make(content, 'application/json', STATUSES[pick(4)]), () => content);
    }
    assertNoPollution(ownOfObject);
  });

  it(`gives values or errors of its own for changed replies in the binary form, ${from}`, async () => {
    const pick = random(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const whole = bytesOf(reply(pick));
      const content = (pick(4) === 0 ? whole : changedBytes(whole, pick)) as Uint8Array<ArrayBuffer>;
      await look(make(content, BINARY_TYPE, STATUSES[pick(4)]), () => Buffer.from(content).toString('hex'));
    }
    assertNoPollution(ownOfObject);
  });

  it(`gives items or errors of its own for changed streams, ${from}`, async () => {
    const pick = random(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const lines = Array.from({ length: 1 + pick(3) }, () => JSON.stringify(reply(pick)));
      const text = [...lines, pick(3) === 0 ? '{"done":1}' : '{"done":true}', ''].join('\n');
      const content = pick(3) === 0 ? text : changedText(text, pick);
      await look(make(content, 'application/x-ndjson'), () => content);
    }
    assertNoPollution(ownOfObject);
  });
});
