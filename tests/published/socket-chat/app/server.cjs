// A chat as socket.io's own documentation builds it: rooms, acknowledgements, binary, namespaces, middleware, on Express.
'use strict';

const { createServer } = require('node:http');
const express = require('express');
const { Server } = require('socket.io');

const app = express();
const server = createServer(app);
const io = new Server(server, {
  maxHttpBufferSize: 100_000,
  perMessageDeflate: { threshold: 1024 },
  httpCompression: true,
  cors: { origin: 'http://sea.example', credentials: true },
  cookie: { name: 'io', sameSite: 'lax' },
  connectionStateRecovery: { maxDisconnectionDuration: 10_000 },
  allowRequest: (req, callback) => callback(null, !req.url.includes('refused')),
});

app.get('/', (_req, res) => res.send('<title>chat</title>'));
app.get('/rooms', (_req, res) => res.json([...io.sockets.adapter.rooms.keys()].filter((name) => !io.sockets.sockets.has(name)).sort()));
app.get('/clients', (_req, res) => res.json({ clients: io.engine.clientsCount }));

io.use((socket, next) =>
  socket.handshake.auth.name === 'nobody' ? next(Object.assign(new Error('who?'), { data: { code: 7 } })) : next(),
);
io.on('connection', (socket) => {
  const { name } = socket.handshake.auth;
  socket.emit('hello', { name, query: socket.handshake.query.q, secure: socket.handshake.secure, transport: socket.conn.transport.name });
  socket.on('join', async (room, done) => {
    await socket.join(room);
    done([...socket.rooms].length);
  });
  socket.on('say', (room, text) => io.to(room).emit('said', { name, text }));
  socket.on('whisper', (room, text) => socket.to(room).volatile.emit('said', { name, text }));
  socket.on('echo', (value, done) => done(value));
  socket.on('ask', async (done) => done(await socket.timeout(5_000).emitWithAck('question', 1)));
  socket.on('leave', () => socket.disconnect(true));
});
io.of('/admin').on('connection', (socket) => socket.emit('count', io.engine.clientsCount > 0));

server.listen(Number(process.env.PORT), '127.0.0.1');
