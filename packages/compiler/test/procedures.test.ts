/** APIs made by `rpc()`: what the compiler writes behind their options, run with the server it is for. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { App } from '../../fulmar/src/app/index.ts';
import fulmarRpc from '../../fulmar/src/rpc/index.ts';
import { typeErrors, type TypesReply } from '../../client/src/type-errors.ts';
import { toWire } from '../../fulmar/src/shape/wire-hints.ts';
import { fromBinary } from '../../fulmar/src/shape/binary/values.ts';
import { transform } from '../src/transform.ts';
import { compiled, makeProject, run } from './support.ts';

let folder = '';
before(() => {
  folder = makeProject({
    'model.ts': 'export interface User { id: number; name: string; since: Date; secret?: never }\n',
    'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext","target":"es2023"},"include":["*.ts"]}',
  });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const head =
  "import { type CallWith, middleware, mutation, procedures, query, rpc, rpcError, scoped } from 'fulmar/rpc';\nimport type { User } from './model.ts';\n";

const apiOf = (text: string): App => run<App>(folder, `${head}${text}`, { 'fulmar/rpc': fulmarRpc });

const ask = async (app: App, url: string, params: readonly unknown[]): Promise<{ status: number; json: unknown }> => {
  const reply = await app.inject({ url, body: { rpc: 1, params } });
  return { status: reply.status, json: reply.json() };
};

it('makes parameters of what their types say, and refuses the rest', async () => {
  const app = apiOf(
    'export default rpc({ users: { later: mutation((_c, user: User, days = 1) => new Date(+user.since + days * 864e5)) } });',
  );
  const user = { id: 1, name: 'ada', since: '1970-01-01T00:00:00.000Z', admin: true };
  const good = await ask(app, '/users/later', [user]);
  assert.deepEqual(good.json, { rpc: 1, value: '1970-01-02T00:00:00.000Z', as: 'date' });
  assert.equal((await ask(app, '/users/later', [user, 2])).status, 200);
  for (const params of [[], [{ ...user, since: 'soon' }], [{ ...user, id: '1' }], [user, 'two'], [user, 1, 1]])
    assert.equal((await ask(app, '/users/later', params)).status, 422, JSON.stringify(params));
  const { json } = await ask(app, '/users/later', [{ ...user, id: '1' }]);
  assert.deepEqual((json as { error: { issues: { path: unknown }[] } }).error.issues[0]?.path, [0, 'id']);
});

it('sends of a result what its type has', async () => {
  const app = apiOf(
    "export default rpc({ get: query((_c, id: number): User => ({ id, name: 'ada', since: new Date(0), ...({ password: 'x' } as object) })) });",
  );
  assert.deepEqual((await ask(app, '/get', [1])).json, {
    rpc: 1,
    value: { id: 1, name: 'ada', since: '1970-01-01T00:00:00.000Z' },
    as: { since: 'date' },
  });
});

it('sends of a result what its type has in bytes as well', async () => {
  const app = apiOf(
    "export default rpc({ get: query((_c, id: number): User => ({ id, name: 'ada', since: new Date(0), ...({ password: 'x' } as object) })), wrong: query((): number => NaN) });",
  );
  const accept = { Accept: 'application/vnd.fulmar.rpc' };
  const reply = await app.fetch(new Request('http://localhost/get?params=[1]', { headers: accept }));
  const value = { id: 1, name: 'ada', since: new Date(0) };
  assert.deepEqual(fromBinary(new Uint8Array(await reply.arrayBuffer())), { rpc: 1, value });
  assert.equal((await app.fetch(new Request('http://localhost/wrong', { headers: accept }))).status, 500);
});

it('sends lists of objects by columns, with what their type has', async () => {
  const app = apiOf(
    `interface Place { at: { x: number; y: number }; users: User[]; tag?: string }
    const user = (id: number): User => ({ id, name: 'ada', since: new Date(id), ...({ password: 'x' } as object) });
    const place = (x: number): Place => ({ at: { x, y: 0.5 }, users: [user(1), user(2)], ...({ hidden: 1 } as object) });
    export default rpc({ users: query(() => [user(1), user(2), user(3)]), none: query((): User[] => []), one: query(() => [user(1)]), places: query(() => ({ all: [place(1), place(2)] })) });`,
  );
  const ask = async (path: string): Promise<unknown> => {
    const reply = await app.fetch(new Request(`http://localhost/${path}`, { headers: { Accept: 'application/vnd.fulmar.rpc' } }));
    return (fromBinary(new Uint8Array(await reply.arrayBuffer())) as { value: unknown }).value;
  };
  const user = (id: number): object => ({ id, name: 'ada', since: new Date(id) });
  const place = (x: number): object => ({ at: { x, y: 0.5 }, users: [user(1), user(2)] });
  assert.deepEqual(await ask('users'), [user(1), user(2), user(3)]);
  assert.deepEqual(await ask('none'), []);
  assert.deepEqual(await ask('one'), [user(1)]);
  assert.deepEqual(await ask('places'), { all: [place(1), place(2)] });
});

it('sends of a class with a codec what that gives, of others what their type has, each as what it was', async () => {
  const app = apiOf(`import { codec } from 'fulmar/types';
class Money { constructor(readonly cents: bigint) {} plus(): Money { return this; } }
codec('Money of a result', Money, { encode: ({ cents }) => ({ cents, at: new Date(0) }), decode: ({ cents }: { cents: bigint; at: Date }) => new Money(cents) });
class Entity { id = 1; get since() { return new Date(0); } get name() { return 'ada'; } save() { return this.self; } self = this; }
export default rpc({
  order: query((): { total: Money; bytes: Float64Array } => ({ total: new Money(5n), bytes: new Float64Array([NaN]) })),
  find: query((): User | undefined => new Entity()),
});`);
  const total = { cents: '5', at: '1970-01-01T00:00:00.000Z' };
  assert.deepEqual((await ask(app, '/order', [])).json, {
    rpc: 1,
    value: { total, bytes: 'AAAAAAAA+H8=' },
    as: { total: { cents: 'bigint', at: 'date' }, bytes: ['bytes', 'Float64Array'] },
  });
  const found = { id: 1, name: 'ada', since: '1970-01-01T00:00:00.000Z' };
  assert.deepEqual((await ask(app, '/find', [])).json, { rpc: 1, value: found, as: { since: 'date' } });
});

it('sends as it is a result whose type says nothing', async () => {
  const app = apiOf('export default rpc({ all: query((): unknown => new Map([[1n, new Date(0)]])), none: query((): any => undefined) });');
  const as = ['map', { '*': { 0: 'bigint', 1: 'date' } }];
  assert.deepEqual((await ask(app, '/all', [])).json, { rpc: 1, value: [['1', '1970-01-01T00:00:00.000Z']], as });
  assert.deepEqual((await ask(app, '/none', [])).json, { rpc: 1 });
});

it('tells errors that are returned from results', async () => {
  const app = apiOf(
    "export default rpc({ get: query(async (_c, id: number) => (id > 0 ? id : rpcError({ type: 'no-user', status: 404 }))) });",
  );
  assert.deepEqual((await ask(app, '/get', [1])).json, { rpc: 1, value: 1 });
  assert.deepEqual((await ask(app, '/get', [0])).json, { rpc: 1, error: { type: 'no-user', status: 404, message: 'no-user' } });
});

it('sends a stream item by item', async () => {
  const app = apiOf(
    'export default rpc({ all: query(async function* (_c, ...ids: number[]) { for (const id of ids) yield { id, at: new Date(0) }; }) });',
  );
  const reply = await app.inject({ url: '/all', body: { params: [1, 2] } });
  assert.match(reply.text, /^\{"value":\{"id":1,"at":"1970.*\n.*"id":2.*\n\{"done":true\}\n$/);
  assert.equal((await ask(app, '/all', [1, 'x'])).status, 422);
});

it('takes a function alone, procedures of another object, and none', async () => {
  const app = apiOf(
    'const inner = { nothing: mutation((): void => {}) };\nexport default rpc({ inner, add: (_c: unknown, a: number, b: number) => a + b }, { suffix: ".do", },);',
  );
  assert.deepEqual((await ask(app, '/add.do', [1, 2])).json, { rpc: 1, value: 3 });
  assert.deepEqual((await ask(app, '/inner/nothing.do', [])).json, { rpc: 1 });
});

it('does not send a result that breaks its type', async () => {
  const app = apiOf('export default rpc({ get: query((): number => NaN) });');
  assert.equal((await ask(app, '/get', [])).status, 500);
});

it('leaves alone what is not of fulmar/rpc, and schemas that the program gives', () => {
  for (const text of [
    'const rpc = (one: object) => one;\nexport const a = rpc({ get: () => 1 });',
    "import type { rpc } from 'fulmar/rpc';\nexport type A = typeof rpc;",
  ])
    assert.equal(transform(join(folder, 'other.ts'), text), undefined);
  assert.match(
    compiled(folder, `${head}export const a = rpc({ said: query({ params: [{ type: 'string' }] }, (_c, one) => () => one) });`),
    /, \{\}, \{  \}\)/,
  );
});

const SIGNED = `
const signedIn = middleware(
  (call: CallWith<{ values: { token: string; since?: Date }; headers: { 'X-Page'?: number }; results: { left: number }; replyHeaders: { 'x-left': number } }>, next) => {
    call.addResults({ left: 1, secret: 'x' } as never);
    call.setHeaders({ 'x-left': call.values.token === 'wrong' ? ('one' as never) : 1 });
    return call.values.token === '' ? rpcError({ type: 'who', status: 401 }) : next({ page: call.headers['X-Page'] ?? 0, since: call.values.since });
  },
);
const signed = procedures().use(signedIn);
`;

it('reads what middleware declares of its signature', async () => {
  const app = apiOf(
    `${SIGNED}export default rpc({ in: scoped(signedIn, { get: query((_c, id: number) => id) }), get: signed.query((c, id: number) => [id, c.page, c.since]) });`,
  );
  const asked = (url: string, values: object, headers = {}) => app.inject({ url, headers, body: { params: [1], values } });
  const fine = await asked('/get', { token: 'x', since: '1970-01-01T00:00:00.000Z', other: 1 }, { 'x-page': '7' });
  assert.deepEqual(fine.json(), {
    rpc: 1,
    value: [1, 7, '1970-01-01T00:00:00.000Z'],
    as: { '2': 'date' },
    added: [{ value: { left: 1 } }],
  });
  assert.equal(fine.headers['x-left'], '1');
  assert.equal((await asked('/get', { token: '' })).status, 401);
  assert.match((await asked('/get', { token: 5 })).text, /"invalid-values".*"path":\["token"\]/);
  assert.match((await asked('/get', { token: 'x' }, { 'x-page': 'seven' })).text, /"invalid-headers".*"path":\["X-Page"\]/);
  assert.equal((await asked('/get', { token: 'wrong' })).status, 500);
  assert.deepEqual((await asked('/in/get', { token: 'x' })).json(), { rpc: 1, value: 1, added: [{ value: { left: 1 } }] });
  assert.equal((await app.inject({ url: '/in/get', body: { params: ['x'], values: { token: 'x' } } })).status, 422);
});

it('compiles middleware in a file without an API, and leaves to schemas what they say', () => {
  const text = `${head}export const a = middleware({ alwaysRun: true }, (call: CallWith<{ headers: { 'x-a'?: string } }>, next) => next());\nexport const s = middleware({ values: { type: 'object' } }, (_call, next) => next());\nexport const b = middleware((_call, next) => next());`;
  const code = compiled(folder, text);
  assert.match(code, /next\(\), \{ headers: /);
  assert.doesNotMatch(code, /values: \$t/);
  assert.match(code, /\(_call, next\) => next\(\), \{ {2}\}\)/);
});

it('refuses members that types do not have where strictTypes is said, and only there', async () => {
  const tree = 'interface Tree { name: string; inner?: Tree[] }\n';
  const app = apiOf(
    `${tree}const late = mutation({ strictTypes: true }, (_c, tree: Tree) => tree.name);\nexport default rpc({ late, loose: mutation((_c, tree: Tree) => tree.name), list: mutation({ strictTypes: true, description: 'x' }, (_c, trees: Map<string, Tree>) => trees.size) });`,
  );
  const good = { name: 'a', inner: [{ name: 'b' }] };
  const bad = { name: 'a', inner: [{ name: 'b', color: 1 }] };
  assert.deepEqual((await ask(app, '/late', [good])).json, { rpc: 1, value: 'a' });
  const { status, json } = await ask(app, '/late', [bad]);
  assert.equal(status, 422);
  assert.deepEqual((json as { error: { issues: { path: unknown }[] } }).error.issues[0]?.path, [0, 'inner', 0, 'color']);
  assert.equal((await ask(app, '/loose', [bad])).status, 200);
  assert.equal((await ask(app, '/list', [[['x', bad]]])).status, 422);
  assert.deepEqual((await ask(app, '/list', [[['x', good]]])).json, { rpc: 1, value: 1 });
});

it('takes strictTypes for all, and what a procedure says before that', async () => {
  const all =
    'export default rpc({ a: mutation((_c, user: { id: number }) => user.id), b: mutation({ strictTypes: false }, (_c, user: { id: number }) => user.id) }, { strictTypes: true });';
  const app = apiOf(all);
  assert.equal((await ask(app, '/a', [{ id: 1, name: 'x' }])).status, 422);
  assert.equal((await ask(app, '/b', [{ id: 1, name: 'x' }])).status, 200);
});

it('tells what takes anything where strictTypes is said', () => {
  writeFileSync(join(folder, 'loose.ts'), '');
  const types = ['unknown', 'any', 'object', '{ inner: { deep: unknown } }', 'Record<string, unknown>', '{ a: 1 } & string[]'];
  const text = `${head}export const a = rpc({ ${types.map((type, at) => `p${at}: query((_c, x: ${type}) => 1)`).join(', ')} }, { strictTypes: true });`;
  assert.throws(
    () => compiled(folder, text, 'loose.ts'),
    (error: Error) =>
      types.every((_, at) => error.message.includes(`the parameters of p${at}[0]`)) &&
      /p3\[0\]\.inner\.deep takes anything/.test(error.message),
  );
  assert.ok(compiled(folder, text.replace('strictTypes: true', 'strictTypes: false'), 'loose.ts'));
});

it('says of strictTypes that nobody could read that it has to be written', () => {
  assert.throws(
    () =>
      apiOf(
        'const isStrict: boolean = Date.now() > 0;\nexport default rpc({ a: mutation((_c, x: number) => x) }, { strictTypes: isStrict });',
      ),
    /the parameters of a were compiled without strictTypes\. Write strictTypes: true/,
  );
});

it('writes a result as its serializer says', async () => {
  const text = (serializer: string) =>
    `interface Named { name: string; at: Date }\nconst run = (): Named => ({ name: 'a', at: new Date(0), more: 1 }) as Named;\nexport default rpc({ get: query({ serializer: ${serializer} }, run), none: query({ serializer: ${serializer} }, (): void => {}), wrong: query({ serializer: ${serializer} }, (): number => NaN) });`;
  const got = async (serializer: string) => {
    const app = apiOf(text(serializer));
    assert.equal((await ask(app, '/wrong', [])).status, 500, 'checked all the same');
    assert.deepEqual((await ask(app, '/none', [])).json, { rpc: 1 });
    return (await ask(app, '/get', [])).json;
  };
  const at = '1970-01-01T00:00:00.000Z';
  assert.deepEqual(await got("'declared'"), { rpc: 1, value: { name: 'a', at }, as: { at: 'date' } });
  assert.deepEqual(await got("'whole'"), { rpc: 1, value: { name: 'a', at, more: 1 }, as: { at: 'date' } });
  assert.deepEqual(await got('(value) => JSON.stringify([value.name])'), { rpc: 1, value: ['a'] });
});

it('tells every type that has no form outside of the program, by procedure', () => {
  writeFileSync(join(folder, 'bad.ts'), '');
  const text = `${head}export const a = rpc({ one: query((_c, fn: () => void) => 1), two: query((_c) => Symbol('x')) });`;
  assert.throws(
    () => compiled(folder, text, 'bad.ts'),
    (error: Error) => /the parameters of one\[0\] is a function/.test(error.message) && /the result of two/.test(error.message),
  );
});

for (const options of ['', ', { strictTypes: true }'])
  it(`takes files and streams as parameters, and files as results${options}`, async () => {
    const app = apiOf(
      'export default rpc({ one: mutation(async (_c, title: string, file: File, more?: Blob) => [title, file.name, file.size, await file.text(), more?.size]),\n' +
        '  all: mutation((_c, ...files: File[]) => files.length),\n' +
        '  some: mutation((_c, title: string, ...files: File[]) => title + files.length),\n' +
        '  list: mutation((_c, files: readonly File[]) => files.length),\n' +
        '  sum: mutation(async (_c, days: AsyncIterable<Date>) => { let sum = 0; for await (const day of days) sum += day.getTime(); return sum; }),\n' +
        '  web: query((_c): ReadableStream<Date> => new ReadableStream({ start: (c) => (c.enqueue(new Date(0)), c.close()) })),\n' +
        `  give: query((_c): File => new File(['x'], 'x.txt')) }${options});`,
    );
    const parts = async (url: string, call: object, behind = ''): Promise<unknown> => {
      const headers = { 'Content-Type': 'application/vnd.fulmar.rpc-parts' };
      return (await app.inject({ url, headers, body: `${JSON.stringify(call)}\n${behind}` })).json();
    };
    const file = ['file', 0, 5, 'text/plain', 'a.txt'];
    assert.deepEqual(await parts('/one', { params: ['t', null], as: { 1: file } }, 'hello'), {
      rpc: 1,
      value: ['t', 'a.txt', 5, 'hello', null],
      as: { 4: 'undefined' },
    });
    assert.deepEqual(await parts('/all', { params: [null, null], as: { 0: file, 1: ['file', 1, 1, ''] } }, 'hello.'), { rpc: 1, value: 2 });
    assert.deepEqual(await parts('/some', { params: ['t', null], as: { 1: file } }, 'hello'), { rpc: 1, value: 't1' });
    assert.deepEqual(await parts('/list', { params: [[null]], as: { 0: { 0: file } } }, 'hello'), { rpc: 1, value: 1 });
    const stream = { params: [null], as: { 0: ['stream', 0] } };
    const days =
      '{"part":0,"value":"1970-01-01T00:00:00.005Z"}\n{"part":0,"value":"1970-01-01T00:00:00.002Z","as":"date"}\n{"part":0,"done":true}\n';
    assert.deepEqual(await parts('/sum', stream, days), { rpc: 1, value: 7 });
    const { error } = (await parts('/sum', stream, '{"part":0,"value":"soon"}\n')) as {
      error: { type: string; issues: { path: unknown }[] };
    };
    assert.deepEqual([error.type, error.issues[0]?.path], ['invalid-params', [0, 0]]);
    for (const [url, params] of [
      ['/one', ['t', 'x']],
      ['/one', ['t']],
      ['/all', ['x']],
      ['/list', [['x']]],
      ['/sum', [[1]]],
    ] as const)
      assert.equal((await ask(app, url, params)).status, 422, `${url} ${JSON.stringify(params)}`);
    assert.equal((await app.inject('/web')).text, '{"value":"1970-01-01T00:00:00.000Z","as":"date"}\n{"done":true}\n');
    const given = await app.inject('/give');
    assert.match(given.text, /^\{"rpc":1,"value":null,"as":\["file",0,1,"","x\.txt",\d+\]\}\nx$/);
  });

it('is strict about what a codec is given', async () => {
  const app = apiOf(`import { codec } from 'fulmar/types';
class Sum { constructor(readonly cents: number) {} plus(): Sum { return this; } }
codec('Strict sum', Sum, { encode: ({ cents }) => ({ cents }), decode: ({ cents }: { cents: number }) => new Sum(cents) });
const give = (_c: unknown, sum: Sum) => sum.plus().cents;
export default rpc({ loose: mutation({}, give), strict: mutation({ strictTypes: true }, give) });`);
  const statuses: number[] = [];
  for (const url of ['/loose', '/strict'])
    for (const sum of [{ cents: 1 }, { cents: 1, x: 1 }]) statuses.push((await ask(app, url, [sum])).status);
  assert.deepEqual(statuses, [200, 200, 200, 422]);
});

it('is strict about what stands beside files, and about items of streams', async () => {
  const app = apiOf(
    'export default rpc({ one: mutation({ strictTypes: true }, (_c, user: { id: number }, file?: File) => user.id),\n' +
      '  sum: mutation({ strictTypes: true }, async (_c, users: AsyncIterable<{ id: number }>) => { let sum = 0; for await (const { id } of users) sum += id; return sum; }) });',
  );
  assert.equal((await ask(app, '/one', [{ id: 1 }])).status, 200);
  assert.equal((await ask(app, '/one', [{ id: 1, x: 1 }])).status, 422);
  const sum = async (item: object): Promise<number> => {
    const headers = { 'Content-Type': 'application/vnd.fulmar.rpc-parts' };
    const lines = [
      { params: [null], as: { 0: ['stream', 0] } },
      { part: 0, value: item },
      { part: 0, done: true },
    ];
    return (await app.inject({ url: '/sum', headers, body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') })).status;
  };
  assert.deepEqual([await sum({ id: 1 }), await sum({ id: 1, x: 1 })], [200, 422]);
  const open = 'export default rpc({ a: mutation((_c, all: AsyncIterable<unknown>) => 1) }, { strictTypes: true });';
  assert.throws(() => compiled(folder, `${head}${open}`, 'open.ts'), /the parameters of a\[0\]<> takes anything/);
});

it('takes files only as parameters of their own', () => {
  for (const type of ['{ photo: File }', 'File | string', 'File | null', 'Set<Blob>'])
    assert.throws(
      () => compiled(folder, `${head}export const a = rpc({ one: mutation((_c, given: ${type}) => 1) });`),
      /the parameters of one\[0\].* is a (File|Blob), whose bytes are read later: make it a parameter of its own/,
    );
});

it('tells its types to clients, which find of parameters what the server finds', async () => {
  const app = apiOf(`
    import type { Int, NonEmpty, Pattern } from 'fulmar/types';
    interface Node { value: bigint; next?: Node }
    type Event = { kind: 'seen'; at: Date } | { kind: 'counted'; counts: Map<string, Int> };
    export default rpc({
      save: mutation((_c, user: User & { name: NonEmpty }, tags?: Set<Pattern<'^[a-z]+$'>>) => user.id + (tags?.size ?? 0)),
      chain: mutation((_c, node: Node) => node.value),
      tell: mutation((_c, ...events: Event[]) => events.length),
      page: (_c, at = 1, url?: URL) => [at, url],
    }, { types: true });`);
  const reply = await app.inject('/~types');
  assert.equal(reply.status, 200);
  const types = typeErrors(reply.json() as TypesReply);
  const user = { id: 1, name: 'ada', since: new Date(0) };
  const counted = { kind: 'counted', counts: new Map([['a', 1.5]]) };
  const calls: readonly [string, ...unknown[]][] = [
    ['save', user],
    ['save', user, new Set(['a', 'B'])],
    ['save', { ...user, since: '1970-01-01' }, undefined],
    ['save', { id: '1', since: 'soon' }],
    ['save', { ...user, since: new Date(NaN) }],
    ['save', user, ['a'], 3],
    ['save'],
    ['save', null],
    ['chain', { value: 1n, next: { value: '2', next: { value: 2.5 } } }],
    ['chain', { value: 'x' }],
    ['tell', { kind: 'seen', at: 1 }, counted, { kind: 'gone' }],
    ['tell'],
    ['page', NaN, 'no url'],
    ['page', undefined, new URL('https://birds.example')],
    ['page', { toJSON: () => 7 }],
  ];
  let refused = 0;
  for (const [path, ...args] of calls) {
    const { json: params, as } = toWire(args);
    const answer = await app.inject({ url: `/${path}`, body: { rpc: 1, params, ...(as === undefined ? {} : { as }) } });
    const { error } = answer.json() as { error?: { issues?: unknown[] } };
    assert.deepEqual(await types.check([path], args), error?.issues ?? [], JSON.stringify([path, params]));
    if (error !== undefined) refused += 1;
  }
  assert.equal(refused, 10);
  assert.deepEqual(await types.check(['nobody'], [1]), []);
});

it('tells its types to nobody unless that is said', async () => {
  const app = apiOf('export default rpc({ get: query((_c, id: number) => id) });');
  assert.equal((await app.inject('/~types')).status, 404);
});

const MONEY = `import { codec } from 'fulmar/types';
class Money { constructor(readonly cents: number, readonly at = new Date(0)) {} }
codec('Money', Money, { encode: (m) => m.cents, decode: (n: number) => new Money(n) });
class Day { constructor(readonly at: Date) {} }
codec('Day', Day, { encode: (day) => day.at, decode: (at: Date) => new Day(at) });
`;

it('sends in the place of an instance what its codec gives, in JSON with the hints of that, and in bytes', async () => {
  const app = apiOf(
    `${MONEY}const made = (n: number) => ({ m: new Money(n), d: new Day(new Date(n)), all: new Map([['a', new Day(new Date(0))]]), either: (n > 1 ? null : new Money(n)) as Money | null });
    export default rpc({ one: query(() => ({ ...made(1), n: 5n })), list: query(() => [made(1), made(2)]) });`,
  );
  const sent = (n: number): object => ({ m: n, d: new Date(n), all: new Map([['a', new Date(0)]]), either: n > 1 ? null : n });
  for (const [path, value] of [
    ['one', { ...sent(1), n: 5n }],
    ['list', [sent(1), sent(2)]],
  ] as const) {
    const { json, as } = toWire(value);
    assert.deepEqual((await app.inject(`/${path}`)).json(), { rpc: 1, value: json, as });
    const reply = await app.fetch(new Request(`http://localhost/${path}`, { headers: { Accept: 'application/vnd.fulmar.rpc' } }));
    assert.deepEqual(fromBinary(new Uint8Array(await reply.arrayBuffer())), { rpc: 1, value });
  }
});

it('lets clients judge what stands beside files and streams', async () => {
  const app = apiOf(
    'export default rpc({ add: mutation((_c, title: string, file: File, more?: Blob[]) => 1), sum: mutation((_c, all: AsyncIterable<number>, times: number) => 1) }, { types: true });',
  );
  const types = typeErrors((await app.inject('/~types')).json() as TypesReply);
  const issuesOf = async (...[name, ...args]: [string, ...unknown[]]): Promise<unknown> =>
    (await types.check([name], args)).map(({ path }) => path);
  const file = new Blob(['x']);
  const all = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }) };
  assert.deepEqual(await issuesOf('add', 'a', file, [file]), []);
  assert.deepEqual(await issuesOf('add', 5, file), [[0]]);
  assert.deepEqual(await issuesOf('sum', all, 2), []);
  assert.deepEqual(await issuesOf('sum', all, 'two'), [[1]]);
  assert.deepEqual(await issuesOf('sum', new ReadableStream(), 'two'), [[1]]);
});
