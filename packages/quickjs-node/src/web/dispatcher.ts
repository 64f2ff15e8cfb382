/**
 * Sends undici's requests with `node:http` and `node:https`.
 */
import type * as Http from 'node:http';
import type { Readable } from 'node:stream';
import { Patience } from './patience.ts';
import { lengthError, socketError, statusError, transportError } from './transport-errors.ts';

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
    found = { client, agent: patient(new client.Agent({ keepAlive: true })) };
    clients.set(protocol, found);
  }
  return found;
}

/**
 * Has connections wait a turn of the event loop before they are used again, as undici's do: a server that
 * closes one right behind a reply is noticed.
 */
function patient(agent: Http.Agent): Http.Agent {
  const [reuse] = agent.listeners('free') as ((...args: unknown[]) => void)[];
  if (reuse === undefined) return agent;
  const ignore = (): void => {};
  agent.off('free', reuse);
  agent.on('free', (socket: Http.IncomingMessage['socket'], ...rest: unknown[]) => {
    socket.on('error', ignore);
    setImmediate(() => {
      socket.off('error', ignore);
      reuse.call(agent, socket, ...rest);
    });
  });
  return agent;
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
  const end = (): void => {
    ended = true;
    patience.end();
  };
  const fail = (error: unknown): void => {
    if (ended) return;
    end();
    handler.onError(transportError(error, request));
  };
  const give = (error: Error): void => {
    if (ended) return;
    fail(error);
    request?.destroy();
  };
  const patience = new Patience(url, give);
  const refuse = (reason: string) => (): void => give(socketError(reason, request));
  const abort = (reason?: unknown): void => {
    const error = reason ?? new DOMException('This operation was aborted', 'AbortError');
    request?.destroy(error as Error);
    fail(error);
  };
  handler.onConnect(abort);
  if (ended) return true;
  const reply: Reply = { isEnded: () => ended, end, fail, patience, failure: undefined, response: undefined };
  const attempt = (): void => {
    const made = client.request(requestOptions(url, options, headers, agent));
    request = made;
    patience.watch(made);
    made.on('error', (error) => {
      if (isStale(made, options, reply, error)) attempt();
      else failLater(reply, error);
    });
    made.on('response', (response) => {
      if ((response.statusCode ?? 0) >= STATUS_MIN) answer(response, handler, reply);
      else give(statusError());
    });
    // Nobody has asked for it with `Expect`.
    made.on('continue', refuse('bad response'));
    made.on('upgrade', (response, socket) => {
      if (options.upgrade === undefined) {
        socket.destroy();
        refuse('bad upgrade')();
        return;
      }
      end();
      if (handler.onRequestUpgrade === undefined) handler.onUpgrade?.(response.statusCode ?? 101, raw(response), socket);
      else handler.onRequestUpgrade({}, response.statusCode ?? 101, response.headers as Record<string, string | string[]>, socket);
    });
    void send(made, options.body, patience).catch(abort);
  };
  try {
    if (url.port === '0') connectNowhere(url, fail);
    else attempt();
  } catch (error) {
    queueMicrotask(() => fail(error));
  }
  return true;
}

/** `node:http` takes 0 for no port at all and would ask another server. The system refuses it. */
function connectNowhere(url: URL, fail: (error: unknown) => void): void {
  process
    .getBuiltinModule('node:net')
    .connect({ host: hostOf(url), port: 0 })
    .on('error', fail);
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function requestOptions(url: URL, options: DispatchOptions, headers: Record<string, string>, agent: Http.Agent): Http.RequestOptions {
  return {
    protocol: url.protocol,
    hostname: hostOf(url),
    port: url.port === '' ? undefined : Number(url.port),
    path: options.path,
    method: options.method,
    headers,
    agent,
  };
}

/** Methods that may be sent twice (RFC 9110, section 9.2.2). */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);

/**
 * Had the server closed the connection, which was kept from an earlier request, before this one came? Then
 * another one is tried.
 */
function isStale(request: Http.ClientRequest, options: DispatchOptions, reply: Reply, error: NodeJS.ErrnoException): boolean {
  if (!request.reusedSocket || reply.isEnded() || reply.response !== undefined) return false;
  return options.body === null && REPEATABLE.has(options.method) && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/**
 * The smallest status. undici's handlers wait for another head behind smaller ones, which would never come.
 */
const STATUS_MIN = 100;

/** How far a request is. */
interface Reply {
  isEnded(): boolean;
  end(): void;
  fail(error: unknown): void;
  readonly patience: Patience;
  /** Why the content breaks off; known before the response itself ends. */
  failure: unknown;
  response: Http.IncomingMessage | undefined;
}

/**
 * An error of the connection. What has come before it is the reply all the same: surplus bytes spoil no whole
 * reply, and a reset is the end of content without a length. The response itself says whether it is whole.
 */
function failLater(reply: Reply, error: unknown): void {
  if (reply.response === undefined) reply.fail(error);
  else reply.failure ??= error;
}

/**
 * Was the connection to be closed behind content of a declared length? Then its end is one too early of the
 * content, not of the connection.
 */
function isLast({ httpVersion, headers }: Http.IncomingMessage): boolean {
  const closes = httpVersion === '1.0' ? headers.connection !== 'keep-alive' : headers.connection === 'close';
  return closes && headers['content-length'] !== undefined;
}

/** Gives the reply to undici, at its pace. */
function answer(response: Http.IncomingMessage, handler: Handler, reply: Reply): void {
  if (reply.isEnded()) return;
  reply.response = response;
  handler.onResponseStarted?.();
  const { patience } = reply;
  patience.content();
  const flow = (isOn: boolean): void => {
    patience.isPaused = !isOn;
    patience.refresh();
    if (isOn) response.resume();
    else response.pause();
  };
  if (!handler.onHeaders(response.statusCode ?? 0, raw(response), () => flow(true), response.statusMessage ?? '')) flow(false);
  response.on('data', (chunk: Buffer) => {
    patience.refresh();
    if (!reply.isEnded() && !handler.onData(chunk)) flow(false);
  });
  response.on('end', () => {
    if (reply.isEnded()) return;
    reply.end();
    handler.onComplete([]);
  });
  // Later: undici listens to what becomes of the content only after promises that it has just resolved.
  const cut = (error: unknown): unknown => setImmediate(() => reply.fail(reply.failure ?? error));
  response.on('error', () => undefined);
  response.on('aborted', () => cut(isLast(response) ? lengthError() : Object.assign(new Error('aborted'), { code: 'ECONNRESET' })));
}

async function send(request: Http.ClientRequest, body: DispatchOptions['body'], patience: Patience): Promise<void> {
  if (body === null || body === undefined || typeof body === 'string' || ArrayBuffer.isView(body)) {
    request.end(body ?? undefined);
    return;
  }
  patience.isSending = true;
  for await (const chunk of body as AsyncIterable<Uint8Array> | Readable) {
    if (request.destroyed) return;
    if (!request.write(chunk)) await drained(request);
  }
  patience.isSending = false;
  request.end();
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
