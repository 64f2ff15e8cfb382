/** Puts the application together: security, health, typed routes, and an Express application, all of which use the same guests. */
import { type App, createApp } from 'fulmar';
import { csrf, securityHeaders } from 'fulmar/middleware';
import { addApi } from './parts/api.ts';
import { addHealth } from './parts/health.ts';
import { judge } from './parts/judge.ts';
import { createPages } from './parts/pages.js';
import { Reviews } from './parts/reviews.ts';

/** More than the longest review or batch; beyond it 413. */
const BODY_BYTES_MAX = 256 * 1024;

export function createShop(): App {
  const app = createApp({ bodyLimit: BODY_BYTES_MAX });
  const reviews = new Reviews();
  // Over plain HTTP, also to a phone in the same network: no upgrade to https.
  app.use(securityHeaders({ contentSecurityPolicy: { upgradeInsecureRequests: false }, strictTransportSecurity: false }), csrf());
  addHealth(app);
  addApi(app, reviews);
  app.mount('/reviews', createPages({ reviews, judge }));
  return app;
}
