/**
 * One WebSocket on the server: what its handlers are given, on top of a socket of the package `ws`. Messages
 * wait in its inbox; what it sends is bounded by its receiver.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { AnyContext } from '../context.ts';
import { checkClose, CloseCode } from './close-code.ts';
import { encode, type Encoded } from './encode.ts';
import { beat } from './heartbeat.ts';
import { type Hub, type Member, publishIn } from './hub.ts';
import { Inbox } from './inbox.ts';
import { MessageIterator } from './message-iterator.ts';
import type { MessageError, Socket } from './socket-types.ts';
import type { SocketRoute } from './socket-route.ts';
import { checkTopic, type Published, type Subscriber } from './topics.ts';
import { read, type ReadMessage } from './read-message.ts';
import { logFailure } from '../../host/dev.ts';
import { isThenable } from '../../host/thenable.ts';

/** The connection under a socket, as far as it is asked. */
export interface RawSocket extends Duplex {
  readonly bytesRead: number;
  readonly remoteAddress?: string | undefined;
}

interface Closed {
  readonly code: number;
  readonly reason: string;
}

const OPEN = 1;
const nop = (): void => {};

export class ServerSocket implements Socket<unknown, unknown>, Subscriber, Member {
  data: unknown;
  readonly c: AnyContext;
  readonly closed: Promise<void>;
  readonly #ws: WebSocket;
  readonly #raw: RawSocket;
  readonly #route: SocketRoute;
  readonly #hub: Hub;
  readonly #topics = new Set<string>();
  readonly #inbox: Inbox;
  #iterator: MessageIterator | null = null;
  /** Somebody reads, or `open` has not said yet whether it will. */
  #isRead = true;
  /** For its messages, in a `for await`. */
  #isAsked = false;
  #hasFailed = false;
  #stopBeating: () => void = nop;

