/** tRPC's Express adapter beside ordinary routes, and the same router over WebSocket. */
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import express from 'express';
import { WebSocketServer } from 'ws';
import { appRouter, createContext } from './router.js';

const app = express();
app.get('/health', (req, res) => res.json({ up: true }));
app.use(
  '/trpc',
  (req, res, next) => {
    res.set('X-Request', req.get('X-Request') ?? 'none');
    next();
  },
  createExpressMiddleware({
    router: appRouter,
    createContext,
    allowMethodOverride: true,
    maxBodySize: 300_000,
    onError: ({ error, path, type }) => console.log(`error ${error.code} in ${type} ${path ?? '-'}: ${error.message.split('\n')[0]}`),
    responseMeta: ({ paths, type, errors }) =>
      paths?.every((path) => path === 'note.list') && type === 'query' && errors.length === 0
        ? { headers: new Headers({ 'Cache-Control': 's-maxage=1, stale-while-revalidate=60', 'X-Paths': paths.join(' ') }) }
        : {},
  }),
);
app.use('/unbatched', createExpressMiddleware({ router: appRouter, createContext, allowBatching: false }));

const server = app.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
const sockets = new WebSocketServer({ server, path: '/socket' });
const handler = applyWSSHandler({ wss: sockets, router: appRouter, createContext });

process.once('SIGTERM', () => {
  handler.broadcastReconnectNotification();
  sockets.close();
  for (const socket of sockets.clients) socket.terminate();
  server.close(() => {
    console.log('closed');
    process.exit(3);
  });
});
