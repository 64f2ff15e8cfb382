/**
 * What docs/migration/from-trpc.md says is the same: documented behaviours of tRPC, the program in tRPC's words
 * and in ours, the same calls.
 */
import { experimental_standaloneMiddleware, TRPCError } from '@trpc/server';
import { z } from 'zod';
import { middleware, mutation, procedures, query, rpc, rpcError, scoped } from 'fulmar/rpc';
import { askOurs, askTheirs, defineEqual, failureOf, t } from './rpc-pairs.ts';

const none = { params: [] } as const;
const bird = z.object({ name: z.string(), wings: z.number().default(2) });

const signedInTheirs = t.middleware(({ ctx, next }) => {
  if (ctx.user === undefined) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'who are you?' });
  return next({ ctx: { user: ctx.user } });
});
interface Ctx {
  readonly user?: string | undefined;
}
const signedIn = middleware({ headers: z.object({ 'x-user': z.string().optional() }) }, (call, next) => {
  const user = call.headers['x-user'];
  return user === undefined ? rpcError({ type: 'unauthorized', status: 401, publicMessage: 'who are you?' }) : next({ user });
});
const createContext = ({ req }: { req: Request }): Ctx => ({ user: req.headers.get('x-user') ?? undefined });

defineEqual([
  {
    name: 'a query and a mutation, with input and defaults by zod',
    theirs: async () => {
      const client = askTheirs(
        t.router({
          hello: t.procedure.input(z.string()).query(({ input }) => `hello ${input}`),
          save: t.procedure.input(bird).mutation(({ input }) => ({ id: 1, ...input })),
        }),
      );
      return [await client.hello.query('ada'), await client.save.mutate({ name: 'auk' })];
    },
    ours: async () => {
      const client = askOurs(
        rpc({
          hello: query({ params: [z.string()] }, (_c, name) => `hello ${name}`),
          save: mutation({ params: [bird] }, (_c, given) => ({ id: 1, ...given })),
        }),
      ).orThrow;
      return [await client.query.hello('ada'), await client.mutate.save({ name: 'auk' } as never)];
    },
    both: ['hello ada', { id: 1, name: 'auk', wings: 2 }],
  },
  {
    name: 'routers within routers are objects within objects',
    theirs: async () => {
      const user = t.router({ list: t.procedure.query(() => ['ada']) });
      return askTheirs(t.router({ user, deep: { er: { one: t.procedure.query(() => 1) } } })).user.list.query();
    },
    ours: async () => {
      const user = { list: query(none, () => ['ada']) };
      return askOurs(rpc({ user, deep: { er: { one: query(none, () => 1) } } })).orThrow.query.user.list();
    },
    both: ['ada'],
  },
  {
    name: 'createContext is context, made once for the calls of a request',
    theirs: async () => {
      let made = 0;
      const router = t.router({ a: t.procedure.query(({ ctx }) => ctx.user), b: t.procedure.query(({ ctx }) => ctx.user) });
      const client = askTheirs(router, { link: 'batch', createContext: () => ({ user: `user ${(made += 1)}` }) });
      return Promise.all([client.a.query(), client.b.query()]);
    },
    ours: async () => {
      let made = 0;
      const p = procedures<Ctx>();
      const api = rpc(
        { a: p.query(none, (c) => c.user), b: p.query(none, (c) => c.user) },
        { context: () => ({ user: `user ${(made += 1)}` }) },
      );
      return (await askOurs(api).batch((plan) => [plan.a(), plan.b()])).map(([value]) => value);
    },
    both: ['user 1', 'user 1'],
  },
  {
    name: 'middleware that refuses, and narrows the context behind it',
    theirs: async () => {
      const router = t.router({ me: t.procedure.use(signedInTheirs).query(({ ctx }) => ctx.user.toUpperCase()) });
      const of = (headers: Record<string, string>) => askTheirs(router, { createContext, headers }).me.query();
      return [await of({ 'x-user': 'ada' }), await failureOf(of({}))];
    },
    ours: async () => {
      const api = rpc({
        me: procedures()
          .use(signedIn)
          .query(none, (c) => c.user.toUpperCase()),
      });
      const of = (headers: Record<string, string>) => askOurs(api, { headers }).orThrow.query.me();
      return [await of({ 'x-user': 'ada' }), await failureOf(of({}))];
    },
    both: ['ADA', [401, 'who are you?']],
  },
  {
    name: 'procedures that are made of procedures: middleware runs from the first to the last, and back',
    theirs: async () => {
      const order: string[] = [];
      const noted = (name: string) =>
        t.middleware(async ({ next }) => {
          order.push(name);
          const result = await next();
          order.push(`${name} ${result.ok}`);
          return result;
        });
      const outer = t.procedure.use(noted('outer'));
      const inner = outer.use(noted('inner'));
      await askTheirs(t.router({ run: inner.mutation(() => order.push('run')) })).run.mutate();
      return order;
    },
    ours: async () => {
      const order: string[] = [];
      const noted = (name: string) =>
        middleware({}, async (_call, next) => {
          order.push(name);
          const result = await next();
          order.push(`${name} true`);
          return result;
        });
      const outer = procedures().use(noted('outer'));
      const inner = outer.use(noted('inner'));
      await askOurs(rpc({ run: inner.mutation(none, () => order.push('run')) })).orThrow.mutate.run();
      return order;
    },
    both: ['outer', 'inner', 'run', 'inner true', 'outer true'],
  },
  {
    name: 'middleware of its own, for any context that has what it needs',
    theirs: async () => {
      const greeting = experimental_standaloneMiddleware<{ ctx: { user?: string | undefined } }>().create(({ ctx, next }) =>
        next({ ctx: { greeting: `hi ${ctx.user}` } }),
      );
      const router = t.router({ hi: t.procedure.use(greeting).query(({ ctx }) => ctx.greeting) });
      return askTheirs(router, { createContext: () => ({ user: 'ada' }) }).hi.query();
    },
    ours: async () => {
      const p = procedures<Ctx>().use((call, next) => next({ greeting: `hi ${call.context.user}` }));
      return askOurs(rpc({ hi: p.query(none, (c) => c.greeting) }, { context: () => ({ user: 'ada' }) })).orThrow.query.hi();
    },
    both: 'hi ada',
  },
  {
    name: 'an error that the client is to see has its status and its message',
    theirs: () => {
      const router = t.router({
        get: t.procedure.input(z.number()).query(() => {
          throw new TRPCError({ code: 'NOT_FOUND', message: 'no such bird' });
        }),
      });
      return failureOf(askTheirs(router).get.query(7));
    },
    ours: () => {
      const get = query({ params: [z.number()] }, () => rpcError({ type: 'no-bird', status: 404, publicMessage: 'no such bird' }));
      return failureOf(askOurs(rpc({ get })).orThrow.query.get(7));
    },
    both: [404, 'no such bird'],
  },
  {
    name: 'a procedure that is not there is 404',
    theirs: async () => {
      const client = askTheirs(t.router({ a: t.procedure.query(() => 1) })) as unknown as { b: { query(): Promise<unknown> } };
      return ((await failureOf(client.b.query())) as unknown[])[0];
    },
    ours: async () => {
      const client = askOurs(rpc({ a: query(none, () => 1) })).orThrow as unknown as { query: { b(): Promise<unknown> } };
      return ((await failureOf(client.query.b())) as unknown[])[0];
    },
    both: 404,
  },
  {
    name: 'a mutation is not asked by GET',
    theirs: async () => {
      const seen: number[] = [];
      const router = t.router({ wipe: t.procedure.mutation(() => 1) });
      const client = askTheirs(router) as unknown as { wipe: { query(): Promise<unknown> } };
      seen.push(((await failureOf(client.wipe.query())) as number[])[0] ?? 0);
      return seen;
    },
    ours: async () => {
      const client = askOurs(rpc({ wipe: mutation(none, () => 1) })).orThrow as unknown as { query: { wipe(): Promise<unknown> } };
      return [((await failureOf(client.query.wipe())) as unknown[])[0]];
    },
    both: [405],
  },
  {
    name: 'a result that does not fit its schema is 500, and what it was is not told',
    theirs: async () => {
      const router = t.router({ get: t.procedure.output(z.number()).query(() => 'text' as unknown as number) });
      return ((await failureOf(askTheirs(router).get.query())) as unknown[])[0];
    },
    ours: async () => {
      const get = query({ params: [], returns: z.number() }, () => 'text' as unknown as number);
      return ((await failureOf(askOurs(rpc({ get })).orThrow.query.get())) as unknown[])[0];
    },
    both: 500,
  },
  {
    name: 'output strips what its schema does not have',
    theirs: () =>
      askTheirs(t.router({ get: t.procedure.output(z.object({ id: z.number() })).query(() => ({ id: 1, secret: 'x' })) })).get.query(),
    ours: () =>
      askOurs(
        rpc({ get: query({ params: [], returns: z.object({ id: z.number() }) }, () => ({ id: 1, secret: 'x' })) }),
      ).orThrow.query.get(),
    both: { id: 1 },
  },
  {
    name: 'a generator comes item by item',
    theirs: async () => {
      const router = t.router({
        count: t.procedure.input(z.number()).query(async function* ({ input }) {
          for (let at = 0; at < input; at += 1) yield at;
        }),
      });
      const items: number[] = [];
      for await (const one of await askTheirs(router, { link: 'stream' }).count.query(3)) items.push(one);
      return items;
    },
    ours: async () => {
      const count = query({ params: [z.number()] }, async function* (_c, to) {
        for (let at = 0; at < to; at += 1) yield at;
      });
      const items: number[] = [];
      for await (const one of await askOurs(rpc({ count })).orThrow.query.count(3)) items.push(one);
      return items;
    },
    both: [0, 1, 2],
  },
  {
    name: 'several calls are one request, and one that fails does not take the others along',
    theirs: async () => {
      let requests = 0;
      const router = t.router({
        fine: t.procedure.query(() => 1),
        bad: t.procedure.query(() => {
          throw new TRPCError({ code: 'CONFLICT' });
        }),
      });
      const client = askTheirs(router, { link: 'batch', onRequest: () => (requests += 1) });
      const [fine, bad] = await Promise.allSettled([client.fine.query(), client.bad.query()]);
      return [
        requests,
        fine.status === 'fulfilled' && fine.value,
        bad.status === 'rejected' && (bad.reason as { data: { httpStatus: number } }).data.httpStatus,
      ];
    },
    ours: async () => {
      let requests = 0;
      const api = rpc({ fine: query(none, () => 1), bad: query(none, () => rpcError({ type: 'conflict', status: 409 })) });
      const [fine, bad] = await askOurs(api, { onRequest: () => (requests += 1) }).batch((plan) => [plan.fine(), plan.bad()]);
      return [requests, fine[0], (bad[1] as { status?: number } | undefined)?.status];
    },
    both: [1, 1, 409],
  },
  {
    name: 'the API called on the server itself, without a port',
    theirs: async () => {
      const router = t.router({ add: t.procedure.input(z.tuple([z.number(), z.number()])).query(({ input: [a, b] }) => a + b) });
      return t.createCallerFactory(router)({}).add([1, 2]);
    },
    ours: () => askOurs(rpc({ add: query({ params: [z.number(), z.number()] }, (_c, a, b) => a + b) })).orThrow.query.add(1, 2),
    both: 3,
  },
  {
    name: 'middleware for a part of an API',
    theirs: async () => {
      const guarded = t.procedure.use(signedInTheirs);
      const router = t.router({
        open: t.procedure.query(() => 1),
        admin: t.router({ a: guarded.query(() => 2), b: guarded.query(() => 3) }),
      });
      const client = askTheirs(router, { createContext });
      return [await client.open.query(), await failureOf(client.admin.a.query()), await failureOf(client.admin.b.query())];
    },
    ours: async () => {
      const admin = scoped(signedIn, { a: query(none, () => 2), b: query(none, () => 3) });
      const client = askOurs(rpc({ open: query(none, () => 1), admin })).orThrow.query;
      return [await client.open(), await failureOf(client.admin.a()), await failureOf(client.admin.b())];
    },
    both: [1, [401, 'who are you?'], [401, 'who are you?']],
  },
]);
