/**
 * Puts the application together, in the order a request passes through it: health, log, security, sessions, then the parts,
 * each of them in a style of its own and a file of its own.
 */
import ejs from 'ejs';
import { type App, createApp } from 'fulmar';
import { accessLog, compress, csrf, health, rateLimit, securityHeaders, staticFiles } from 'fulmar/middleware';
import { serveSessions } from './lib/sessions.ts';
import { DRAIN_DELAY_MS, here, IS_HTTPS } from './lib/settings.ts';
import { createAccount } from './parts/account.js';
import { birds } from './parts/birds.ts';
import { addChat } from './parts/chat.ts';
import { addDocs } from './parts/docs.ts';
import { createFeed } from './parts/feed.ts';
import { addPages } from './parts/pages.ts';
import { tides } from './parts/tides.js';
import { addUploads } from './parts/uploads.ts';

/** Attempts to sign in, of one address in a minute. */
const LOGINS_MAX = 30;

export function createStation(): App {
  const app = createApp({
    views: { engine: (file, data) => ejs.renderFile(file, data), folder: here('./views'), extension: 'ejs' },
    ...(IS_HTTPS && { trustProxy: 'loopback' }),
  });

  // A probe is quiet: it comes before the log.
  app.register(health({ drainDelayMs: DRAIN_DELAY_MS }));
  useFoundations(app);

  // Express, as it was before there was Fulmar; the limit is the app's, before it.
  app.use('/account/login', rateLimit({ max: LOGINS_MAX }));
  app.mount('/account', createAccount());
  // Koa.
  app.mount('/tides', tides);

  // Typed: a plugin that adds `birds` to the app, which is then known to TypeScript.
  const station = app.register(birds);
  // A fetch handler.
  station.mount(
    '/feed',
    createFeed(() => station.birds.all()),
  );

  addPages(station);
  addUploads(app);
  addChat(app);
  addDocs(app);
  return app;
}

function useFoundations(app: App): void {
  app.use(accessLog());
  app.use(
    securityHeaders({
      // The example is served over plain HTTP, also to a phone in the same network: no upgrade to https.
      contentSecurityPolicy: { upgradeInsecureRequests: false },
      strictTransportSecurity: IS_HTTPS,
    }),
  );
  app.use(csrf(), compress());
  app.use('/assets', staticFiles({ root: here('./public'), maxAge: 3600 }));
  app.use(serveSessions);
}
