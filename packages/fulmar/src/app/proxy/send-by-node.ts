/**
 * A request to an upstream by Node's own client: connections that are kept, content that flows as fast as
 * both sides take it, an end on both sides when one leaves. Loaded with the first request.
 */
import { roomIn } from '../room.ts';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Agent, request as httpRequest } from '../../http/index.ts';
import { observe, onAbort } from '../observing.ts';
import type { Send, UpstreamReply, UpstreamRequest } from './proxy-types.ts';
import { UpstreamError } from './upstream-error.ts';

type Https = typeof import('node:https');
const https = (): Https => process.getBuiltinModule('node:https');

const WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 205, 304]);

/** By scheme and number of connections: proxies that are alike share what is open. */
const agents = new Map<string, InstanceType<typeof Agent>>();

function agentFor({ url, connectionsMax }: UpstreamRequest): InstanceType<typeof Agent> {
  const key = `${url.protocol}${connectionsMax}`;
  const known = agents.get(key);
  if (known !== undefined) return known;
  const options = { keepAlive: true, maxSockets: connectionsMax };
  const made = url.protocol === 'https:' ? new (https().Agent)(options) : new Agent(options);
  agents.set(key, made as InstanceType<typeof Agent>);
  return made as InstanceType<typeof Agent>;
}

/** What an upstream is told of the content's length: what the engine has checked, else chunks. */
function framingOf({ c }: UpstreamRequest): Record<string, string> {
  const { exchange, method } = c;
  if (exchange.contentState === 'none') return method === 'POST' || method === 'PUT' || method === 'PATCH' ? { 'Content-Length': '0' } : {};
  if (exchange.contentState === 'inline') return { 'Content-Length': String(exchange.inlineBytes) };
  // Without a connection nobody has counted: a length that is not true would make the next request of it.
  const declared = exchange.takesFiles ? exchange.header('content-length') : undefined;
  return declared === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': declared };
}

class Asking {
  readonly #given: UpstreamRequest;
  readonly #request: ClientRequest;
  readonly #settle: { resolve: (reply: UpstreamReply) => void; reject: (error: unknown) => void };
  readonly #forget: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** A connection is there: what fails from now on may have reached the upstream. */
  #isConnected = false;

  constructor(given: UpstreamRequest, settle: { resolve: (reply: UpstreamReply) => void; reject: (error: unknown) => void }) {
    this.#given = given;
    this.#settle = settle;
    const { c, url, headers, connectTimeoutMs } = given;
    const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
    for (const [name, values] of headers.values()) fields[name] = values.length === 1 ? (values[0] as string) : [...values];
    const ask = url.protocol === 'https:' ? https().request : httpRequest;
    this.#request = (ask as typeof httpRequest)(url, {
      method: c.method,
      headers: { ...fields, ...framingOf(given) },
      agent: agentFor(given),
      setHost: false,
    });
    this.#wait(connectTimeoutMs, 'No connection');
    this.#forget = onAbort(c.exchange, (error) => this.#request.destroy(error));
    this.#request
      .on('socket', (socket: Socket) => {
        if (socket.connecting) socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => this.#connected());
        else this.#connected();
      })
      .on('response', (reply: IncomingMessage) => this.#answered(reply))
      .on('error', (error: Error) => this.#failed(error))
      .on('close', () => {
        clearTimeout(this.#timer);
        this.#forget();
        // An upstream that changes the protocol (101) without being asked to has neither a reply nor an error.
        this.#settle.reject(new UpstreamError('The upstream ended without a reply.'));
      });
  }

  #wait(ms: number, what: string): void {
    clearTimeout(this.#timer);
    if (ms === 0) return;
    this.#timer = setTimeout(
      () => this.#request.destroy(new UpstreamError(`${what} within ${ms} ms.`, { isLate: true, isUnsent: !this.#isConnected })),
      ms,
    );
  }

  #connected(): void {
    this.#isConnected = true;
    this.#wait(this.#given.timeoutMs, 'No reply');
    void this.#sendContent();
  }

  async #sendContent(): Promise<void> {
    const request = this.#request;
    try {
      if (this.#given.c.exchange.contentState !== 'none') {
        for await (const piece of this.#given.c.reader) {
          // An upstream that has answered already need not take the rest.
          if (request.destroyed) return;
          if (!request.write(piece)) await roomIn(request);
          this.#timer?.refresh();
        }
      }
      request.end();
    } catch (error) {
      // A limit, or a client that has left: what the upstream has got so far is no request.
      this.#settle.reject(error);
      request.destroy(error as Error);
    }
  }

  #answered(reply: IncomingMessage): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { statusCode = 502, rawHeaders } = reply;
    const declared = reply.headers['content-length'];
    const length = declared === undefined || !/^\d+$/.test(declared) ? -1 : Number(declared);
    // Told to who reads it; nobody may.
    reply.on('error', () => {});
    const { exchange, method } = this.#given.c;
    if (method === 'HEAD' || WITHOUT_CONTENT.has(statusCode)) reply.resume();
    // A reply that somebody has taken another value for: nobody reads this one.
    exchange.notifySent();
    observe(exchange).sents.add(() => {
      if (!reply.complete) this.#request.destroy();
    });
    const content = method === 'HEAD' || WITHOUT_CONTENT.has(statusCode) ? null : piecesOf(reply, this.#request);
    this.#settle.resolve({ status: statusCode, rawHeaders, length, content });
  }

  #failed(error: Error): void {
    if (error instanceof UpstreamError) return this.#settle.reject(error);
    // A connection that was kept may have been closed meanwhile: then nothing of this was read.
    this.#settle.reject(new UpstreamError(error.message, { cause: error, isUnsent: !this.#isConnected }));
  }
}

async function* piecesOf(reply: IncomingMessage, request: ClientRequest): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of reply as AsyncIterable<Uint8Array>) yield piece;
    if (!reply.complete) throw new UpstreamError('The upstream broke its reply off.');
  } finally {
    if (!reply.complete || !request.writableEnded) request.destroy();
  }
}

const sendByNode: Send = (request) => new Promise((resolve, reject) => new Asking(request, { resolve, reject }));

export default sendByNode;
