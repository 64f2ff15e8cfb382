/**
 * A client that shows what a server sent: status line, field lines in order, content, trailer section.
 * Node's own parser reads the replies; nothing is followed, decoded or repeated.
 */
import http from 'node:http';

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Content sent in pieces, chunked. */
  readonly pieces?: readonly (string | Buffer)[];
  /** Destroy the connection after this many content bytes of the reply. */
  readonly stopAfterBytes?: number;
}

export interface Reply {
  readonly status: number;
  readonly reason: string;
  /** Name and value pairs, in the order and case in which they were sent. */
  readonly fields: readonly (readonly [string, string])[];
  readonly content: Buffer;
  readonly trailers: readonly string[];
  /** Whether the content ended as its framing said. */
  readonly isComplete: boolean;
}

const REPLY_MS_MAX = 20_000;

export class Client {
  readonly port: number;
  /** Cookies of a simple jar, sent with each request when there are any. */
  readonly cookies = new Map<string, string>();
  readonly replies: Reply[] = [];
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: number) {
    this.port = port;
  }

  get(path: string, headers: Ask['headers'] = {}): Promise<Reply> {
    return this.send({ path, headers });
  }

  post(path: string, body: string | Buffer, headers: Ask['headers'] = {}): Promise<Reply> {
    return this.send({ method: 'POST', path, body, headers });
  }

  json(path: string, value: unknown, headers: Ask['headers'] = {}): Promise<Reply> {
    return this.post(path, JSON.stringify(value), { 'Content-Type': 'application/json', ...headers });
  }

  form(path: string, fields: Record<string, string>, headers: Ask['headers'] = {}): Promise<Reply> {
    const body = new URLSearchParams(fields).toString();
    return this.post(path, body, { 'Content-Type': 'application/x-www-form-urlencoded', ...headers });
  }

  async send(ask: Ask): Promise<Reply> {
    const reply = await exchange(this.port, { ...ask, headers: this.#headers(ask) }, this.#agent);
    for (const [name, value] of reply.fields) if (name.toLowerCase() === 'set-cookie') this.#keep(value);
    this.replies.push(reply);
    return reply;
  }

  close(): void {
    this.#agent.destroy();
  }

  #headers(ask: Ask): Record<string, string | readonly string[]> {
    const jar = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { ...(jar !== '' && { Cookie: jar }), ...ask.headers };
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const cut = pair.indexOf('=');
    const isExpired = /expires=Thu, 01 Jan 1970/i.test(line) || /max-age=0\b/i.test(line);
    if (isExpired) this.cookies.delete(pair.slice(0, cut));
    else this.cookies.set(pair.slice(0, cut), pair.slice(cut + 1));
  }
}

function exchange(port: number, ask: Ask, agent: http.Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: '127.0.0.1',
      port,
      agent,
      path: ask.path,
      method: ask.method ?? 'GET',
      headers: {
        ...ask.headers,
        ...(ask.body !== undefined && { 'Content-Length': String(Buffer.byteLength(ask.body)) }),
      } as http.OutgoingHttpHeaders,
      timeout: REPLY_MS_MAX,
    });
    request.on('timeout', () => request.destroy(new Error(`no reply to ${ask.method ?? 'GET'} ${ask.path} in ${REPLY_MS_MAX} ms`)));
    request.on('error', reject);
    request.on('response', (response) => collect(response, ask, resolve));
    for (const piece of ask.pieces ?? []) request.write(piece);
    request.end(ask.body);
  });
}

function collect(response: http.IncomingMessage, ask: Ask, done: (reply: Reply) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  response.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
    if (ask.stopAfterBytes !== undefined && bytes >= ask.stopAfterBytes) response.destroy();
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    const raw = response.rawHeaders;
    done({
      status: response.statusCode ?? 0,
      reason: response.statusMessage ?? '',
      fields: raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : [])),
      content: Buffer.concat(pieces),
      trailers: response.rawTrailers,
      isComplete: response.complete,
    });
  });
}

/** The first value of a field, or `undefined`. */
export function field(reply: Reply, name: string): string | undefined {
  return reply.fields.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** Plays with a client, and closes it. */
export function visit<Form>(
  use: (client: Client, port: number, form: Form) => Promise<void>,
  arrive = async (port: number): Promise<Client> => new Client(port),
) {
  return async (port: number, form: Form): Promise<void> => {
    const client = await arrive(port);
    try {
      await use(client, port, form);
    } finally {
      client.close();
    }
  };
}
