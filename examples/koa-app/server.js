/**
 * The entry: makes the application and listens.
 *
 * Nothing here knows what serves it. `node server.js` runs it on node:http, `fulmar run server.js` on Fulmar; ending it
 * gracefully is the runner's part, so there are no signal handlers.
 */
import { createApp } from './app.js';
import { noteServer } from './lib/runtime.js';

const server = createApp().listen(Number(process.env.PORT ?? 3000), () => {
  noteServer(server);
  console.log(`listening on http://localhost:${server.address().port}`);
});
server.on('error', (error) => {
  console.error(`cannot listen: ${error.message}`);
  process.exit(1);
});
