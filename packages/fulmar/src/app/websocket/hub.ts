/**
 * What the sockets of one app have in common: the open ones, the topics, their end. Made when something of it
 * is first asked for.
 */
import { readGlobal } from '../../host/globals.ts';
import { encode } from './encode.ts';
import { checkTopic, type Subscriber, Topics } from './topics.ts';

/** A socket as the hub needs it. */
export interface Member {
  readonly closed: Promise<void>;
  close(code: number, reason: string): void;
}

/** RFC 6455, 7.4.1: the server is going down. */
const GOING_AWAY = 1001;
/** The registry of codes that RFC 6455 made: the service restarts, and is there again. */
const RESTART = 1012;

export class Hub {
  readonly topics = new Topics();
  readonly members = new Set<Member>();
  /** No socket is opened any more. */
  isClosing = false;

  /** Closes all with 1001, or 1012 where `fulmar dev` has newer code; resolves when they are closed, each within its own time. */
  async close(): Promise<void> {
    this.isClosing = true;
    const all = [...this.members];
    const isRestart = readGlobal('fulmar.sockets')?.isHandingOver() === true;
    for (const member of all) {
      if (isRestart) member.close(RESTART, 'The server has newer code.');
      else member.close(GOING_AWAY, 'The server is going away.');
    }
    await Promise.all(all.map(({ closed }) => closed));
  }

  /** For an app that listens again. */
  reopen(): void {
    this.isClosing = false;
  }
}

/** By the settings of their app, which every context has. */
const hubs = new WeakMap<object, Hub>();

export function hubOf(settings: object): Hub {
  let hub = hubs.get(settings);
  if (hub === undefined) hubs.set(settings, (hub = new Hub()));
  return hub;
}

/** @throws TypeError for what is no topic, and for what is no message where somebody would get it */
export function publishIn(given: readonly Hub[], topic: string, message: unknown, except: ReadonlySet<Subscriber>): number {
  checkTopic(topic);
  const hubs = given.filter(({ topics }) => topics.count(topic) > 0);
  if (hubs.length === 0) return 0;
  // Once for all, and before the first of them has it.
  const published = { topic, message, encoded: encode(message) };
  return hubs.reduce((count, { topics }) => count + topics.publish(published, except), 0);
}
