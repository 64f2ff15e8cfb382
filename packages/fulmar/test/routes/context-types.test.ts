/** The types of handlers' contexts: parameters by the name of the file, input by schemas. Wrong ones do not compile. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RouteContext, RouteParams } from '../../src/routes/index.ts';
import { appOf, ask } from './support.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T => true as T;

it('parameters have the names that the file says', () => {
  assert.ok(holds<Equal<RouteParams<'/users/[id]'>, { readonly id: string }>>());
  assert.ok(holds<Equal<RouteParams<'users/$user/posts/[post]'>, { readonly user: string; readonly post: string }>>());
  assert.ok(holds<Equal<RouteParams<'/docs/[[lang]]'>, { readonly lang?: string }>>());
  assert.ok(holds<Equal<RouteParams<'/post-[id]-[part].json'>, { readonly id: string; readonly part: string }>>());
  assert.ok(holds<Equal<RouteParams<'/files/[...path]'>['path'], readonly string[]>>());
  assert.ok(holds<Equal<RouteParams<'/about'>, {}>>());
  assert.ok(holds<Equal<RouteParams<string>, Readonly<Record<string, string>>>>());
});

it('input is what schemas make of it, else what came', async (t) => {
  const handler = (c: RouteContext<'/[id]', { query: { page: number } }>): { id: string; page: number } => ({
    id: c.params.id,
    page: c.query.page,
  });
  // @ts-expect-error A name that the file does not have.
  const wrong = (c: RouteContext<'/[id]'>): unknown => c.params.name;
  assert.equal(typeof wrong, 'function');
  const app = await appOf(t, {
    '[id].mjs': `export const config = { schema: { query: { type: 'object', properties: { page: { type: 'integer' } } } } };\nexport const GET = ${handler.toString()};`,
  });
  assert.deepEqual(JSON.parse((await ask(app, 'GET', '/a?page=2')).text), { id: 'a', page: 2 });
});
