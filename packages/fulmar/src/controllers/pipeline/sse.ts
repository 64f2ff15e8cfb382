/**
 * Server-sent events of an Observable, written as Nest writes them. One that fails before its first event is for the
 * filters; a client that leaves ends the subscription.
 */
import type { Response } from '../../express/index.ts';
import { toErrorReply } from '../exceptions/base-filter.ts';
import { HttpException, IntrinsicException } from '../exceptions/http-exception.ts';
import type { ErrorLog } from '../logger.ts';
import type { MessageEvent } from '../nest-types.ts';
import { SSE_ABORT_CONTROLLER } from '../decorators/sse-signal.ts';
import type { Messages } from '../http/express-door.ts';
import { isObservable } from './values.ts';

const HEAD = {
  'Content-Type': 'text/event-stream',
  Connection: 'keep-alive',
  // As proxies and old browsers have to be told.
  'Cache-Control': 'private, no-cache, no-store, must-revalidate, max-age=0, no-transform',
  Pragma: 'no-cache',
  Expires: '0',
  'X-Accel-Buffering': 'no',
};

/** Characters of events that may wait for a client that reads none: then it is let go. */
const PENDING_CHARACTERS_MAX = 4 * 1024 * 1024;

const isNil = (value: unknown): value is null | undefined => value === undefined || value === null;
const inLine = (value: unknown): string => String(value).replaceAll(/[\r\n]/g, '');
const lines = (prefix: string, text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `${prefix}${line}\n`)
    .join('');

class EventWriter {
  readonly #res: Response;
  #isBegun = false;
  #lastId = 0;

  constructor(res: Response) {
    this.#res = res;
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  begin(): void {
    if (this.#isBegun || this.#res.writableEnded) return;
    this.#isBegun = true;
    const own = new Set(Object.keys(HEAD).map((name) => name.toLowerCase()));
    const set = Object.entries(this.#res.getHeaders()).filter(([name]) => !own.has(name.toLowerCase()));
    this.#res.writeHead(this.#res.statusCode, { ...Object.fromEntries(set), ...HEAD } as never);
    this.#res.flushHeaders();
    this.#res.write('\n');
  }

  /** False: the client reads too little. */
  write(given: unknown): boolean {
    const event = (typeof given === 'object' && given !== null ? given : { data: given }) as MessageEvent;
    const { type, retry, comment, data } = event;
    const isComment = !isNil(comment) && data === undefined && type === undefined && retry === undefined;
    const id = isNil(event.id) && !isComment ? String((this.#lastId += 1)) : event.id;
    let text = type ? `event: ${inLine(type)}\n` : '';
    if (!isNil(id)) text += `id: ${inLine(id)}\n`;
    if (!isNil(retry)) text += `retry: ${inLine(retry)}\n`;
    if (!isNil(comment)) text += lines(': ', comment);
    if (!isNil(data)) text += lines('data: ', typeof data === 'string' ? data : String(JSON.stringify(data)));
    this.begin();
    this.#res.write(`${text}\n`);
    return this.#res.writableLength <= PENDING_CHARACTERS_MAX;
  }
}

/** What clients are told of an error behind the head: as much as they would have been before it. */
function wordsOf(error: unknown): string {
  const { body } = toErrorReply(error);
  const { message } = body as { message?: unknown };
  return error instanceof HttpException ? error.message : String(message);
}

/**
 * Gives a request the signal of `@SseSignal()`: aborted when the reply is over, whether or not its client has left.
 */
export function armSignal({ req, res }: Messages): void {
  const controller = new AbortController();
  (req as Record<PropertyKey, unknown>)[SSE_ABORT_CONTROLLER] = controller;
  if (res.destroyed) controller.abort();
  else res.once('close', () => controller.abort());
}

/** Resolves when the last event is written. @throws what the Observable fails with before its first */
export function sendEvents(source: unknown, res: Response, log: ErrorLog): Promise<void> {
  if (!isObservable(source)) throw new ReferenceError('You must return an Observable stream to use Server-Sent Events (SSE).');
  const writer = new EventWriter(res);
  return new Promise((resolve, reject) => {
    let subscription: { unsubscribe(): void } | null = null;
    let isSettled = false;
    const leave = (): void => {
      isSettled = true;
      subscription?.unsubscribe();
      resolve();
    };
    const end = (): void => {
      isSettled = true;
      res.end();
      resolve();
    };
    res.once('close', leave);
    subscription = source.subscribe({
      next(event) {
        if (!writer.write(event)) res.destroy();
      },
      error(error: unknown) {
        if (isSettled) return;
        if (!writer.isBegun) {
          isSettled = true;
          return reject(error as Error);
        }
        if (!(error instanceof IntrinsicException)) log.error('An Observable of server-sent events has failed', error);
        writer.write({ type: 'error', data: wordsOf(error) });
        end();
      },
      complete() {
        if (isSettled) return;
        writer.begin();
        end();
      },
    });
    if (res.destroyed) leave();
    // Clients are told that they are heard before there is an event.
    setImmediate(() => {
      if (isSettled) return;
      if (!res.headersSent) writer.begin();
      // It is complete with its head, and the next request of the connection waits for that.
      if (res.req.method !== 'HEAD') return;
      subscription?.unsubscribe();
      end();
    });
  });
}
