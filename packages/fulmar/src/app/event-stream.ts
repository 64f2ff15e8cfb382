/**
 * Server-sent events: `text/event-stream` from an iterable or from a function that sends. An event is asked for
 * when the one before has gone, and a source whose client has left is ended at once.
 */
import { Channel } from './channel.ts';
import type { AnyContext } from './context.ts';
import { eventText, retryText, type ServerEvent } from './event-text.ts';
import { checkOptions, type Checks, isCount, isMs } from './checked-options.ts';
import { noteStream } from './open-streams.ts';
import { Reply } from './reply-value.ts';

/** What a function is given. */
export interface EventSender {
  /**
   * Resolves when there is room for more; rejects when the client has left, and for who sends on and on without
   * waiting.
   */
  send(event: ServerEvent | string): Promise<void>;
  readonly signal: AbortSignal;
  /** What the client had last, when it connects again. */
  readonly lastEventId: string | undefined;
}

export type EventSource =
  | AsyncIterable<ServerEvent | string>
  | Iterable<ServerEvent | string>
  | ((sender: EventSender) => void | Promise<void>);

export interface EventStreamOptions {
  /** A comment as often as that, where no event is sent; 0: none. Default: 15 s. */
  readonly heartbeatMs?: number;
  /** After how long the client connects again, in ms. */
  readonly retryMs?: number;
}

/** Keeps proxies from taking the connection for a dead one, in ms. */
const HEARTBEAT_MS = 15_000;

const CHECKS: Checks<EventStreamOptions> = {
  heartbeatMs: [(value) => isMs(0, value), 'a number of milliseconds, or 0 for none'],
  retryMs: [(value) => isCount(0, value), 'a number of milliseconds'],
};

/** @throws TypeError for options that are something else than they may be */
export function eventStream(c: AnyContext, source: EventSource, options: EventStreamOptions = {}): Reply {
  checkOptions('sse', options, CHECKS);
  const { heartbeatMs = HEARTBEAT_MS, retryMs } = options;
  const first = retryMs === undefined ? null : `${retryText(retryMs)}\n`;
  const events = typeof source === 'function' ? channelOf(c, source) : source;
  return new Reply('text/event-stream; charset=utf-8', new EventPieces(c, iteratorOf(events), heartbeatMs, first), HEAD, true);
}

function channelOf(c: AnyContext, run: (sender: EventSender) => unknown): Channel<ServerEvent | string> {
  const { signal } = c;
  const lastEventId = c.header('last-event-id');
  return new Channel(signal, (send) => run({ send, signal, lastEventId }));
}

const HEAD = [
  ['Cache-Control', 'no-cache'],
  ['X-Accel-Buffering', 'no'],
] as const;

type Events = AsyncIterator<ServerEvent | string> | Iterator<ServerEvent | string>;
type Result = IteratorResult<string>;

function iteratorOf(events: AsyncIterable<ServerEvent | string> | Iterable<ServerEvent | string>): Events {
  const { [Symbol.asyncIterator]: makeAsync } = events as Partial<AsyncIterable<ServerEvent | string>>;
  if (makeAsync !== undefined) return makeAsync.call(events);
  return (events as Iterable<ServerEvent | string>)[Symbol.iterator]();
}

/** The source's texts, and a comment whenever none has come for so long. No generator: its end waits for nobody. */
class EventPieces implements AsyncIterableIterator<string> {
  readonly #c: AnyContext;
  readonly #events: Events;
  readonly #heartbeatMs: number;
  #first: string | null;
  /** Asked for, and not come yet. */
  #next: Promise<IteratorResult<ServerEvent | string>> | null = null;
  #isOver = false;
  #end: (result: Result) => void = () => {};
  /** Takes it from the list of those that are open. */
  #forget: (() => void) | null = null;

  constructor(c: AnyContext, events: Events, heartbeatMs: number, first: string | null) {
    this.#c = c;
    this.#events = events;
    this.#heartbeatMs = heartbeatMs;
    this.#first = first;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (!this.#isOver) this.#forget ??= noteStream(this.#c.settings, () => this.#goAway());
    const first = this.#first;
    this.#first = null;
    if (first !== null) return Promise.resolve({ done: false, value: first });
    if (this.#isOver) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => {
      const timer = this.#heartbeatMs > 0 ? setTimeout(() => resolve({ done: false, value: ':\n\n' }), this.#heartbeatMs) : undefined;
      this.#end = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      this.#ask().then(
        (text) => this.#end(text),
        (error: unknown) => {
          clearTimeout(timer);
          reject(error as Error);
        },
      );
    });
  }

  async #ask(): Promise<Result> {
    this.#next ??= Promise.resolve(this.#events.next());
    const { done, value } = await this.#next;
    this.#next = null;
    if (done === true) {
      this.#isOver = true;
      this.#forget?.();
      return DONE;
    }
    try {
      return { done: false, value: eventText(value) };
    } catch (error) {
      // The source has not failed: it is told that no more is taken.
      this.#leave();
      throw error;
    }
  }

  /** The client is told by the end of the stream, and connects again, to another process. */
  #goAway(): void {
    void this.return();
    this.#c.abort(new Error('The server is going away.'));
  }

  return(): Promise<Result> {
    this.#end(DONE);
    this.#leave();
    return Promise.resolve(DONE);
  }

  #leave(): void {
    this.#isOver = true;
    this.#forget?.();
    void Promise.resolve(this.#events.return?.()).catch(() => {});
  }
}

const DONE: Result = { done: true, value: undefined };
