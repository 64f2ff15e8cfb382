/** Apollo Server as middleware of Express, its subscriptions over WebSocket, ended gracefully by its drain plugin. */
import { createServer } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { expressMiddleware } from '@as-integrations/express5';
import cors from 'cors';
import express from 'express';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { context, options } from './apollo.js';
import { AuthorLoader } from './library.js';
import { schema } from './schema.js';

const app = express();
const httpServer = createServer(app);
const sockets = new WebSocketServer({ server: httpServer, path: '/subscriptions' });
const subscriptions = useServer({ schema, context: () => ({ user: 'tove', authors: new AuthorLoader() }) }, sockets);

const closeSubscriptions = {
  async serverWillStart() {
    return { drainServer: () => subscriptions.dispose() };
  },
};
const server = new ApolloServer(options([ApolloServerPluginDrainHttpServer({ httpServer }), closeSubscriptions]));
await server.start();

app.get('/', (req, res) => res.json({ graphql: '/graphql' }));
app.use(
  '/graphql',
  cors({ origin: 'https://reading.example', exposedHeaders: ['X-Operation'] }),
  express.json({ limit: '200kb' }),
  expressMiddleware(server, { context }),
);
app.use((error, req, res, _next) => {
  res.status(error.status ?? 500).json({ type: error.type ?? error.name, message: error.message });
});

httpServer.listen(Number(process.env.PORT ?? 4000), () => {
  console.log(`listening on http://localhost:${httpServer.address().port}`);
});
