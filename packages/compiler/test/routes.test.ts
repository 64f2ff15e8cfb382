/**
 * Routes of the app whose schemas are types: what comes is validated and converted, what goes is judged and written,
 * and documents say so, as with schemas of other kinds.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import fulmarApp, { type App, type RouteInfo } from '../../fulmar/src/app/index.ts';
import type { InjectOptions } from '../../fulmar/src/app/inject-options.ts';
import fulmarOpenapi from '../../fulmar/src/app/openapi/index.ts';
import fulmarTypes from '../../fulmar/src/typed/index.ts';
import { CompileError } from '../src/analyze/problem.ts';
import { compiled, makeProject, run } from './support.ts';

let folder = '';
before(() => {
  folder = makeProject({
    'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext","target":"es2023"},"include":["*.ts"]}',
  });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const HEAD = `import { createApp } from 'fulmar';
import { route, schema, type Default, type Email, type Int, type Min, type NonEmpty, type UnknownKeys } from 'fulmar/types';
interface Bird { name: string & NonEmpty; weight: number & Min<1>; seen?: Date[] }
const app = createApp({ logger: { error: () => undefined } });
`;
const appOf = (text: string): App => run<App>(folder, `${HEAD}${text}\nexport default app;`, { fulmar: fulmarApp });

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

async function ask(app: App, request: InjectOptions | string): Promise<Answer> {
  const { status, text, headers } = await app.inject(request);
  return { status, type: headers['content-type'] as string | undefined, text };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const errorsOf = ({ text }: Answer): readonly { in: string; path: unknown; expected?: string; received?: string }[] =>
  (JSON.parse(text) as { errors: [] }).errors;

describe('a body', () => {
  const SOURCE = `app.post('/birds', route<{ body: Bird; response: { name: string; days: string[] } }>(), (c) => ({
    name: c.body.name, days: (c.body.seen ?? []).map((date) => date.toISOString().slice(0, 10)), more: 1,
  }));`;

  it('is made of JSON, and the reply has what its type has', async () => {
    const answer = await ask(appOf(SOURCE), { url: '/birds', body: { name: 'fulmar', weight: 2, seen: ['2026-11-25'], x: 1 } });
    assert.deepEqual(answer, { status: 200, type: JSON_TYPE, text: '{"name":"fulmar","days":["2026-11-25"]}' });
  });

  it('is made of a form, whose values are texts', async () => {
    const body = 'name=fulmar&weight=800&seen=2026-11-25&seen=2026-11-26T10%3A00%3A00Z';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await ask(appOf(SOURCE), { method: 'POST', url: '/birds', headers, body });
    assert.deepEqual(answer, { status: 200, type: JSON_TYPE, text: '{"name":"fulmar","days":["2026-11-25","2026-11-26"]}' });
  });

  it('that does not fit is 422, with every place', async () => {
    const answer = await ask(appOf(SOURCE), { url: '/birds', body: { name: '', weight: '2', seen: ['soon'] } });
    assert.equal(answer.status, 422);
    assert.deepEqual(
      errorsOf(answer).map(({ in: place, path, expected, received }) => [place, path, expected, received]),
      [
        ['body', ['name'], 'string of at least 1 character', 'string of 0 characters'],
        ['body', ['weight'], 'number >= 1', 'string'],
        ['body', ['seen', 0], 'Date', 'string'],
      ],
    );
  });

  it('is an object of the same kind with schema<T>() among other schemas', async () => {
    const app = appOf(`app.post('/a', { body: schema<Bird>(), query: { type: 'object', properties: { n: { type: 'integer' } } } },
      (c) => [c.body.weight, c.query.n, 'seen' in c.body]);`);
    assert.equal((await ask(app, { url: '/a?n=3', body: { name: 'a', weight: 2 } })).text, '[2,3,false]');
  });
});

describe('texts', () => {
  /** The type of a query, texts of it, what `c.query` becomes; null: 422. */
  const QUERIES: readonly (readonly [type: string, search: string, expected: string | null])[] = [
    ['{ a: number }', 'a=-1.5e3', '{ a: -1500 }'],
    ['{ a: number }', 'a=0x10', null],
    ['{ a: number }', 'a=', null],
    ['{ a: Int }', 'a=9007199254740993', null],
    ['{ a: boolean }', 'a=true', '{ a: true }'],
    ['{ a: boolean }', 'a=1', null],
    ['{ a: bigint }', 'a=12345678901234567890', '{ a: 12345678901234567890n }'],
    ['{ a: Date }', 'a=2024-02-29', '{ a: Date(1709164800000) }'],
    ['{ a: Date }', 'a=tomorrow', null],
    ['{ a: number[] }', 'a=1&a=2', '{ a: [1,2] }'],
    ['{ a: number[] }', 'a=1', '{ a: [1] }'],
    ['{ a: Set<number> }', 'a=1&a=1&a=2', '{ a: Set[1,2] }'],
    ['{ a: [number, boolean] }', 'a=1&a=false', '{ a: [1,false] }'],
    ['{ a: URL }', 'a=https://example.com/', '{ a: https://example.com/ }'],
    ['{ a: number | null }', 'a=', '{ a: null }'],
    ['{ a: number | string }', 'a=7', '{ a: 7 text }'],
    ['{ a: 1 | 2n | true | "x" }', 'a=2', '{ a: 2n }'],
    ['{ a?: number; b: string }', 'b=7', '{ b: 7 text }'],
    ['{ a: number & Default<5> }', '', '{ a: 5 }'],
    ['{ a: `v${number}` }', 'a=v1', '{ a: v1 text }'],
    ['{ a: Email }', 'a=a@example.com', '{ a: a@example.com text }'],
    ['{ a: number }', 'a=1&b=2', '{ a: 1 }'],
    ['{ a: number } & UnknownKeys<"reject">', 'a=1&b=2', null],
    ['Record<string, number>', 'a=1&b=2', '{ a: 1, b: 2 }'],
    ['{ kind: "a"; n: number } | { kind: "b"; n: boolean }', 'kind=b&n=true', '{ kind: b text, n: true }'],
  ];
  const shown = (value: unknown): string => {
    if (typeof value === 'string') return `${value} text`;
    if (typeof value === 'bigint') return `${value}n`;
    if (value instanceof Date) return `Date(${value.getTime()})`;
    if (value instanceof Set) return `Set[${[...value].map(shown).join()}]`;
    if (value instanceof URL || value === null || typeof value !== 'object') return String(value);
    if (Array.isArray(value)) return `[${value.map(shown).join()}]`;
    return `{ ${Object.entries(value)
      .map(([name, member]) => `${name}: ${shown(member)}`)
      .join(', ')} }`;
  };

  let apps: readonly App[] = [];
  const seen: { query?: unknown } = {};
  before(() => {
    const made = QUERIES.map(([type], at) => `app.get('/q${at}', route<{ query: ${type} }>(), (c) => { see(c.query); return 1; });`);
    const text = `${HEAD.replace("from 'fulmar';", "from 'fulmar';\nconst see: (value: unknown) => void = (globalThis as never)['seenByTest'];")}`;
    Object.assign(globalThis, { seenByTest: (value: unknown) => (seen.query = value) });
    apps = [run<App>(folder, `${text}${made.join('\n')}\nexport default app;`, { fulmar: fulmarApp })];
  });

  for (const [at, [type, search, expected]] of QUERIES.entries()) {
    it(`of ${type}: ${search} is ${expected ?? 'refused'}`, async () => {
      delete seen.query;
      const { status, text } = await ask(apps[0] as App, `/q${at}?${search}`);
      assert.equal(status, expected === null ? 422 : 200, text);
      if (expected !== null) assert.equal(shown(seen.query), expected);
    });
  }

  it('are converted of parameters, fields and cookies', async () => {
    const app =
      appOf(`app.get('/birds/:id/:on', route<{ params: { id: Int; on: Date }; headers: { 'x-count': Int }; cookies: { deep: boolean } }>(),
      (c) => [c.params.id, c.params.on.getUTCFullYear(), c.headers['x-count'], c.cookies.deep, Object.keys(c.headers)]);`);
    const answer = await ask(app, { url: '/birds/7/2026-11-25', headers: { 'x-count': '3', cookie: 'deep=true; x=1' } });
    assert.equal(answer.text, '[7,2026,3,true,["x-count"]]');
    const wrong = await ask(app, { url: '/birds/a/2026-11-25', headers: { 'x-count': 'b', cookie: 'deep=1' } });
    assert.deepEqual(
      errorsOf(wrong).map(({ in: place, path }) => [place, path]),
      [
        ['params', ['id']],
        ['headers', ['x-count']],
        ['cookies', ['deep']],
      ],
    );
  });

  it('refuses names of fields that never come', () => {
    assert.throws(
      () => appOf("app.get('/a', route<{ headers: { 'X-Count': Int } }>(), () => 1);"),
      /headers of GET \/a .*write x-count, where the type has X-Count/,
    );
  });
});

