/**
 * Requests and responses of `node:http`'s kind for an exchange, with or without a connection: loaded with the
 * first that is mounted.
 */
import { createServer, serveMessages } from '../http/index.ts';
import type { ServeMessages } from './mount.ts';

/** Never listens: what requests and responses ask their server for are its defaults. */
let server: object | undefined;

const serve: ServeMessages = (exchange, listener) => {
  server ??= createServer();
  serveMessages(server as never, exchange, listener as never);
};

export default serve;
