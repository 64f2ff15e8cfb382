// tRPC in the style of its documentation: one router, one procedure with an input of Zod, on its standalone adapter
// (node:http). It never logs.
import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { describe, heavy, light } from './users.mjs';

const t = initTRPC.create();
const schemas = { 'update-user-light': light, 'update-user-heavy': heavy };
const appRouter = t.router({
  updateUser: t.procedure.input(schemas[process.env.SCENARIO ?? 'update-user-light']).mutation(({ input }) => describe(input)),
});

createHTTPServer({ router: appRouter }).listen(Number(process.env.PORT), '127.0.0.1');
