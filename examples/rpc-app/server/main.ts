/** The entry: makes the server and listens on PORT, else 3000. How it ends is the runner's part. */
import { createServer } from './app.ts';

const server = await createServer().listen();
console.log(`listening on ${server.url}`);