  // oxlint-disable-next-line max-params -- what one consists of
  constructor(c: AnyContext, ws: WebSocket, raw: RawSocket, route: SocketRoute, data: unknown, hub: Hub) {
    this.c = c;
    this.data = data;
    this.#ws = ws;
    this.#raw = raw;
    this.#route = route;
    this.#hub = hub;
    this.#inbox = new Inbox({
      queueMax: route.limits.queueMax,
      handle: (item) => this.#handle(item),
      pause: () => ws.pause(),
      resume: () => ws.resume(),
    });
    this.closed = new Promise((resolve) => ws.once('close', () => resolve()));
    hub.members.add(this);
    this.#listen();
  }

  get protocol(): string {
    return this.#ws.protocol;
  }
  get isOpen(): boolean {
    return this.#ws.readyState === OPEN;
  }
  get remoteAddress(): string {
    return this.#raw.remoteAddress ?? '';
  }
  get bufferedAmount(): number {
    return this.#ws.bufferedAmount;
  }
  get bytesRead(): number {
    return this.#raw.bytesRead;
  }
  get isPaused(): boolean {
    return this.#inbox.isPaused;
  }
  get topics(): readonly string[] {
    return [...this.#topics];
  }

  send(message: unknown): Promise<boolean> {
    const encoded = encode(message);
    return new Promise((resolve) => {
      if (!this.#transmit(encoded, (error) => resolve(error === undefined || error === null))) resolve(false);
    });
  }

  ping(): void {
    if (this.isOpen) this.#ws.ping();
  }

  close(code: number = CloseCode.normal, reason = ''): void {
    checkClose(code, reason);
    this.#ws.close(code, reason);
    // What waits for a handler would keep the peer's answer from being read.
    if (this.#inbox.isPaused) this.#ws.resume();
  }

  terminate(): void {
    this.#ws.terminate();
  }

  subscribe(topic: string): this {
    checkTopic(topic);
    const { topicsMax } = this.#route.limits;
    if (!this.isOpen || this.#topics.has(topic)) return this;
    if (this.#topics.size >= topicsMax)
      throw new RangeError(`A socket of this route subscribes to at most ${topicsMax} topics: unsubscribe from one, or set topicsMax.`);
    this.#topics.add(topic);
    this.#hub.topics.add(topic, this);
    return this;
  }

  unsubscribe(topic: string): this {
    if (this.#topics.delete(topic)) this.#hub.topics.delete(topic, this);
    return this;
  }

  isSubscribed(topic: string): boolean {
    return this.#topics.has(topic);
  }

  publish(topic: string, message: unknown): number {
    return publishIn([this.#hub], topic, message, new Set([this]));
  }

  deliver({ encoded }: Published): boolean {
    return this.#transmit(encoded, nop);
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    if (this.#route.handlers.message !== undefined)
      throw new TypeError('The messages of this socket go to its handler `message`: leave that out to read them in a for await.');
    this.#isRead = true;
    this.#isAsked = true;
    return this.#messages();
  }

  #listen(): void {
    const ws = this.#ws;
    ws.on('message', (data: Uint8Array, isBinary: boolean) => {
      // What comes behind our own close is nobody's any more.
      if (this.isOpen) this.#inbox.push(read(data, isBinary));
    });
    ws.on('error', (error) => void this.#tell(error));
    ws.on('close', (code, reason) => this.#ended({ code, reason: String(reason) }));
    const { drain } = this.#route.handlers;
    if (drain !== undefined) this.#raw.on('drain', () => void this.#guard(() => drain(this)));
    const { limits } = this.#route;
    if (limits.heartbeatMs > 0) this.#stopBeating = beat(this, limits);
  }

  /** Calls `open`, before anything that comes. */
  begin(): void {
    this.#inbox.push(OPENING);
  }

  /** False: it does not go out. */
  #transmit({ data, bytes, isBinary }: Encoded, taken: (error?: Error | null) => void): boolean {
    const ws = this.#ws;
    if (ws.readyState !== OPEN) return false;
    const { backpressureLimit, slow } = this.#route.limits;
    const { bufferedAmount } = ws;
    if (bufferedAmount > 0 && bufferedAmount + bytes > backpressureLimit) {
      if (slow === 'close') this.close(CloseCode.tooSlow, 'Too slow.');
      return false;
    }
    ws.send(data, { binary: isBinary }, taken);
    return true;
  }

  #handle(item: unknown): void | Promise<void> {
    const { handlers } = this.#route;
    if (item === OPENING) return this.#open();
    if (item instanceof End) {
      this.#iterator?.end();
      return this.#guard(() => handlers.close?.(this, item.closed.code, item.closed.reason));
    }
    return this.#hasFailed ? undefined : this.#take(item as ReadMessage);
  }

  /** A socket whose messages are read in a `for await` reads them while `open` is under way. */
  #open(): void | Promise<void> {
    const { open, message } = this.#route.handlers;
    const opened = open === undefined ? undefined : this.#guard(() => open(this));
    if (message !== undefined) return opened;
    if (opened === undefined) this.#opened();
    else void opened.then(() => this.#opened());
    return undefined;
  }

  /** Nobody has asked for messages, and nobody is about to: those that come are read and forgotten. */
  #opened(): void {
    if (this.#isAsked) return;
    this.#isRead = false;
    void this.#iterator?.return();
    this.#iterator = null;
  }

  #take(message: ReadMessage): void | Promise<void> {
    if (!this.#isRead) return undefined;
    const { schema } = this.#route;
    return this.#guard(() => (schema === null ? this.#give(message) : schema(message, this.#give, this.#refuse)));
  }

  readonly #give = (message: unknown): unknown => {
    const { handlers } = this.#route;
    return handlers.message === undefined ? this.#messages().offer(message) : handlers.message(this, message);
  };

  #messages(): MessageIterator {
    return (this.#iterator ??= new MessageIterator());
  }

  readonly #refuse = (errors: readonly MessageError[]): unknown => {
    const { invalid } = this.#route.handlers;
    if (invalid !== undefined) return invalid(this, errors);
    return this.close(CloseCode.invalid, 'The message is not valid.');
  };

  /** What a handler throws ends the socket. */
  #guard(run: () => unknown): void | Promise<void> {
    try {
      const returned = run();
      if (isThenable(returned)) return Promise.resolve(returned).then(nop, (error: unknown) => this.#fail(error));
      return undefined;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #fail(error: unknown): void | Promise<void> {
    const isFirst = !this.#hasFailed;
    this.#hasFailed = true;
    const isTold = isFirst && this.#route.handlers.error !== undefined;
    if (!isTold) logFailure(this.c.settings.logger, this.c.exchange, `WebSocket ${this.c.pathname}`, { error, params: this.c.params });
    const told = isTold ? this.#tell(error) : undefined;
    if (this.isOpen) this.close(CloseCode.failed, 'Internal error.');
    return told;
  }

  #tell(error: unknown): void | Promise<void> {
    const { error: handler } = this.#route.handlers;
    return handler === undefined ? undefined : this.#guard(() => handler(this, error));
  }

  #ended(closed: Closed): void {
    this.#stopBeating();
    for (const topic of this.#topics) this.#hub.topics.delete(topic, this);
    this.#topics.clear();
    this.#hub.members.delete(this);
    this.c.abort(new Error('The WebSocket is closed.'));
    this.#inbox.push(new End(closed));
  }
}

const OPENING = Symbol('open');

/** Behind the last message. */
class End {
  readonly closed: Closed;

  constructor(closed: Closed) {
    this.closed = closed;
  }
}
