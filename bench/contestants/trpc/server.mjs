// tRPC in the style of its documentation: one router, one procedure with an input of Zod, on its standalone adapter
// (node:http), set up for the scenario that the harness names in `SCENARIO`. It never logs.
import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { addMonth, month, union } from './months.mjs';
import { describe, heavy, light } from './users.mjs';

const scenarios = {
  'update-user-light': [light, describe],
  'update-user-heavy': [heavy, describe],
  'update-user-month': [month, addMonth],
  'update-user-union': [union, addMonth],
};

const t = initTRPC.create();
const [schema, update] = scenarios[process.env.SCENARIO ?? 'update-user-light'];
const appRouter = t.router({ updateUser: t.procedure.input(schema).mutation(({ input }) => update(input)) });

createHTTPServer({ router: appRouter }).listen(Number(process.env.PORT), '127.0.0.1');
