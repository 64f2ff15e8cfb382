/**
 * Puts the application together, in the order a request passes through it:
 * id, log, security headers, compression, assets, API, cookies and session, pages, errors.
 */
import { randomUUID, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import cookieParser from 'cookie-parser';
import express from 'express';
import session from 'express-session';
import helmet from 'helmet';
import morgan from 'morgan';
import { createAccounts } from './lib/accounts.js';
import { createNotes } from './lib/notes.js';
import { describeRuntime } from './lib/runtime.js';
import { renderError, renderNotFound } from './middleware/errors.js';
import { attachUser } from './middleware/user.js';
import { createAccountRouter } from './routes/account.js';
import { createApiRouter } from './routes/api.js';
import { createFilesRouter } from './routes/files.js';
import { createLiveRouter } from './routes/live.js';
import { createPagesRouter } from './routes/pages.js';
import { createPhotosRouter } from './routes/photos.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SESSION_MS = 8 * 60 * 60 * 1000;
const ASSET_MAX_AGE_MS = 60 * 60 * 1000;

export function createApp() {
  const app = express();
  const notes = createNotes();
  const accounts = createAccounts();
  const secret = process.env.SESSION_SECRET ?? randomBytes(32).toString('hex');

  app.set('view engine', 'ejs');
  app.set('views', here('./views'));
  app.set('trust proxy', 'loopback');
  app.locals.title = 'Fieldbook';
  app.locals.runtime = describeRuntime;

  // A probe must stay cheap and quiet: before log, session and everything else.
  app.get('/healthz', (req, res) => res.json({ status: 'ok' }));

  useFoundations(app);
  app.use(express.static(here('./public'), { maxAge: ASSET_MAX_AGE_MS }));

  app.use(cookieParser(secret));
  app.use(
    session({
      name: 'fieldbook.sid',
      secret,
      resave: false,
      saveUninitialized: false,
      cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', maxAge: SESSION_MS },
    }),
  );
  app.use(attachUser(accounts));

  app.use('/api', createApiRouter(notes));
  app.use('/live', createLiveRouter());
  app.use('/files', createFilesRouter(notes, here('./files')));
  app.use('/photos', createPhotosRouter());
  app.use(createAccountRouter(accounts));
  app.use(createPagesRouter(notes));

  app.use(renderNotFound);
  app.use(renderError);
  return app;
}

function useFoundations(app) {
  app.use((req, res, next) => {
    req.id = randomUUID();
    res.set('X-Request-Id', req.id);
    next();
  });
  const format = process.env.LOG_FORMAT ?? 'dev';
  if (format !== 'off') app.use(morgan(format));
  app.use(
    helmet({
      // The example is served over plain HTTP, also to a phone in the same network: no upgrade to https.
      contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
      strictTransportSecurity: false,
    }),
  );
  app.use(
    compression({
      // An event stream must reach the browser event by event.
      filter: (req, res) => !String(res.get('Content-Type')).startsWith('text/event-stream') && compression.filter(req, res),
    }),
  );
}
