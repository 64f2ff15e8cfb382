/** APIs made by `rpc()`: what the compiler writes behind their options, run with the server it is for. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { runInThisContext } from 'node:vm';
import { transformSync } from 'oxc-transform';
import type { App } from '../../fulmar/src/app/index.ts';
import fulmarRpc from '../../fulmar/src/rpc/index.ts';
import { fromBinary } from '../../fulmar/src/shape/binary/values.ts';
import fulmarTypes from '../../fulmar/src/typed/index.ts';
import { transform } from '../src/transform.ts';
import { compiled, makeProject } from './support.ts';

let folder = '';
before(() => {
  folder = makeProject({
    'model.ts': 'export interface User { id: number; name: string; since: Date; secret?: never }\n',
    'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext","target":"es2023"},"include":["*.ts"]}',
  });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const head = "import { mutation, query, rpc, rpcError } from 'fulmar/rpc';\nimport type { User } from './model.ts';\n";

function apiOf(text: string): App {
  const code = transformSync('main.ts', compiled(folder, `${head}${text}`), {}).code;
  const body = code
    .replaceAll(/^import \{([^}]*)\} from ["']fulmar\/(types|rpc)["'];?$/gm, (_, names: string, from: string) => {
      return `const {${names.replaceAll(' as ', ': ')}} = ${from};`;
    })
    .replace(/export default /, 'return ');
  const made = runInThisContext(`(function (types, rpc$) { "use strict"; ${body.replaceAll('} = rpc;', '} = rpc$;')} })`) as (
    ...given: unknown[]
  ) => App;
  return made(fulmarTypes, fulmarRpc);
}

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

it('tells every type that has no form outside of the program, by procedure', () => {
  writeFileSync(join(folder, 'bad.ts'), '');
  const text = `${head}export const a = rpc({ one: query((_c, fn: () => void) => 1), two: query((_c) => Symbol('x')) });`;
  assert.throws(
    () => compiled(folder, text, 'bad.ts'),
    (error: Error) => /the parameters of one\[0\] is a function/.test(error.message) && /the result of two/.test(error.message),
  );
});
