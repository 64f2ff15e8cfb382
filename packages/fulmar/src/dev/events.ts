/**
 * What open pages are told, as server-sent events: a reload, what is broken, requests of late. Bounded: so many pages,
 * each with so many bytes that wait; who takes no more is let go and comes again. Holds up no server that closes.
 */
import { ReplyFlag } from '../exchange/format.ts';
import type { Exchange, Listener } from '../exchange/types.ts';
import { EVENT_BYTES_WAITING_MAX, LISTENERS_MAX, REQUESTS_MAX } from './limits.ts';
import { fieldsFor, flagsFor, replyWith, TEXT } from './own-reply.ts';
import type { RequestEntry } from './request-log.ts';
import type { WatchedObserver } from './watched.ts';

/** Requests are told together, so that thousands of them are no thousands of events. */
const TOGETHER_MS = 100;

interface Told {
  readonly exchange: Exchange;
  readonly place: WatchedObserver;
  readonly wantsRequests: boolean;
}

export class Events {
  readonly #told = new Set<Told>();
  readonly #followed = new WeakSet<Listener>();
  readonly #waiting = new Map<number, RequestEntry>();
  readonly #toRow: (entry: RequestEntry) => object;
  #timer: NodeJS.Timeout | null = null;

  constructor(toRow: (entry: RequestEntry) => object) {
    this.#toRow = toRow;
  }

  /** `hello`: what a page is told first. */
  open(exchange: Exchange, place: WatchedObserver, { hello, wantsRequests }: { hello: object; wantsRequests: boolean }): void {
    if (this.#told.size >= LISTENERS_MAX) {
      replyWith(exchange, 503, fieldsFor(TEXT), `More than ${LISTENERS_MAX} pages are open.`);
      return;
    }
    if (!exchange.open) return;
    const one: Told = { exchange, place, wantsRequests };
    this.#told.add(one);
    exchange.observer = { onDrain: () => undefined, onSent: () => undefined, onAbort: () => void this.#told.delete(one) };
    this.#follow(place);
    const chunked = exchange.httpVersionMinor === 1 ? ReplyFlag.chunkedField : ReplyFlag.closeAfter;
    exchange.start(200, null, fieldsFor('text/event-stream; charset=utf-8'), flagsFor(exchange) | chunked, -1);
    exchange.write(toEvent('hello', hello));
  }

  tell(name: string, data: object): void {
    const text = toEvent(name, data);
    for (const one of this.#told) this.#send(one, text);
  }

  /** Sooner or later told, with what changes until then. */
  note(entry: RequestEntry): void {
    if (![...this.#told].some(({ wantsRequests }) => wantsRequests)) return;
    this.#waiting.set(entry.id, entry);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > REQUESTS_MAX && oldest !== undefined) this.#waiting.delete(oldest);
    this.#timer ??= setTimeout(() => this.#flush(), TOGETHER_MS).unref();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#waiting.clear();
    for (const { exchange } of this.#told) exchange.end();
    this.#told.clear();
  }

  #flush(): void {
    this.#timer = null;
    const text = toEvent('requests', [...this.#waiting.values()].map(this.#toRow));
    this.#waiting.clear();
    for (const one of this.#told) if (one.wantsRequests) this.#send(one, text);
  }

  #send(one: Told, text: string): void {
    if (one.exchange.open && one.exchange.bufferedBytes <= EVENT_BYTES_WAITING_MAX) {
      one.exchange.write(text);
      return;
    }
    this.#told.delete(one);
    one.exchange.abort();
  }

  /** A server that stops to listen waits for requests that are not answered, and these never are. */
  #follow(place: WatchedObserver): void {
    const { listener } = place.inner as { readonly listener?: Listener | null };
    if (listener === null || listener === undefined || this.#followed.has(listener)) return;
    this.#followed.add(listener);
    const { close, drain } = listener;
    const leave = (): void => {
      for (const one of this.#told) {
        if (one.place !== place) continue;
        this.#told.delete(one);
        one.exchange.end();
      }
    };
    Object.assign(listener, {
      close(): void {
        leave();
        close.call(listener);
      },
      drain(): void {
        leave();
        drain.call(listener);
      },
    });
  }
}

/** JSON has no line ends of its own. */
const toEvent = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
