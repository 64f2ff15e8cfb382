/** What stands around the folder of routes: limits, probes, and what happens at the end. */
import { health, securityHeaders } from 'fulmar/middleware';
import { defineConfig } from 'fulmar/routes';

export default defineConfig({
  app: { bodyLimit: 100 * 1024 },
  middlewares: { global: [securityHeaders()] },
  plugins: [
    // `/live` is for the process, `/ready` for what it needs (`checks`).
    health(),
    {
      name: 'ending',
      // At SIGTERM Fulmar stops listening and lets requests that are being answered finish. Close what the application
      // holds open (a database, say) when that is done:
      serverCreated: (app) => void app.onStop(() => console.log('closed')),
    },
  ],
});
