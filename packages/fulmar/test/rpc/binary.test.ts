/** The binary form between client and server: when it is spoken, what comes through, what others get, what is refused. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { binary } from '../../../client/src/binary.ts';
import { type ClientOptions, createClient } from '../../../client/src/index.ts';
import { createApp } from '../../src/app/index.ts';
import { mutation, query, rpc, rpcError } from '../../src/rpc/index.ts';
import { BINARY_TYPE } from '../../src/shape/binary/form.ts';
import { fromBinary, toBinary } from '../../src/shape/binary/values.ts';
import { serverOf } from '../app/server.ts';

const number = { type: 'number' } as const;
const points = Array.from({ length: 1000 }, (_, at) => ({ x: Math.sin(at), y: at }));
const logged: unknown[] = [];

const tree = {
  echo: mutation({ validateParams: false }, (_c, value: unknown) => value),
  same: query({ validateParams: false }, (_c, value: unknown) => value),
  points: query({ params: [] }, () => points),
  half: query({ params: [number], returns: number }, (_c, value) => value / 2),
  find: query({ params: [number] }, (_c, id) =>
    id === 1 ? { id } : rpcError({ type: 'no-bird', status: 404, data: { at: new Date(0), id } }),
  ),
  function: query({ params: [] }, () => () => 1),
  watch: query({ params: [] }, async function* () {
    yield { at: new Date(1) };
    yield 2;
  }),
  nothing: mutation({ params: [] }, () => undefined),
};

interface Seen {
  readonly method: string;
  readonly content: string | undefined;
  readonly reply: string | undefined;
}

describe('the binary form', () => {
  const app = createApp({ logger: { error: (...what) => logged.push(...what) }, bodyLimit: 65_536 });
  const seen: Seen[] = [];
  let isOld = false;
  const both = rpc(tree);
  const old = rpc(tree, { binary: false });
  app.mount('/new', both);
  app.mount('/old', old);
  app.mount('/either', (request: Request) => (isOld ? old : both).fetch(new Request(request.url.replace('/either', ''), request)));
  let origin = '';
  before(async () => {
    const { port } = (await serverOf(app)).address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
  });
  after(() => app.close());

  const make = (path: string, options: ClientOptions = {}) =>
    createClient<typeof both>(origin + path, {
      binary,
      interceptors: [
        async (outgoing, next) => {
          const response = await next(outgoing);
          const { method = 'GET', headers } = outgoing.init;
          seen.push({ method, content: headers['Content-Type'], reply: response.headers.get('content-type') ?? undefined });
          return response;
        },
      ],
      ...options,
    });
  /** One that has had a reply in the binary form. */
  const speaking = async (path = '/new') => {
    const client = make(path);
    await client.orThrow.query.half(1);
    seen.length = 0;
    return client;
  };

  it('is spoken from the first reply on', async () => {
    seen.length = 0;
    const client = make('/new');
    for (let round = 0; round < 2; round += 1) {
      assert.equal(await client.orThrow.mutate.echo('x'), 'x');
      assert.equal(await client.orThrow.query.half(3), 1.5);
    }
    assert.deepEqual(seen, [
      { method: 'POST', content: 'application/json', reply: BINARY_TYPE },
      { method: 'GET', content: undefined, reply: BINARY_TYPE },
      { method: 'POST', content: BINARY_TYPE, reply: BINARY_TYPE },
      { method: 'GET', content: undefined, reply: BINARY_TYPE },
    ]);
  });

  it('is not spoken to a server that has none', async () => {
    seen.length = 0;
    const client = make('/old');
    assert.deepEqual(await client.orThrow.mutate.echo(new Date(5)), new Date(5));
    assert.deepEqual(await client.orThrow.mutate.echo(1n), 1n);
    assert.ok(seen.every(({ content, reply }) => content === 'application/json' && reply === 'application/json; charset=utf-8'));
  });

  it('is given up where the server was replaced by one that has none', async () => {
    isOld = false;
    const client = await speaking('/either');
    assert.equal(await client.orThrow.mutate.echo('x'), 'x');
    isOld = true;
    const [, error] = await client.mutate.echo('y');
    assert.deepEqual([error?.type, error?.status], ['unsupported-type', 415]);
    assert.equal(await client.orThrow.mutate.echo('z'), 'z');
    assert.deepEqual(
      seen.map(({ content }) => content),
      [BINARY_TYPE, BINARY_TYPE, 'application/json'],
    );
  });

  it('is not sent to who does not ask for it by name', async () => {
    for (const accept of [
      '*/*',
      'application/*',
      'application/json',
      `${BINARY_TYPE};q=0, */*`,
      `${BINARY_TYPE};q=0.5, application/json`,
    ]) {
      const response = await fetch(`${origin}/new/half?params=[1]`, { headers: { Accept: accept } });
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8', accept);
      assert.equal(response.headers.get('vary'), 'Accept');
      assert.deepEqual(await response.json(), { rpc: 1, value: 0.5 });
    }
    const plain = createClient<typeof both>(`${origin}/new`);
    assert.equal(await plain.orThrow.query.half(1), 0.5);
  });

  const values: readonly [string, unknown][] = [
    ['dates', new Date(5)],
    [
      'maps and sets',
      new Map<unknown, unknown>([
        ['a', new Set([1n])],
        [{ b: 1 }, null],
      ]),
    ],
    ['bytes', new Uint8Array([1, 2, 3])],
    ['other classes of bytes', [new Float64Array([0.1]), new Int16Array([-1]), new BigInt64Array([-1n]), new ArrayBuffer(3)]],
    ['what is no number', [NaN, Infinity, -Infinity]],
    ['Unicode', ['🐦\u2028\u0000', '\ufeff', '\ud800', 'é'.repeat(300)]],
    ['a URL', new URL('https://birds.example/?a')],
    ['empty objects', [{}, {}]],
    ['nothing in a list', [undefined, null]],
    ['an object that looks like a hint', { '*': 1, ref: ['ref', 0], as: 'date' }],
    [
      'rows',
      [
        { a: 1, b: 'x' },
        { a: 2, b: null },
      ],
    ],
    ['rows that differ', [{ a: 1 }, { b: 1 }, { a: 1, c: null }, []]],
    ['numbers', [1, 2.5, 2 ** 40]],
    ['a bigint', -(2n ** 200n)],
  ];
  for (const [name, value] of values) {
    it(`brings ${name} there and back`, async () => {
      const client = await speaking();
      assert.deepEqual(await client.mutate.echo(value), [value, undefined]);
      assert.deepEqual(await client.query.same(value), [value, undefined]);
    });
  }

  it('sends points and numbers in less than half of their JSON', async () => {
    for (const path of ['points', 'same?params=' + encodeURIComponent(JSON.stringify([points.slice(0, 50).map(({ x }) => x)]))]) {
      const [json, bytes] = await Promise.all(
        ['application/json', BINARY_TYPE].map(async (accept) => {
          const response = await fetch(`${origin}/new/${path}`, { headers: { Accept: accept } });
          return (await response.arrayBuffer()).byteLength;
        }),
      );
      assert.ok((bytes ?? 0) > 100 && (bytes ?? 0) < (json ?? 0) / 2, `${bytes} and ${json} bytes`);
    }
    assert.deepEqual(await (await speaking()).orThrow.query.points(), points);
  });

  it('sends long queries by POST', async () => {
    const client = await speaking();
    assert.deepEqual(await client.orThrow.query.same(points), points);
    assert.deepEqual(seen, [{ method: 'POST', content: BINARY_TYPE, reply: BINARY_TYPE }]);
  });

  it('tells errors in JSON, as ever', async () => {
    const client = await speaking();
    const [, missing] = await client.query.find(7);
    assert.deepEqual([missing?.type, missing?.data], ['no-bird', { at: new Date(0), id: 7 }]);
    const [, invalid] = await client.mutate.echo(() => 1);
    assert.deepEqual([invalid?.type, invalid?.status, invalid?.message], ['invalid-params', 0, 'a function cannot be sent']);
    client.set('a' as never, 1 as never);
    const [, wrong] = await client.query.half('x' as never);
    assert.deepEqual([wrong?.type, wrong?.issues[0]?.path], ['invalid-params', [0]]);
    const [, unsendable] = await client.query.function();
    assert.equal(unsendable?.type, 'internal');
    assert.match(String((logged.at(-1) as Error).message), /a function cannot be sent/);
    assert.ok(seen.every(({ reply }) => reply === 'application/json; charset=utf-8'));
  });

  it('gives nothing, streams, and parts of a batch', async () => {
    const client = await speaking();
    assert.deepEqual(await client.mutate.nothing(), [undefined, undefined]);
    const items: unknown[] = [];
    for await (const item of await client.orThrow.query.watch()) items.push(item);
    assert.deepEqual(items, [{ at: new Date(1) }, 2]);
    seen.length = 0;
    const at = new Date(7);
    const results = await client.batch((plan) => {
      const first = plan.same({ deep: [at, new Float64Array([0.5])] }) as { deep: unknown[] };
      return [plan.echo(first.deep[0]), plan.find(2), plan.echo(first), plan.watch(), plan.nothing()] as never[];
    });
    const [one, missing, whole, stream, nothing] = results as unknown as [unknown, { type: string; data: unknown }][];
    assert.deepEqual(one, [at, undefined]);
    assert.deepEqual([missing?.[1].type, missing?.[1].data], ['no-bird', { at: new Date(0), id: 2 }]);
    assert.deepEqual((whole?.[0] as { deep: unknown[] } | undefined)?.deep[0], at);
    assert.equal(stream?.[1].type, 'bad-request');
    assert.deepEqual(nothing, [undefined, undefined]);
    assert.deepEqual(seen, [{ method: 'POST', content: BINARY_TYPE, reply: BINARY_TYPE }]);
  });

  it('has entity tags of its own', async () => {
    const headers = { Accept: BINARY_TYPE };
    const first = await fetch(`${origin}/new/points`, { headers });
    const tag = first.headers.get('etag') ?? '';
    await first.arrayBuffer();
    const again = await fetch(`${origin}/new/points`, { headers: { ...headers, 'If-None-Match': tag } });
    assert.equal(again.status, 304);
    const json = await fetch(`${origin}/new/points`, { headers: { 'If-None-Match': tag } });
    assert.equal(json.status, 200);
    await json.arrayBuffer();
  });

  const post = (content: Uint8Array<ArrayBuffer>, path = '/new/echo'): Promise<Response> =>
    fetch(origin + path, { method: 'POST', headers: { 'Content-Type': BINARY_TYPE }, body: content });
  const refused: readonly [string, Uint8Array<ArrayBuffer>, RegExp][] = [
    ['no bytes', new Uint8Array(), /at byte 0, a byte of 1 bytes is expected/],
    ['another version of the form', Uint8Array.of(2, 0xe4), /version 1 of the binary form is expected, and there is version 2/],
    ['JSON', new TextEncoder().encode('{"rpc":1}'), /version 1 of the binary form/],
    ['no call', toBinary([1]), /A call is an object/],
    ['another version of the protocol', toBinary({ rpc: 2 }), /speaks version 1/],
    ['parameters that are no list', toBinary({ params: new Map() }), /params is a list/],
    ['a member __proto__', Uint8Array.of(1, 0xef, 1, 18, ...Buffer.from('__proto__'), 0xe4), /__proto__/],
    ['more items than bytes', Uint8Array.of(1, 0xed, 0xff, 0xff, 0xff, 0x7f), /a count that the bytes behind it have room for/],
    ['what is nested too deep', Uint8Array.from([1, ...Array.from({ length: 20_000 }, () => [0xed, 1]).flat(), 0]), /128 levels/],
  ];
  for (const [name, content, message] of refused) {
    it(`refuses ${name} as the content of a call`, async () => {
      const response = await post(content);
      const { error } = (await response.json()) as { error: { message: string } };
      assert.equal(response.status, 400);
      assert.match(error.message, message);
    });
  }

  it('refuses content that is too long, and its type where it is not taken', async () => {
    const long = toBinary({ params: [new Uint8Array(70_000)] });
    assert.equal((await post(long)).status, 413);
    const response = await post(toBinary({ params: [1] }), '/old/echo');
    assert.equal(response.status, 415);
    assert.match(await response.text(), /"type":"unsupported-type"/);
    assert.deepEqual(fromBinary(toBinary({ params: [1] })), { params: [1] });
  });

  it('tells a client of replies that are not of the form', async () => {
    for (const content of [Uint8Array.of(1, 0xed, 0xff), toBinary([1]), toBinary({ rpc: 2 }), new TextEncoder().encode('{"rpc":1}')]) {
      const client = createClient<typeof both>(origin, {
        binary,
        fetch: () => Promise.resolve(new Response(content, { headers: { 'Content-Type': BINARY_TYPE } })),
      });
      const [, error] = await client.query.half(1);
      assert.equal(error?.type, 'protocol');
      const [[, one]] = await client.batch((plan) => [plan.half(1)]);
      assert.equal(one?.type, 'protocol');
    }
    const results = toBinary({ rpc: 1, results: [Uint8Array.of(1, 0xed, 0xff)] });
    const client = createClient<typeof both>(origin, {
      binary,
      fetch: () => Promise.resolve(new Response(results, { headers: { 'Content-Type': BINARY_TYPE } })),
    });
    const [[, error]] = await client.batch((plan) => [plan.half(1)]);
    assert.equal(error?.type, 'protocol');
  });
});

it('is an option that is true or false', () => {
  assert.throws(() => rpc(tree, { binary: 'yes' as never }), { name: 'TypeError', message: /binary/ });
});
