/** Every difference that docs/migration/from-trpc.md lists: the same calls of tRPC and of ours, and what each makes of them. */
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { middleware, mutation, procedures, query, rpc, rpcError } from 'fulmar/rpc';
import { askOurs, askTheirs, defineDifferences, failureOf, t } from './rpc-pairs.ts';

const none = { params: [] } as const;
const numbers = Array.from({ length: 21 }, (_, at) => at);
const SECRET = 'password of the database';

defineDifferences([
  {
    id: 'T1',
    name: 'what is thrown is not told, but for an id that the log has',
    theirs: () =>
      failureOf(
        askTheirs(
          t.router({
            get: t.procedure.query(() => {
              throw new Error(SECRET);
            }),
          }),
        ).get.query(),
      ),
    ours: () => {
      const get = query(none, () => {
        throw new Error(SECRET);
      });
      return failureOf(askOurs(rpc({ get })).orThrow.query.get());
    },
    stock: [500, SECRET],
    fulmar: [500, 'Internal Server Error'],
  },
  {
    id: 'T2',
    name: 'parameters that do not fit are 422, with their places',
    theirs: () => failureOf(askTheirs(t.router({ get: t.procedure.input(z.number()).query(() => 1) })).get.query('x' as never)),
    ours: async () => {
      const [, error] = await askOurs(rpc({ get: query({ params: [z.number()] }, () => 1) })).query.get('x' as never);
      return [error?.status, error?.message, error?.issues.map(({ path }) => path)];
    },
    stock: [400, 'issues of zod'],
    fulmar: [422, 'The parameters are not valid.', [[0]]],
  },
  {
    id: 'T3',
    name: 'dates and their like come as what they were, without a transformer',
    theirs: async () => {
      const { at, of } = await askTheirs(
        t.router({ get: t.procedure.query(() => ({ at: new Date(0), of: new Map([[1, 2]]) })) }),
      ).get.query();
      return [typeof at, of];
    },
    ours: async () => {
      const { at, of } = await askOurs(rpc({ get: query(none, () => ({ at: new Date(0), of: new Map([[1, 2]]) })) })).orThrow.query.get();
      return [at instanceof Date, [...of]];
    },
    stock: ['string', {}],
    fulmar: [true, [[1, 2]]],
  },
  {
    id: 'T4',
    name: 'calls of one moment are one request where batch() says so',
    theirs: async () => {
      let requests = 0;
      const router = t.router({ add: t.procedure.input(z.number()).query(({ input }) => input + 1) });
      const client = askTheirs(router, { link: 'batch', onRequest: () => (requests += 1) });
      return [await Promise.all([client.add.query(1), client.add.query(2)]), requests];
    },
    ours: async () => {
      let requests = 0;
      const api = rpc({ add: query({ params: [z.number()] }, (_c, a) => a + 1) });
      const client = askOurs(api, { onRequest: () => (requests += 1) });
      return [await Promise.all([client.orThrow.query.add(1), client.orThrow.query.add(2)]), requests];
    },
    stock: [[2, 3], 1],
    fulmar: [[2, 3], 2],
  },
  {
    id: 'T5',
    name: 'a query that is asked twice at once is asked once',
    theirs: async () => {
      let runs = 0;
      const client = askTheirs(t.router({ get: t.procedure.query(() => (runs += 1)) }));
      await Promise.all([client.get.query(), client.get.query()]);
      return runs;
    },
    ours: async () => {
      let runs = 0;
      const client = askOurs(rpc({ get: query(none, () => (runs += 1)) }));
      await Promise.all([client.query.get(), client.query.get()]);
      return runs;
    },
    stock: 2,
    fulmar: 1,
  },
  {
    id: 'T6',
    name: 'a query that nobody answers is asked again, without a link for that',
    theirs: async () => {
      let asked = 0;
      const client = askTheirs(t.router({ get: t.procedure.query(() => 1) }), { onRequest: () => unreachable((asked += 1)) });
      await failureOf(client.get.query());
      return asked;
    },
    ours: async () => {
      let asked = 0;
      const client = askOurs(rpc({ get: query(none, () => 1) }), { retryDelay: 1, onRequest: () => unreachable((asked += 1)) });
      await client.query.get();
      return asked;
    },
    stock: 1,
    fulmar: 3,
  },
  {
    id: 'T7',
    name: 'what is thrown behind next() is thrown by it, not told by ok: false',
    theirs: async () => {
      const seen: unknown[] = [];
      const watched = t.procedure.use(async ({ next }) => {
        const result = await next();
        seen.push(result.ok, result.ok ? '' : result.error.message);
        return result;
      });
      const router = t.router({
        get: watched.query(() => {
          throw new Error('lost');
        }),
      });
      await failureOf(askTheirs(router).get.query());
      return seen;
    },
    ours: async () => {
      const seen: unknown[] = [];
      const watched = procedures().use(async (_call, next) => {
        try {
          return await next();
        } catch (error) {
          seen.push('thrown', (error as Error).message);
          throw error;
        }
      });
      const get = watched.query(none, () => {
        throw new Error('lost');
      });
      await failureOf(askOurs(rpc({ get })).orThrow.query.get());
      return seen;
    },
    stock: [false, 'lost'],
    fulmar: ['thrown', 'lost'],
  },
  {
    id: 'T8',
    name: 'parameters are judged before middleware, unless that always runs',
    theirs: () => {
      const guarded = t.procedure.use(() => {
        throw new TRPCError({ code: 'UNAUTHORIZED' });
      });
      return statusOf(askTheirs(t.router({ get: guarded.input(z.number()).query(() => 1) })).get.query('x' as never));
    },
    ours: async () => {
      const refuse = (alwaysRun: boolean) => middleware({ alwaysRun }, () => rpcError({ type: 'unauthorized', status: 401 }));
      const of = (alwaysRun: boolean) =>
        rpc({
          get: procedures()
            .use(refuse(alwaysRun))
            .query({ params: [z.number()] }, () => 1),
        });
      return [
        await statusOf(askOurs(of(false)).orThrow.query.get('x' as never)),
        await statusOf(askOurs(of(true)).orThrow.query.get('x' as never)),
      ];
    },
    stock: 401,
    fulmar: [422, 401],
  },
  {
    id: 'T9',
    name: 'a request of more than 20 calls is refused, as long as batchMax says no other number',
    theirs: async () => {
      const client = askTheirs(t.router({ get: t.procedure.input(z.number()).query(({ input }) => input) }), { link: 'batch' });
      return (await Promise.all(numbers.map((at) => client.get.query(at)))).length;
    },
    ours: async () => {
      const of = async (options: object) => {
        const results = await askOurs(rpc({ get: mutation({ params: [z.number()] }, (_c, at) => at) }, options)).batch((plan) =>
          numbers.map((at) => plan.get(at)),
        );
        return results.filter(([, error]) => error === undefined).length;
      };
      return [await of({}), await of({ batchMax: 100 })];
    },
    stock: 21,
    fulmar: [0, 21],
  },
]);

const statusOf = async (call: Promise<unknown>): Promise<unknown> => ((await failureOf(call)) as unknown[])[0];

function unreachable(_count: number): never {
  throw new TypeError('fetch failed');
}
