// A message board as they were written for years: Express 4, EJS pages, Passport with sessions, flash
// messages, uploads.
'use strict';

const path = require('path');
const crypto = require('crypto');
const express = require('express');
const session = require('express-session');
const cookieParser = require('cookie-parser');
const flash = require('connect-flash');
const methodOverride = require('method-override');
const multer = require('multer');
const passport = require('passport');
const { Strategy: LocalStrategy } = require('passport-local');

const hash = (password) => crypto.createHash('sha256').update(`salt ${password}`).digest('hex');
const users = [
  { id: 1, name: 'ada', shown: 'Ada ☕', password: hash('analytical engine') },
  { id: 2, name: 'ægir', shown: '<b>Ægir</b>', password: hash('nordsjøen') },
];
const messages = [{ id: 1, by: 'Ada ☕', text: 'First & foremost <script>alert(1)</script>', file: null }];

passport.use(
  new LocalStrategy({ usernameField: 'user', passReqToCallback: true }, (req, name, password, done) => {
    if (name === 'broken') return done(new Error('the user store is broken'));
    const user = users.find((one) => one.name === name.normalize('NFC'));
    if (user === undefined || user.password !== hash(password))
      return done(null, false, { message: 'Wrong name or password — noch einmal.' });
    setImmediate(() => done(null, user));
  }),
);
passport.serializeUser((user, done) => done(null, user.id));
passport.deserializeUser((id, done) => done(null, users.find((user) => user.id === id) ?? false));

const app = express();
app.set('view engine', 'ejs');
app.set('views', path.join(__dirname, 'views'));
app.set('trust proxy', 1);
app.locals.title = 'Brett';
app.locals.shout = (text) => text.toUpperCase();
app.use(express.static(path.join(__dirname, 'public'), { maxAge: '1h', extensions: ['html'] }));
app.use(cookieParser('biscuit'));
app.use(express.urlencoded({ extended: true, limit: '10kb' }));
app.use(methodOverride((req) => req.body?._method));
app.use(
  session({
    secret: ['new secret', 'old secret'],
    name: 'board.sid',
    resave: false,
    saveUninitialized: false,
    rolling: true,
    cookie: { maxAge: 3_600_000, sameSite: 'lax', secure: 'auto' },
  }),
);
app.use(flash());
app.use(passport.initialize());
app.use(passport.session());
app.use((req, res, next) => {
  res.locals.user = req.user;
  res.locals.flash = { error: req.flash('error'), info: req.flash('info') };
  next();
});

const onlyUsers = (req, res, next) => {
  if (req.isAuthenticated()) return next();
  req.session.returnTo = req.originalUrl;
  req.flash('error', 'Please log in first.');
  res.redirect('/login');
};
const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 50_000, files: 1 } });

app.get('/', (req, res) => {
  req.session.visits = (req.session.visits ?? 0) + 1;
  res.cookie('seen', String(req.session.visits), { signed: true, httpOnly: true });
  res.render('index', { messages, visits: req.session.visits, seen: req.signedCookies.seen });
});
app.get('/login', (_req, res) => res.render('login'));
app.post('/login', passport.authenticate('local', { failureRedirect: '/login', failureFlash: true, keepSessionInfo: true }), (req, res) => {
  const to = req.session.returnTo ?? '/';
  delete req.session.returnTo;
  req.flash('info', `Welcome, ${req.user.shown}`);
  if (req.body.remember) res.cookie('remember', { id: req.user.id, name: req.user.shown }, { maxAge: 1000, signed: true, path: '/login' });
  res.redirect(to);
});
app.post('/logout', (req, res, next) => req.logout((error) => (error ? next(error) : res.clearCookie('seen').redirect(303, '/'))));
app.post('/destroy', (req, res, next) => req.session.destroy((error) => (error ? next(error) : res.sendStatus(204))));

const board = express.Router({ mergeParams: true });
board.use(onlyUsers);
board.param('id', (req, _res, next, id) => {
  req.message = messages.find((one) => one.id === Number(id));
  next(req.message === undefined ? Object.assign(new Error(`no message ${id}`), { status: 404 }) : undefined);
});
board.post('/', upload.single('file'), (req, res) => {
  const { file } = req;
  messages.push({
    id: messages.length + 1,
    by: req.user.shown,
    text: req.body.text ?? '',
    file: file && { name: Buffer.from(file.originalname, 'latin1').toString(), type: file.mimetype, content: file.buffer },
  });
  req.flash('info', 'Posted.');
  res.redirect(`/messages/${messages.length}`);
});
board.get('/:id', (req, res) => res.render('message', { message: req.message }));
board.get('/:id/file', (req, res) => {
  const { file } = req.message;
  if (!file) return res.status(404).render('error', { status: 404, text: 'no file' });
  res.attachment(file.name).type(file.type).send(file.content);
});
board.put('/:id', (req, res) => {
  req.message.text = req.body.text;
  res.redirect('back');
});
board.delete('/:id', (req, res) => {
  messages.splice(messages.indexOf(req.message), 1);
  res.format({ html: () => res.redirect('/'), json: () => res.json({ left: messages.length }) });
});
app.use('/messages', board);
app.get('/raw', onlyUsers, (req, res) =>
  res.json({ user: req.user.name, session: Object.keys(req.session).sort(), cookies: Object.keys(req.cookies) }),
);
app.get('/broken-view', (_req, res) => res.render('broken'));
app.get('/missing-view', (_req, res) => res.render('nowhere'));
app.get('/partial', (_req, res, next) =>
  res.render('partials/flash', { flash: { error: ['<one>'], info: [] } }, (error, html) =>
    error ? next(error) : res.type('text').send(html.trim()),
  ),
);

app.use((_req, res) => res.status(404).render('error', { status: 404, text: 'Nothing here' }));
app.use((error, _req, res, _next) => {
  const status = error.status ?? (error instanceof multer.MulterError ? 413 : 500);
  res.status(status).render('error', { status, text: error.message.split('\n').at(-1) });
});

const server = app.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
