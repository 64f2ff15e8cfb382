/**
 * Server-sent events: `text/event-stream` from an iterable or from a function that sends. An event is asked for
 * when the one before has gone, and a source whose client has left is ended at once.
 */
import type { AnyContext } from './context.ts';
import { EventChannel, type EventSender } from './event-channel.ts';
import { eventText, retryText, type ServerEvent } from './event-text.ts';
import { isCount, shown } from './middleware/options.ts';
import { noteStream } from './open-streams.ts';
import { Reply } from './reply-value.ts';

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
/** The longest that a timer can be set to. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** @throws TypeError for options that are something else than they may be */
export function eventStream(c: AnyContext, source: EventSource, options: EventStreamOptions = {}): Reply {
  const { heartbeatMs = HEARTBEAT_MS, retryMs } = options;
  if (!isCount(0, heartbeatMs) || heartbeatMs > TIMER_MS_MAX)
    throw new TypeError(`sse(): heartbeatMs is a number of milliseconds, or 0 for none, and this is ${shown(heartbeatMs)}.`);
  const first = retryMs === undefined ? null : `${retryText(retryMs)}\n`;
  const events = typeof source === 'function' ? new EventChannel(c, source) : source;
  return new Reply('text/event-stream; charset=utf-8', new EventPieces(c, iteratorOf(events), heartbeatMs, first), HEAD, true);
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
    return { done: false, value: eventText(value) };
  }

  /** The client is told by the end of the stream, and connects again, to another process. */
  #goAway(): void {
    void this.return();
    this.#c.abort(new Error('The server is going away.'));
  }

  return(): Promise<Result> {
    this.#isOver = true;
    this.#forget?.();
    this.#end(DONE);
    void Promise.resolve(this.#events.return?.()).catch(() => {});
    return Promise.resolve(DONE);
  }
}

const DONE: Result = { done: true, value: undefined };
