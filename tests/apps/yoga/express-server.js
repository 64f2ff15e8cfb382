/** Yoga as one of the routes of an Express application. */
import express from 'express';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { birds } from './birds.js';
import { operations, yoga } from './yoga.js';

const app = express();
app.disable('x-powered-by');
app.use((req, res, next) => {
  res.set('X-Served-By', 'express');
  next();
});
app.get('/birds/:id', (req, res) => {
  const bird = birds.find(({ id }) => id === req.params.id);
  if (bird === undefined) res.status(404).json({ error: 'no such bird' });
  else res.json(bird);
});
app.use(yoga.graphqlEndpoint, yoga);
app.use((error, req, res, _next) => {
  res.status(error.status ?? 500).json({ error: error.message });
});

const server = app.listen(Number(process.env.PORT ?? 4000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
useServer(operations, new WebSocketServer({ server, path: yoga.graphqlEndpoint }));
