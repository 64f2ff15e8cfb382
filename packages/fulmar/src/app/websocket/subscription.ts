/**
 * `app.subscribe(topics)`: what is published, in a `for await`: for server-sent events, or for whoever listens
 * in this process. Messages that nobody has taken wait, and not without end.
 */
import type { Hub } from './hub.ts';
import { checkOptions, type Checks, isCount, shown } from '../checked-options.ts';
import type { SlowPolicy } from './socket-types.ts';
import { checkTopic, type Published, type Subscriber } from './topics.ts';

export interface SubscribeOptions {
  /** Ends it when it fires: `c.signal`. */
  readonly signal?: AbortSignal | undefined;
  /** Messages that wait. Default: 1000. */
  readonly queueMax?: number | undefined;
  /** Beyond them: it ends, or messages are lost. Default: `close`. */
  readonly slow?: SlowPolicy | undefined;
}

const CHECKS: Checks<SubscribeOptions> = {
  signal: [(value) => typeof (value as AbortSignal | null)?.addEventListener === 'function', 'an AbortSignal'],
  queueMax: [(value) => isCount(1, value), 'a number of messages, at least 1'],
  slow: [(value) => value === 'close' || value === 'drop', "'close' or 'drop'"],
};

const QUEUE_MAX = 1000;

/** Messages as they were published. */
export interface Subscription<Message = unknown> extends AsyncIterableIterator<Message> {
  return(): Promise<IteratorResult<Message>>;
}

/** @throws TypeError for what is no topic, or options that are none */
export function subscribeTo(hubs: readonly Hub[], given: string | readonly string[], options: SubscribeOptions): Subscription {
  checkOptions('subscribe', options, CHECKS);
  const topics = [...new Set([given].flat() as string[])];
  if (topics.length === 0) throw new TypeError(`subscribe() takes a topic or a list of them, and this is ${shown(given)}.`);
  for (const topic of topics) checkTopic(topic);
  return new TopicSubscription(hubs, topics, options);
}

type Result = IteratorResult<unknown>;

class TopicSubscription implements Subscription, Subscriber {
  readonly #hubs: readonly Hub[];
  readonly #topics: readonly string[];
  readonly #options: SubscribeOptions;
  readonly #queue: unknown[] = [];
  readonly #waiting: ((result: Result) => void)[] = [];
  readonly #end = (): void => this.#finish();
  #isOver = false;

  constructor(hubs: readonly Hub[], topics: readonly string[], options: SubscribeOptions) {
    this.#hubs = hubs;
    this.#topics = topics;
    this.#options = options;
    if (options.signal?.aborted === true) {
      this.#isOver = true;
      return;
    }
    options.signal?.addEventListener('abort', this.#end, { once: true });
    for (const hub of hubs) for (const topic of topics) hub.topics.add(topic, this);
  }

  deliver({ message }: Published): boolean {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      waiting({ done: false, value: message });
      return true;
    }
    const { queueMax = QUEUE_MAX, slow = 'close' } = this.#options;
    if (this.#queue.length < queueMax) return this.#queue.push(message) > 0;
    if (slow === 'close') this.#finish();
    return false;
  }

  next(): Promise<Result> {
    if (this.#queue.length > 0) return Promise.resolve({ done: false, value: this.#queue.shift() });
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<Result> {
    this.#queue.length = 0;
    this.#finish();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** No more come; those that wait are still given. */
  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.signal?.removeEventListener('abort', this.#end);
    for (const hub of this.#hubs) for (const topic of this.#topics) hub.topics.delete(topic, this);
    for (const waiting of this.#waiting.splice(0)) waiting({ done: true, value: undefined });
  }
}