describe('a reply', () => {
  it('is written with what JSON has no form for, and without what its type has not', async () => {
    const app = appOf(`type All = { at: Date; n: bigint; tags: Set<string>; by: Map<string, number>; bytes: Uint8Array };
      const all = { at: new Date(0), n: 5n, tags: new Set(['a']), by: new Map([['a', 1]]), bytes: new Uint8Array([1]), secret: 1 };
      app.get('/a', { response: schema<All>() }, () => all);
      app.get('/list', route<{ response: All[] }>(), async () => [all]);
      app.get('/map', route<{ response: Map<string, number> }>(), () => all.by);
      app.get('/json', route<{ response: { a: number } }>(), (c) => c.json({ a: 1, secret: 2 }));`);
    const text = '{"at":"1970-01-01T00:00:00.000Z","n":"5","tags":["a"],"by":[["a",1]],"bytes":"AQ=="}';
    assert.deepEqual(await ask(app, '/a'), { status: 200, type: JSON_TYPE, text });
    assert.equal((await ask(app, '/list')).text, `[${text}]`);
    assert.deepEqual(await ask(app, '/map'), { status: 200, type: JSON_TYPE, text: '[["a",1]]' });
    assert.equal((await ask(app, '/json')).text, '{"a":1}');
  });

  it('that breaks its type is an error of the application, in production as well', async () => {
    const SOURCE = `const wrong = { a: 'x', secret: 1 } as never;
      app.get('/a', route<{ response: { a: number } }>(), () => wrong);
      app.get('/json', route<{ response: { a: number } }>(), (c) => c.json(wrong));`;
    const before = process.env['NODE_ENV'];
    for (const mode of ['development', 'production']) {
      process.env['NODE_ENV'] = mode;
      try {
        const app = appOf(SOURCE);
        for (const url of ['/a', '/json']) {
          const { status, text } = await ask(app, url);
          assert.equal(status, 500);
          assert.equal(text.includes('secret'), false);
        }
      } finally {
        if (before === undefined) delete process.env['NODE_ENV'];
        else process.env['NODE_ENV'] = before;
      }
    }
  });

  it('has a type for each status, and none for the others', async () => {
    const app = appOf(`app.get('/a/:n', route<{ params: { n: Int }; response: { 200: { a: number }; 404: { why: string } } }>(), (c) => {
      if (c.params.n === 500) return c.status(500).json({ any: 1 });
      return c.params.n === 404 ? c.status(404).json({ why: 'none', more: 1 }) : { a: 1, more: 1 };
    });`);
    assert.equal((await ask(app, '/a/200')).text, '{"a":1}');
    assert.equal((await ask(app, '/a/404')).text, '{"why":"none"}');
    assert.equal((await ask(app, '/a/500')).text, '{"any":1}');
  });

  it('leaves texts, nothing and streams as they are', async () => {
    const app = appOf(`app.get('/text', route<{ response: string }>(), () => 'a"b');
      app.get('/none', route<{ response: { a: 1 } }>(), (c) => c.status(204));
      app.get('/stream', route<{ response: { a: 1 } }>(), async function* () { yield 'a'; yield 'b'; } as never);`);
    assert.deepEqual(await ask(app, '/text'), { status: 200, type: 'text/plain; charset=utf-8', text: 'a"b' });
    assert.equal((await ask(app, '/none')).status, 204);
    assert.equal((await ask(app, '/stream')).text, 'ab');
  });

  it('can be put into another value by middleware', async () => {
    const app = appOf(`app.use(async (_c, next) => ({ data: await next() }));
      app.get('/a', route<{ response: { a: number } }>(), () => ({ a: 1 }));`);
    assert.equal((await ask(app, '/a')).text, '{"data":{"a":1}}');
  });
});

