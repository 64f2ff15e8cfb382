/**
 * Who has subscribed to which topic. A topic is there as long as somebody has: nothing is kept of what was
 * published. Within one process; never writes to a connection itself.
 */
import { shown } from '../checked-options.ts';
import type { Encoded } from './encode.ts';

/** Whoever gets what is published. */
export interface Subscriber {
  /** False: it was lost, or its receiver is. */
  deliver(message: Published): boolean;
}

/** A message, and its form for sockets. */
export interface Published {
  readonly topic: string;
  readonly message: unknown;
  readonly encoded: Encoded;
}

const TOPIC_LENGTH_MAX = 256;

/** @throws TypeError for what is no name of a topic */
export function checkTopic(topic: unknown): asserts topic is string {
  if (typeof topic !== 'string' || topic.length === 0 || topic.length > TOPIC_LENGTH_MAX)
    throw new TypeError(
      `A topic is a text of 1 to ${TOPIC_LENGTH_MAX} characters, and this is ${shown(topic).slice(0, TOPIC_LENGTH_MAX)}.`,
    );
}

export class Topics {
  readonly #subscribers = new Map<string, Set<Subscriber>>();

  add(topic: string, subscriber: Subscriber): void {
    const known = this.#subscribers.get(topic);
    if (known === undefined) this.#subscribers.set(topic, new Set([subscriber]));
    else known.add(subscriber);
  }

  delete(topic: string, subscriber: Subscriber): void {
    const known = this.#subscribers.get(topic);
    if (known?.delete(subscriber) === true && known.size === 0) this.#subscribers.delete(topic);
  }

  count(topic: string): number {
    return this.#subscribers.get(topic)?.size ?? 0;
  }

  /** How many topics there are. */
  get size(): number {
    return this.#subscribers.size;
  }

  /** How many got it. */
  publish(published: Published, except: ReadonlySet<Subscriber>): number {
    const known = this.#subscribers.get(published.topic);
    if (known === undefined) return 0;
    let count = 0;
    for (const subscriber of known) if (!except.has(subscriber) && subscriber.deliver(published)) count += 1;
    return count;
  }
}
