/** What happens, told to whoever listens. The last events are kept, so that a listener who was away for a moment misses nothing. */
import { Injectable, type MessageEvent, type OnModuleDestroy } from 'fulmar/controllers';
import { concat, finalize, from, interval, map, merge, type Observable, Subject, takeUntil } from 'rxjs';

export type EventType = 'user-joined' | 'user-left' | 'file-added' | 'file-removed';

interface FeedEvent extends MessageEvent {
  readonly id: string;
  readonly type: EventType;
  readonly data: object;
}

const KEPT_MAX = 1000;
/** A proxy that hears nothing for a minute hangs up. */
const HEARTBEAT_MS = 20_000;

@Injectable()
export class FeedService implements OnModuleDestroy {
  readonly #events = new Subject<FeedEvent>();
  readonly #end = new Subject<void>();
  readonly #kept: FeedEvent[] = [];
  #lastId = 0;
  #listeners = 0;

  get listeners(): number {
    return this.#listeners;
  }

  tell(type: EventType, data: object): void {
    const event: FeedEvent = { id: String((this.#lastId += 1)), type, data };
    this.#kept.push(event);
    if (this.#kept.length > KEPT_MAX) this.#kept.shift();
    this.#events.next(event);
  }

  /** What comes, behind what is kept since the event `after`; of who comes for the first time nothing is repeated. */
  listen(after: string | undefined): Observable<MessageEvent> {
    const since = /^\d{1,15}$/.test(after ?? '') ? Number(after) : this.#lastId;
    const missed = this.#kept.filter(({ id }) => Number(id) > since);
    const heartbeat = interval(HEARTBEAT_MS).pipe(map(() => ({ comment: 'still here' })));
    this.#listeners += 1;
    return merge(concat(from(missed), this.#events), heartbeat).pipe(
      takeUntil(this.#end),
      finalize(() => void (this.#listeners -= 1)),
    );
  }

  /** A server that ends waits for its replies, and these would have no end. */
  onModuleDestroy(): void {
    this.#end.next();
    this.#end.complete();
  }
}