it('is told to lists of routes and in documents', async () => {
  const app =
    appOf(`app.post('/birds/:id', { ...route<{ params: { id: Int }; query: { deep?: boolean }; body: Bird; response: { 200: Bird; 404: { why: string } } }>(), summary: 'A bird.' },
    (c) => c.body);`);
  const [info] = [...app.routes()] as RouteInfo[];
  assert.deepEqual(Object.keys(info?.options ?? {}).sort(), ['body', 'params', 'query', 'response', 'summary']);
  const document = fulmarOpenapi.openapi(app, { info: { title: 'birds', version: '1' } }) as unknown as {
    paths: Record<string, Record<string, { summary: string; parameters: { name: string; schema: object }[]; responses: object }>>;
    components: { schemas: Record<string, { properties: Record<string, unknown> }> };
  };
  const operation = document.paths['/birds/{id}']?.['post'];
  assert.equal(operation?.summary, 'A bird.');
  assert.deepEqual(
    operation?.parameters.map(({ name, schema }) => [name, schema]),
    [
      ['id', { type: 'integer' }],
      ['deep', { type: 'boolean' }],
    ],
  );
  assert.deepEqual(document.components.schemas['Bird']?.properties['seen'], {
    type: 'array',
    items: { type: 'string', format: 'date-time' },
  });
  assert.deepEqual(
    Object.keys(operation?.responses ?? {}).filter((status) => ['200', '404'].includes(status)),
    ['200', '404'],
  );
});

