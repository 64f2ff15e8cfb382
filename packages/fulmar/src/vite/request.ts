/** A request of Vite's server as one of HTTP/1: with `server.https` it is one of HTTP/2, whose fields begin with others. */
import type { IncomingMessage } from 'node:http';

interface Request {
  readonly method?: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly socket: IncomingMessage['socket'];
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array>;
}

export function requestOf(req: IncomingMessage): Request {
  if (req.httpVersionMajor < 2) return req;
  const rawHeaders: string[] = [];
  for (let at = 0; at < req.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = req.rawHeaders.slice(at, at + 2);
    if (name === ':authority') rawHeaders.push('host', value);
    else if (!name.startsWith(':')) rawHeaders.push(name, value);
  }
  // Whether there is content is told by frames, and its length need not be.
  const { stream } = req as unknown as { stream: { endAfterHeaders: boolean } };
  if (!stream.endAfterHeaders && req.headers['content-length'] === undefined) rawHeaders.push('transfer-encoding', 'chunked');
  return { method: req.method, rawHeaders, socket: req.socket, [Symbol.asyncIterator]: () => req[Symbol.asyncIterator]() };
}
