/**
 * What stands around the folder of routes: limits, a route without a file, and how errors are told to the log.
 */
import { defineConfig, type ProjectPlugin } from 'fulmar/routes';

/** A line for each reply that is an error of ours. */
const errorLog: ProjectPlugin = {
  name: 'error-log',
  handleError(error, c) {
    console.error(`${c.method} ${c.pathname} failed: ${error instanceof Error ? error.message : String(error)}`);
  },
};

export default defineConfig({
  app: { bodyLimit: 64 * 1024 },
  routes: { virtual: { '/health': () => ({ status: 'ok' }) } },
  static: [{ dir: 'public', maxAge: 3600 }],
  plugins: [errorLog],
});
