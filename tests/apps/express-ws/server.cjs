// A chat: sessions over HTTP, rooms over WebSocket routes inside Express routers.
'use strict';

const express = require('express');
const session = require('express-session');
const app = express();
const { applyTo, getWss } = require('express-ws')(app, undefined, { wsOptions: { maxPayload: 2_000_000 } });

const sessions = session({
  secret: 'lighthouse',
  resave: false,
  saveUninitialized: false,
  name: 'chat.sid',
  genid: () => `id-${(count += 1)}`,
});
let count = 0;
app.get('/count', (_req, res) => res.json({ clients: getWss().clients.size }));
app.use(sessions);
app.use(express.urlencoded({ extended: false }));

app.post('/login', (req, res) => {
  req.session.name = req.body.name;
  res.json({ name: req.body.name });
});
app.get('/', (req, res) => res.send(`Hello ${req.session.name ?? 'stranger'}`));

app.ws('/echo', (socket) => {
  socket.on('message', (data) => socket.send(data));
  socket.on('error', (error) => console.log(`echo failed: ${error.message}`));
  socket.on('close', (code, reason) => console.log(`echo closed ${code} ${reason}`));
});
app.get('/echo', (_req, res) => res.status(426).send('over WebSocket only'));

app.ws('/me', (socket, req) => {
  socket.send(
    JSON.stringify({ name: req.session.name ?? null, query: req.query, url: req.originalUrl, ws: typeof req.ws, method: req.method }),
  );
  socket.close(4001, 'told ✓');
});

const rooms = express.Router();
applyTo(rooms);
rooms.param('room', (req, _res, next, room) => {
  req.room = room.toUpperCase();
  next();
});
rooms.use((req, _res, next) => (req.session.name === undefined ? next(Object.assign(new Error('who are you?'), { status: 401 })) : next()));
rooms.ws('/:room', (socket, req) => {
  socket.room = req.room;
  socket.send(`welcome to ${req.room}, ${req.session.name}`);
  socket.on('message', (text) => {
    if (String(text) === 'leave') return socket.close(1000, 'bye');
    if (String(text) === 'crash') return socket.terminate();
    for (const other of getWss().clients) if (other.room === req.room) other.send(`${req.session.name}: ${text}`);
  });
  socket.on('pong', (data) => socket.send(`pong ${data}`));
  socket.ping('are you there?');
});
rooms.get('/:room', (req, res) => res.json({ room: req.room }));
app.use('/rooms', rooms);

app.ws('/big/:size', (socket, req) => socket.send(Buffer.alloc(Number(req.params.size), 'ab')));
app.ws('/refused', (_socket, _req, next) => next(new Error('refused')));

app.use((error, req, res, _next) => {
  console.log(`failed ${req.path}: ${error.message}`);
  res.status(error.status ?? 500).json({ error: error.message });
});

const server = app.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
