/** Yoga as the listener of a server, and its subscriptions over WebSocket on the same port. */
import { createServer } from 'node:http';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { operations, yoga } from './yoga.js';

const server = createServer(yoga);
useServer(operations, new WebSocketServer({ server, path: yoga.graphqlEndpoint }));
server.listen(Number(process.env.PORT ?? 4000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
