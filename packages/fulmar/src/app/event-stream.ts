/**
 * Server-sent events: `text/event-stream` from an iterable or from a function that sends.
 */
import type { AnyContext } from './context.ts';
import { pushed } from './pushed.ts';
import { Reply } from './reply-value.ts';

export interface ServerEvent {
  /** A string as it is, anything else as JSON. */
  readonly data: unknown;
  readonly event?: string;
  readonly id?: string;
  /** After how long the client connects again, in ms. */
  readonly retry?: number;
}

/** What a function is given. */
export interface EventSender {
  /** Resolves when there is room for more; rejects when the client has left. */
  send(event: ServerEvent | string): Promise<void>;
  readonly signal: AbortSignal;
  /** What the client had last, when it connects again. */
  readonly lastEventId: string | undefined;
}

export type EventSource =
  | AsyncIterable<ServerEvent | string>
  | Iterable<ServerEvent | string>
  | ((sender: EventSender) => void | Promise<void>);

/** A comment as often as that keeps proxies from taking the connection for a dead one, in ms. */
const HEARTBEAT_MS = 15_000;

/** The text of an event. @throws TypeError for an id or name with a line break in it */
function eventText(event: ServerEvent | string): string {
  if (typeof event === 'string') return `${dataLines(event)}\n`;
  let text = '';
  for (const name of ['event', 'id'] as const) {
    const value = event[name];
    if (value === undefined) continue;
    if (/[\r\n\0]/.test(value)) throw new TypeError(`The ${name} of an event is one line, and this is ${JSON.stringify(value)}.`);
    text += `${name}: ${value}\n`;
  }
  if (event.retry !== undefined) text += `retry: ${Math.trunc(event.retry)}\n`;
  return `${text}${dataLines(typeof event.data === 'string' ? event.data : JSON.stringify(event.data))}\n`;
}

const dataLines = (data: string): string => data.split(/\r\n|\r|\n/).reduce((text, line) => `${text}data: ${line}\n`, '');

export function eventStream(c: AnyContext, source: EventSource, options: { heartbeatMs?: number; retryMs?: number } = {}): Reply {
  const { heartbeatMs = HEARTBEAT_MS, retryMs } = options;
  const events = typeof source === 'function' ? sent(c, source) : source;
  const value = beating(texts(events, retryMs), heartbeatMs);
  return new Reply(
    'text/event-stream; charset=utf-8',
    value,
    [
      ['Cache-Control', 'no-cache'],
      ['X-Accel-Buffering', 'no'],
    ],
    true,
  );
}

async function* texts(
  events: AsyncIterable<ServerEvent | string> | Iterable<ServerEvent | string>,
  retryMs: number | undefined,
): AsyncGenerator<string> {
  if (retryMs !== undefined) yield `retry: ${Math.trunc(retryMs)}\n\n`;
  for await (const event of events) yield eventText(event);
}

/** The source's texts, and a comment whenever none has come for so long. */
async function* beating(source: AsyncGenerator<string>, heartbeatMs: number): AsyncGenerator<string> {
  let next = source.next();
  try {
    for (;;) {
      const result = heartbeatMs > 0 ? await within(next, heartbeatMs) : await next;
      if (result === undefined) {
        yield ':\n\n';
        continue;
      }
      if (result.done === true) return;
      yield result.value;
      next = source.next();
    }
  } finally {
    void next.catch(() => {});
    await source.return(undefined);
  }
}

/** Undefined when time is up. */
function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error as Error);
      },
    );
  });
}

function sent(c: AnyContext, run: (sender: EventSender) => void | Promise<void>): AsyncGenerator<ServerEvent | string> {
  const { signal } = c;
  return pushed(signal, (send) => run({ send, signal, lastEventId: c.header('last-event-id') }));
}
