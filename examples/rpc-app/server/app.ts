/** One server for all: the API, photos, and the page as `vite build` has made it. */
import { fileURLToPath } from 'node:url';
import { type App, createApp } from 'fulmar';
import { accessLog, compress, securityHeaders, staticFiles } from 'fulmar/middleware';
import { api, store } from './api.ts';
import { addPhotos } from './photos.ts';

/** Also where a built file or an executable finds what it carries. */
const page = fileURLToPath(new URL('../dist/page', import.meta.url));

export function createServer(): App {
  const app = createApp();
  app.use(accessLog());
  // The example is served over plain HTTP, also to a phone in the same network: no upgrade to https.
  app.use(securityHeaders({ contentSecurityPolicy: { upgradeInsecureRequests: false }, strictTransportSecurity: false }));
  app.mount('/api', api);
  addPhotos(app, store);
  app.use(compress());
  app.use('/', staticFiles({ root: page }));
  app.onDrain(() => store.close());
  return app;
}
