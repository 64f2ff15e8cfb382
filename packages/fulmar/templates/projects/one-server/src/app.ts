/** The application without a port: what each part of it is written with, and where it lies. */
import { type App, createApp } from 'fulmar';
import { accessLog, health, securityHeaders } from 'fulmar/middleware';
import { createGuestbook } from './guestbook.ts';
import { notes } from './notes.ts';
import { createTides } from './tides.ts';

export function createServerApp({ log = true } = {}): App {
  const app = createApp({ bodyLimit: 100 * 1024 });
  // Before the log: a probe is quiet.
  app.register(health());
  if (log) app.use(accessLog());
  app.use(securityHeaders());
  // Express and Koa, as they were before: what is above stands around them, too.
  app.mount('/guestbook', createGuestbook());
  app.mount('/tides', createTides());
  // New routes, with schemas.
  app.register(notes, { prefix: '/notes' });
  return app;
}
