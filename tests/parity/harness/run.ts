/** Runs one case on one side and returns everything that side showed. Third step; never compares. */
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CaseContext, ClientContext, Outcome, ParityCase, ReplyOutcome, Side } from './case.ts';
import { encodeRequest, type EncodedRequest } from './bytes.ts';
import { announcesClose, type Connection, openConnection } from './client.ts';
import { describe, observe } from './observe.ts';

const DEADLINE_MS = 4_000;
const PROBE = encodeRequest({ path: '/parity-probe' });
const PROBE_BODY = 'parity probe';

export async function runCase(test: ParityCase, side: Side): Promise<Outcome> {
  const options = test.options ?? {};
  const observer = observe(side.name, options);
  const replies: ReplyOutcome[] = [];
  const base = { replies, records: observer.records, console: observer.console, uncaught: observer.uncaught };
  let server: Server | undefined;
  try {
    server = createProgram(test, side, observer.context);
  } catch (error) {
    observer.stop();
    return { ...base, setup: describe(error) };
  }
  try {
    await listen(server);
    await converse({ test, server, replies, context: observer.context });
    await observer.settle();
  } finally {
    await close(server);
    observer.stop();
  }
  return base;
}

function createProgram(test: ParityCase, side: Side, context: CaseContext): Server {
  if (test.app !== undefined) return side.http.createServer(test.app(side.express, context));
  if (test.server !== undefined) return test.server(side.http, context);
  throw new Error(`case "${test.name}" has neither app nor server`);
}

export async function listen(server: Server): Promise<void> {
  if (server.listening) return;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

export async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

interface Conversation {
  readonly test: ParityCase;
  readonly server: Server;
  readonly replies: ReplyOutcome[];
  readonly context: CaseContext;
}

async function converse(conversation: Conversation): Promise<void> {
  const { test, server, replies } = conversation;
  const options = test.options ?? {};
  const port = (server.address() as AddressInfo).port;
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const requests = (test.requests ?? []).map(encodeRequest);
  const probe = options.probe ?? test.app !== undefined;
  const talk = new Talk({ port, deadlineMs, replies, probe: probe ? server : undefined });
  try {
    if (options.connection === 'pipelined') await talk.pipelined(requests);
    else await talk.sequential(requests, options.connection === 'each');
    if (test.client !== undefined) await scripted(test.client, conversation, port, deadlineMs);
  } finally {
    talk.destroy();
  }
}

async function scripted(
  client: (client: ClientContext) => Promise<void>,
  conversation: Conversation,
  port: number,
  deadlineMs: number,
): Promise<void> {
  const opened: Connection[] = [];
  const connect = async (): Promise<Connection> => {
    const connection = await openConnection(port, deadlineMs);
    opened.push(connection);
    return connection;
  };
  try {
    await client({ ...conversation.context, port, connect });
  } finally {
    for (const connection of opened) connection.socket.destroy();
  }
}

export interface TalkOptions {
  readonly port: number;
  readonly deadlineMs: number;
  readonly replies: ReplyOutcome[];
  /** The server whose listeners are exchanged for the probe's, or undefined for no probe. */
  readonly probe: Server | undefined;
}

/** Sends requests over one connection at a time and notes each reply with the fate of its connection. */
export class Talk {
  readonly #options: TalkOptions;
  #connection: Connection | undefined;

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  async sequential(requests: readonly EncodedRequest[], connectionEach: boolean): Promise<void> {
    for (const [index, request] of requests.entries()) {
      await this.#send(request);
      const last = index === requests.length - 1;
      if (connectionEach && !last) {
        if (this.#options.probe !== undefined) await this.#probe(this.#options.probe);
        this.#drop();
      }
    }
    if (this.#options.probe !== undefined && this.#connection !== undefined) await this.#probe(this.#options.probe);
  }

  async pipelined(requests: readonly EncodedRequest[]): Promise<void> {
    const bytes = Buffer.concat(requests.map((request) => request.bytes));
    await this.#send({ bytes, methods: requests.flatMap((request) => request.methods) });
    if (this.#options.probe !== undefined && this.#connection !== undefined) await this.#probe(this.#options.probe);
  }

  destroy(): void {
    this.#drop();
  }

  #drop(): void {
    this.#connection?.socket.destroy();
    this.#connection = undefined;
  }

  /**
   * Writes one request and reads its replies; a connection found closed beforehand is replaced, and noted.
   */
  async #send(request: EncodedRequest): Promise<void> {
    const { replies } = this.#options;
    let reused = this.#connection !== undefined;
    for (;;) {
      const connection = await this.#open();
      connection.write(request.bytes);
      const first = await connection.read(request.methods[0]);
      if (reused && first.failure === 'closed' && first.partial === undefined) {
        this.#close('closed');
        reused = false;
        continue;
      }
      this.#mark('open');
      replies.push(first);
      await this.#rest(connection, request.methods.slice(1), first);
      return;
    }
  }

  async #rest(connection: Connection, methods: readonly string[], first: ReplyOutcome): Promise<void> {
    let last = first;
    for (const method of methods) {
      last = await connection.read(method);
      this.#options.replies.push(last);
      if (last.failure !== undefined) break;
    }
    if (!announcesClose(last)) return;
    const after = await connection.closed();
    this.#close(after === '' ? 'closed' : after);
  }

  async #probe(server: Server): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const listeners = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (_req, res) => void res.end(PROBE_BODY));
    try {
      connection.write(PROBE.bytes);
      const reply = await connection.read('GET');
      if (reply.body === PROBE_BODY) this.#mark('open');
      else this.#close(reply.failure === 'closed' && reply.partial === undefined ? 'closed' : JSON.stringify(reply));
    } finally {
      server.removeAllListeners('request');
      for (const listener of listeners) server.on('request', listener);
    }
  }

  async #open(): Promise<Connection> {
    this.#connection ??= await openConnection(this.#options.port, this.#options.deadlineMs);
    return this.#connection;
  }

  #mark(fate: string): void {
    const { replies } = this.#options;
    const last = replies.at(-1);
    if (last !== undefined && last.fate === undefined) replies[replies.length - 1] = { ...last, fate: fate as 'open' };
  }

  #close(fate: string): void {
    this.#mark(fate);
    this.#drop();
  }
}
