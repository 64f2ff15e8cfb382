/** What the type checker knows of middleware, on the server and in clients, and what it refuses. Never run. */
import { z } from 'zod';
import { type ClientError, createClient } from '../../../client/src/index.ts';
import type { AnyContext } from '../../src/app/index.ts';
import { type CallWith, middleware, mutation, procedures, query, rpc, rpcError, scoped } from '../../src/rpc/index.ts';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
declare function same<One, Other>(is: Same<One, Other>): void;

interface User {
  name: string;
}
interface Signed {
  values: { token: string; lang?: 'en' | 'pt' };
  headers: { 'x-tenant': number };
  results: { left: number };
  replyHeaders: { 'x-left': number };
}

const signedIn = middleware(async (call: CallWith<Signed>, next) => {
  same<typeof call.values.token, string>(true);
  same<(typeof call.headers)['x-tenant'], number>(true);
  call.addResults({ left: 1 });
  call.setHeaders({ 'x-left': 1 });
  // @ts-expect-error a result of another type
  call.addResults({ left: '1' });
  // @ts-expect-error a field that is not declared
  call.setHeaders({ 'x-right': 1 });
  // @ts-expect-error a value that is not declared
  void call.values.secret;
  if (call.values.token === '') return rpcError({ type: 'who-are-you', status: 401, data: { lang: call.values.lang } });
  return next({ user: { name: 'ada' } as User });
});
const since = middleware({ values: z.object({ since: z.date() }) }, (call, next) => {
  same<typeof call.values.since, Date>(true);
  return next();
});

const signed = procedures<{ readonly db: string }>().use(signedIn);
const admin = signed.use((call, next) => {
  same<typeof call.context.user, User>(true);
  same<typeof call.context.db, string>(true);
  return call.context.user.name === 'ada' ? next({ isAdmin: true as const }) : rpcError({ type: 'not-yours', status: 403 });
});

const api = rpc(
  {
    free: procedures<{ readonly db: string }>().query((c) => c.db),
    me: signed.query((c) => c.user),
    wipe: admin.mutation((c, table: string) => {
      same<typeof c.isAdmin, true>(true);
      return `${c.db} ${table} ${c.user.name}`;
    }),
    part: scoped(since, { get: procedures<{ readonly db: string }>().query((_c, id: number) => id) }),
  },
  { context: () => ({ db: 'birds' }) },
);
const client = createClient<typeof api>('');

client.set('token', 'x');
client.set('lang', 'pt');
client.set('lang', undefined);
client.set('since', new Date());
// @ts-expect-error a value of another type than middleware declares
client.set('token', 5);
// @ts-expect-error a name that no middleware declares
client.set('tokem', 'x');
// @ts-expect-error a type that is none of its own
client.set('lang', 'fr');

async function calls(): Promise<void> {
  const [me, error, added] = await client.query.me();
  if (error === undefined) same<typeof me, User>(true);
  else if (error.type === 'who-are-you') same<typeof error, ClientError<'who-are-you', { lang: 'en' | 'pt' | undefined }>>(true);
  same<NonNullable<typeof added>['left'], number | undefined>(true);
  const [, refused] = await client.mutate.wipe('birds');
  if (refused?.type === 'not-yours') same<typeof refused, ClientError<'not-yours', undefined>>(true);
  const [, free] = await client.query.free();
  // @ts-expect-error an error of middleware that does not stand around it
  void (free?.type === 'not-yours');
  same<Awaited<ReturnType<typeof client.orThrow.query.part.get>>, number>(true);
  const [first] = await client.batch((plan) => [plan.me()]);
  same<NonNullable<(typeof first)[2]>['left'], number | undefined>(true);
}
void calls;

// Middleware of the whole API, and of a part, whose errors are those of what they stand around.
const guarded = rpc({ a: query(() => 1), b: (_c: AnyContext, n: number) => n }, { middleware: [signedIn] });
async function guardedCalls(): Promise<void> {
  const [, error] = await createClient<typeof guarded>('').query.a();
  if (error?.type === 'who-are-you') same<typeof error.status, number>(true);
  const [, other] = await createClient<typeof guarded>('').mutate.b(1);
  if (other?.type === 'who-are-you') same<typeof other.status, number>(true);
  const parted = rpc({ in: scoped(signedIn, { a: mutation(() => 1) }), out: mutation(() => 2) });
  const [, inner] = await createClient<typeof parted>('').mutate.in.a();
  if (inner?.type === 'who-are-you') same<typeof inner.status, number>(true);
  const [, outer] = await createClient<typeof parted>('').mutate.out();
  // @ts-expect-error an error of middleware that does not stand around it
  void (outer?.type === 'who-are-you');
}
void guardedCalls;

// An API without middleware takes no values; a plain function takes any.
const plain = rpc({ a: query(() => 1) });
// @ts-expect-error nobody reads it
createClient<typeof plain>('').set('token', 'x');
const loose = rpc({ a: query(() => 1) }, { middleware: (call, next) => (call.values['token'] === 'x' ? next() : 1) });
createClient<typeof loose>('').set('token', 5);
createClient('').set('anything', 5);

// @ts-expect-error middleware that needs more in the context than there is
procedures<{ readonly db: string }>().use(middleware((_call: CallWith<object, { readonly user: User }>, next) => next()));
// @ts-expect-error a context that nobody makes
rpc({ me: signed.query((c) => c.user) });
