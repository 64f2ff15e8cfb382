/**
 * Requests and responses of `node:http`'s kind for an exchange, with or without a connection: loaded with the
 * first that is mounted.
 */
import { createServer, serveMessages } from '../http/index.ts';
import type { ServeMessages } from './mount.ts';

/**
 * One for each application, which never listens: what requests and responses ask their server for are its defaults,
 * and they are of the classes that the application brings, npm's Express among them.
 */
const servers = new WeakMap<object, object>();

const serve: ServeMessages = (exchange, application, listener) => {
  let server = servers.get(application);
  if (server === undefined) servers.set(application, (server = createServer(application as never)));
  serveMessages(server as never, exchange, listener as never);
};

export default serve;
