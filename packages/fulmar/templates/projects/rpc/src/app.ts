/** What is served: the API, and what an orchestrator asks for. */
import { type App, createApp } from 'fulmar';
import { health, securityHeaders } from 'fulmar/middleware';
import { createApi } from './api.ts';

export function createServerApp(): App {
  const app = createApp({ bodyLimit: 100 * 1024 });
  app.register(health());
  app.use(securityHeaders());
  app.mount('/api', createApi());
  return app;
}
