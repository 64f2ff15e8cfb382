/**
 * Apollo Server as middleware of Koa, behind a router, its subscriptions over WebSocket, ended gracefully by its drain plugin. Schema,
 * data and options are those of the Express application next door.
 */
import { createServer } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { koaMiddleware } from '@as-integrations/koa';
import { bodyParser } from '@koa/bodyparser';
import cors from '@koa/cors';
import Router from '@koa/router';
import { useServer } from 'graphql-ws/use/ws';
import Koa from 'koa';
import { WebSocketServer } from 'ws';
import { context, options } from '../apollo/apollo.js';
import { AuthorLoader } from '../apollo/library.js';
import { schema } from '../apollo/schema.js';

const app = new Koa();
const httpServer = createServer();
const sockets = new WebSocketServer({ server: httpServer, path: '/subscriptions' });
const subscriptions = useServer({ schema, context: () => ({ user: 'tove', authors: new AuthorLoader() }) }, sockets);

const closeSubscriptions = {
  async serverWillStart() {
    return { drainServer: () => subscriptions.dispose() };
  },
};
const server = new ApolloServer(options([ApolloServerPluginDrainHttpServer({ httpServer }), closeSubscriptions]));
await server.start();

const router = new Router();
router.get('/', (ctx) => {
  ctx.body = { graphql: '/graphql' };
});
router.all('/graphql', koaMiddleware(server, { context: ({ ctx }) => context(ctx) }));
router.get('/books/:id', (ctx) => {
  const book = schema.getType('Book');
  ctx.body = { id: ctx.params.id, fields: Object.keys(book.getFields()), route: ctx.routerPath ?? ctx._matchedRoute };
});
router.post('/echo', (ctx) => {
  ctx.body = { parsed: ctx.request.body ?? null, raw: ctx.request.rawBody ?? null };
});
router.get('/throws', (ctx) => ctx.throw(418, 'no coffee here', { expose: true, headers: { 'X-Pot': 'tea' } }));
router.get('/breaks', () => {
  throw new Error('the secret of the router');
});

app.on('error', (error, ctx) => console.log(`error of ${ctx.method} ${ctx.path}: ${error.message}`));
app.use(cors({ origin: ({ header }) => (header.origin === 'https://reading.example' ? header.origin : ''), exposeHeaders: 'X-Operation' }));
app.use(bodyParser({ jsonLimit: '200kb' }));
app.use(router.routes());
app.use(router.allowedMethods());
httpServer.on('request', app.callback());

httpServer.listen(Number(process.env.PORT ?? 4000), () => {
  console.log(`listening on http://localhost:${httpServer.address().port}`);
});