describe('what is wrong with the types of a route', () => {
  const WRONG: readonly (readonly [type: string, told: RegExp])[] = [
    ['{ content: Bird }', /the type\.content is no place of a route; there are params, query/],
    ['string', /string is no object: name the types of a route by their places/],
    ['{ body?: Bird }', /the type\.body is optional/],
    ['{ body: { run(): void } }', /the type\.body\.run is a function/],
    ['{ query: { a: RegExp } }', /the type\.query has a RegExp/],
    [
      '{ response: { 200: { a: symbol }; 404: () => void } }',
      /the type\.response\[200\]\.a is a symbol[\s\S]*response\[404\] is a function/,
    ],
  ];
  for (const [type, told] of WRONG) {
    it(`is told of ${type}`, () => {
      assert.throws(
        () => compiled(folder, `${HEAD}export const x = route<${type}>();`),
        (error) => error instanceof CompileError && told.test(error.message),
      );
    });
  }

  it('is told without the compiler, where the route is made', () => {
    assert.throws(
      () => fulmarTypes.route<{ body: string }>(),
      /route<T>\(\) of fulmar\/types was not compiled.*npm install -D fulmar-compiler/,
    );
  });

  it('is told where the types of a request are given for a reply', () => {
    assert.throws(
      () => appOf("app.get('/a', { response: route<{ body: Bird }>().body as never }, () => 1);"),
      /response of GET \/a .*is no schema: it is a type of values that come in/,
    );
  });
});
