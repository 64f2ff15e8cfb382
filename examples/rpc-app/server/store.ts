/**
 * Sightings and photos, in the memory of one process. Everything has a bound: what was there longest is forgotten. Knows nothing of
 * requests.
 */
import { randomUUID } from 'node:crypto';
import type { NewSighting, Sighting, SightingPage } from './sighting.ts';

const SIGHTINGS_MAX = 1000;
const PHOTOS_MAX = 20;
/** What a reader of `watch()` that is slower than the others has not been told yet. */
const WAITING_MAX = 100;

export interface Photo {
  readonly type: string;
  readonly bytes: Uint8Array;
}

interface Watcher {
  readonly waiting: Sighting[];
  wake: () => void;
}

export class Store {
  /** The newest first. */
  readonly #sightings: Sighting[] = [];
  readonly #photos = new Map<string, Photo>();
  readonly #watchers = new Set<Watcher>();
  #lastId = 0;
  #isClosed = false;

  page(after: number, size: number): SightingPage {
    const from = after === 0 ? 0 : this.#sightings.findIndex(({ id }) => id < after);
    const items = from < 0 ? [] : this.#sightings.slice(from, from + size);
    const last = items.at(-1);
    return { items, next: last === undefined || last === this.#sightings.at(-1) ? null : last.id };
  }

  find(id: number): Sighting | undefined {
    return this.#sightings.find((one) => one.id === id);
  }

  add(given: NewSighting, by: string): Sighting {
    const sighting = { ...given, id: (this.#lastId += 1), by, confirmedBy: [] };
    this.#sightings.unshift(sighting);
    if (this.#sightings.length > SIGHTINGS_MAX) this.#sightings.pop();
    this.#tell(sighting);
    return sighting;
  }

  confirm(sighting: Sighting, by: string): void {
    if (!sighting.confirmedBy.includes(by)) sighting.confirmedBy.push(by);
    this.#tell(sighting);
  }

  addPhoto(photo: Photo): string {
    const id = randomUUID();
    this.#photos.set(id, photo);
    const [oldest] = this.#photos.keys();
    if (this.#photos.size > PHOTOS_MAX && oldest !== undefined) this.#photos.delete(oldest);
    return id;
  }

  photo = (id: string): Photo | undefined => this.#photos.get(id);

  /** Sightings that are new or have changed, until nobody reads on or the store is closed. */
  async *watch(): AsyncGenerator<Sighting, void, undefined> {
    const watcher: Watcher = { waiting: [], wake: () => {} };
    this.#watchers.add(watcher);
    try {
      while (!this.#isClosed) {
        const next = watcher.waiting.shift();
        if (next === undefined) await new Promise<void>((resolve) => (watcher.wake = resolve));
        else yield next;
      }
    } finally {
      this.#watchers.delete(watcher);
    }
  }

  /** Ends what is being watched: a server that ends waits for its replies. */
  close(): void {
    this.#isClosed = true;
    for (const { wake } of this.#watchers) wake();
  }

  #tell(sighting: Sighting): void {
    for (const watcher of this.#watchers) {
      watcher.waiting.push(sighting);
      if (watcher.waiting.length > WAITING_MAX) watcher.waiting.shift();
      watcher.wake();
    }
  }
}
