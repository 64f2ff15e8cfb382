// The chain of five in Elysia's life cycle: `onError`, a logger between `onRequest` and `onAfterResponse`,
// `resolve` for authentication, the plugin `cors`, the route. `server.ts` loads it for the scenario `chain-5`
// alone; the logger measures every exchange and never writes.
import { cors } from '@elysiajs/cors';
import { Elysia } from 'elysia';

const users = new Map([['secret', 'ada']]);

export const chain = new Elysia()
  .onError(({ code, status }) => (typeof code === 'number' ? undefined : status(500, { error: 'Internal Server Error' })))
  .derive(() => ({ start: Bun.nanoseconds(), durationMs: 0 }))
  .onAfterResponse((context) => {
    context.durationMs = (Bun.nanoseconds() - context.start) / 1e6;
  })
  .resolve(({ headers, status }) => {
    const [scheme, token = ''] = (headers.authorization ?? '').split(' ');
    const user = scheme === 'Bearer' ? users.get(token) : undefined;
    return user === undefined ? status(401, { error: 'Unauthorized' }) : { user };
  })
  .use(cors({ origin: '*' }))
  .get('/', ({ user }) => ({ user, message: 'Hello, World!' }));
