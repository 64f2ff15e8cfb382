/**
 * One exchange between a client and a server of node:http on a free port; used by the cases of http. Closes
 * all that it opens.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

export interface Answer {
  readonly status: number | undefined;
  readonly message: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly trailers: NodeJS.Dict<string>;
  readonly text: string;
}

/** What came back, without the date. */
export async function answerOf(response: http.IncomingMessage): Promise<Answer> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const { date: _date, ...headers } = response.headers;
  return { status: response.statusCode, message: response.statusMessage, headers, trailers: response.trailers, text };
}

/** Serves `handler` while `use` runs. */
export async function serving<T>(
  handler: http.RequestListener,
  use: (port: number, server: http.Server) => Promise<T>,
  options: http.ServerOptions = {},
): Promise<T> {
  const server = http.createServer(options, handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use((server.address() as AddressInfo).port, server);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export interface Sent extends http.RequestOptions {
  readonly body?: string;
}

/** Sends a request and gives what came back. */
export async function send(port: number, { body, ...options }: Sent = {}): Promise<Answer> {
  const request = http.request({ host: '127.0.0.1', port, agent: false, ...options });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return answerOf(response);
}

/** The answer to one request to `handler`. */
export const exchange = (handler: http.RequestListener, sent: Sent = {}): Promise<Answer> => serving(handler, (port) => send(port, sent));

/** What `look` sees of a request and its response. */
export async function within<T>(look: (req: http.IncomingMessage, res: http.ServerResponse) => T, sent: Sent = {}): Promise<T | undefined> {
  let seen: T | undefined;
  let failure: unknown;
  await exchange((req, res) => {
    res.on('error', () => undefined);
    try {
      seen = look(req, res);
    } catch (error) {
      failure = error;
      Object.assign(res, { statusCode: 200, statusMessage: 'OK' });
    }
    if (!res.writableEnded) res.end();
  }, sent);
  if (failure !== undefined) throw failure;
  return seen;
}
