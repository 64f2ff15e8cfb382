/**
 * Sends undici's requests with `node:http` and `node:https`.
 */
import type * as Http from 'node:http';
import type { Readable } from 'node:stream';

interface DispatchOptions {
  readonly path: string;
  readonly origin: string;
  readonly method: string;
  readonly body: null | string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Names and values; undici's own list gives them as an object's entries. */
  readonly headers: Readonly<Record<string, string>> | Iterable<readonly [string, string]>;
  readonly upgrade?: string;
}

interface Handler {
  onConnect(abort: (reason?: unknown) => void): void;
  onResponseStarted?(): void;
  onHeaders(status: number, headers: Buffer[], resume: () => void, text: string): boolean;
  onData(chunk: Buffer): boolean;
  onComplete(trailers: Buffer[]): void;
  onError(error: unknown): void;
  onUpgrade?(status: number, headers: Buffer[], socket: unknown): void;
  onRequestUpgrade?(controller: object, status: number, headers: Record<string, string | string[]>, socket: unknown): void;
}

type Client = typeof Http;

const clients = new Map<string, { readonly client: Client; readonly agent: Http.Agent }>();

/** One agent for each scheme, with connections that stay open, apart from the application's. */
function clientFor(protocol: string): { readonly client: Client; readonly agent: Http.Agent } {
  let found = clients.get(protocol);
  if (found === undefined) {
    const client = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http') as Client;
    found = { client, agent: new client.Agent({ keepAlive: true }) };
    clients.set(protocol, found);
  }
  return found;
}

function headerLines(headers: DispatchOptions['headers']): Record<string, string> {
  const entries = Symbol.iterator in headers ? headers : Object.entries(headers);
  return Object.fromEntries(entries as Iterable<readonly [string, string]>);
}

function raw(response: Http.IncomingMessage): Buffer[] {
  return response.rawHeaders.map((text) => Buffer.from(text, 'latin1'));
}

function dispatch(options: DispatchOptions, handler: Handler): boolean {
  const url = new URL(options.origin);
  const { client, agent } = clientFor(url.protocol);
  const headers = headerLines(options.headers);
  if (options.upgrade !== undefined) {
    headers['connection'] = 'upgrade';
    headers['upgrade'] = options.upgrade;
  }
  // The request is made in a later turn: its handler is still being set up.
  let request: Http.ClientRequest | undefined;
  let ended = false;
  const fail = (error: unknown): void => {
    if (ended) return;
    ended = true;
    handler.onError(error);
  };
  const abort = (reason?: unknown): void => {
    const error = reason ?? new DOMException('This operation was aborted', 'AbortError');
    request?.destroy(error as Error);
    fail(error);
  };
  handler.onConnect(abort);
  if (ended) return true;
  try {
    const { hostname } = url;
    request = client.request({
      protocol: url.protocol,
      hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
      port: url.port === '' ? undefined : Number(url.port),
      path: options.path,
      method: options.method,
      headers,
      agent,
    });
  } catch (error) {
    queueMicrotask(() => fail(error));
    return true;
  }
  request.on('error', fail);
  request.on('response', (response) => answer(response, handler, fail, () => (ended = true)));
  request.on('upgrade', (response, socket) => {
    ended = true;
    if (handler.onRequestUpgrade === undefined) handler.onUpgrade?.(response.statusCode ?? 101, raw(response), socket);
    else handler.onRequestUpgrade({}, response.statusCode ?? 101, response.headers as Record<string, string | string[]>, socket);
  });
  void send(request, options.body, abort);
  return true;
}

/** Gives the reply to undici, at its pace. */
function answer(response: Http.IncomingMessage, handler: Handler, fail: (error: unknown) => void, end: () => void): void {
  handler.onResponseStarted?.();
  const flows = handler.onHeaders(response.statusCode ?? 0, raw(response), () => response.resume(), response.statusMessage ?? '');
  if (!flows) response.pause();
  response.on('data', (chunk: Buffer) => {
    if (!handler.onData(chunk)) response.pause();
  });
  response.on('end', () => {
    end();
    handler.onComplete([]);
  });
  response.on('error', fail);
  response.on('aborted', () => fail(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })));
}

async function send(request: Http.ClientRequest, body: DispatchOptions['body'], abort: (reason: unknown) => void): Promise<void> {
  if (body === null || body === undefined || typeof body === 'string' || ArrayBuffer.isView(body)) {
    request.end(body ?? undefined);
    return;
  }
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array> | Readable) {
      if (request.destroyed) return;
      if (!request.write(chunk)) await drained(request);
    }
    request.end();
  } catch (error) {
    abort(error);
  }
}

function drained(request: Http.ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      request.off('drain', done);
      request.off('close', done);
      resolve();
    };
    request.on('drain', done);
    request.on('close', done);
  });
}

export const dispatcher = {
  dispatch,
  isMockActive: false,
  close: (): Promise<void> => Promise.resolve(),
  destroy: (): Promise<void> => Promise.resolve(),
};
