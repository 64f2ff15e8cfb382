/** Feathers on Express: services over REST and socket.io, authentication, uploads, channels, pages. */
'use strict';

const path = require('node:path');
const { AuthenticationService, JWTStrategy } = require('@feathersjs/authentication');
const { LocalStrategy } = require('@feathersjs/authentication-local');
const express = require('@feathersjs/express');
const { feathers } = require('@feathersjs/feathers');
const socketio = require('@feathersjs/socketio');

const app = express(feathers());
app.set('authentication', {
  secret: 'a secret of the tests',
  entity: 'user',
  service: 'users',
  authStrategies: ['jwt', 'local'],
  jwtOptions: { audience: 'https://cliff.example', expiresIn: '1d' },
  local: { usernameField: 'email', passwordField: 'password', hashSize: 4 },
});
app.set('case sensitive routing', true);
app.disable('x-powered-by');

app.use(express.cors());
app.use(express.json({ limit: '150kb' }));
app.use(express.urlencoded({ extended: true }));
app.use(express.static(path.join(__dirname, 'public'), { maxAge: 3_600_000 }));
app.use((req, res, next) => {
  req.feathers = { ...req.feathers, trip: req.get('X-Trip') };
  next();
});
app.get('/page', (req, res) => res.send(`<p>${req.query.name ?? 'nobody'} ☃</p>`));
app.get('/who', express.authenticate('jwt'), (req, res) => res.json({ email: req.feathers.user.email }));

app.configure(express.rest());
app.configure(
  socketio({ cors: { origin: 'https://cliff.example' } }, (io) => io.on('connection', (socket) => socket.emit('hello', 'sailor'))),
);

const authentication = new AuthenticationService(app);
authentication.register('jwt', new JWTStrategy());
authentication.register('local', new LocalStrategy());
app.use('authentication', authentication);
for (const configure of ['users', 'messages', 'photos']) app.configure(require(`./services/${configure}.cjs`));

app.on('connection', (connection) => app.channel('everybody').join(connection));
app.on('login', (result, { connection }) => {
  if (connection !== undefined) app.channel('members').join(connection);
});
app.service('messages').publish(() => app.channel('members'));
app.service('users').publish('created', () => app.channel('everybody'));

app.use(express.notFound({ verbose: true }));
app.use(
  express.errorHandler({
    logger: { error: ({ message }) => console.log(`error ${message}`), info: ({ message }) => console.log(`info ${message}`) },
  }),
);

app.listen(Number(process.env.PORT ?? 3030)).then((server) => {
  const tell = () => console.log(`listening on http://localhost:${server.address().port}`);
  if (server.listening) tell();
  else server.once('listening', tell);
});

process.once('SIGTERM', async () => {
  await app.teardown();
  console.log('torn down');
});
