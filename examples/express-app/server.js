/**
 * The entry: makes the application and listens.
 *
 * Nothing here knows what serves it. `node server.js` runs it on node:http, `fulmar run server.js` on Fulmar; ending it
 * gracefully is the runner's part, so there are no signal handlers.
 */
import { createApp } from './app.js';
import { noteServer } from './lib/runtime.js';

const port = Number(process.env.PORT ?? 3000);
const app = createApp();

const server = app.listen(port, (error) => {
  // Express 5 passes a failure to listen to this callback.
  if (error) {
    console.error(`cannot listen on port ${port}: ${error.message}`);
    process.exit(1);
  }
  noteServer(server);
  console.log(`listening on http://localhost:${server.address().port}`);
});
