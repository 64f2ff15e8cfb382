/**
 * The entry: makes the application and listens on PORT, else 3000.
 *
 * Ending it is the runner's part: at SIGTERM `fulmar run`, a built file and an executable let the app's own hooks run, close
 * WebSockets with 1001, finish what is being answered, and go. So there are no signal handlers here.
 */
import { createStation } from './app.ts';

const server = await createStation().listen();
console.log(`listening on ${server.url}`);
