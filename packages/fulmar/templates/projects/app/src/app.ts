/** The application without a port: tests ask it by `inject()`. */
import { type App, createApp } from 'fulmar';
import { accessLog, health, securityHeaders } from 'fulmar/middleware';
import { serveOpenapi } from 'fulmar/openapi';
import { notes } from './notes.ts';

export function createNotesApp({ log = true } = {}): App {
  const app = createApp({ bodyLimit: 100 * 1024 });
  // Before the log: a probe is quiet. `/live` is for the process, `/ready` for what it needs (`checks`).
  app.register(health());
  if (log) app.use(accessLog());
  app.use(securityHeaders());
  app.register(notes, { prefix: '/notes' });
  serveOpenapi(app, { info: { title: 'Notes', version: '1.0.0' } });
  return app;
}
