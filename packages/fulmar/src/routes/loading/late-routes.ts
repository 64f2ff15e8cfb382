/**
 * Loads files of routes: all of them before the first request, or each with the first request that it may be for. Of
 * those that a request needs, the ones around it come first.
 */
import type { App } from '../../app/index.ts';
import type { FileRoute } from '../files/file-route.ts';
import { loadError } from '../module/load-error.ts';
import { type Loaded, rankOf, isSpecial, type Registration } from './registration.ts';
import { candidatesFor } from './route-index.ts';
import type { RouteSource } from './source.ts';

/** Paths of which is known that all they need is there: longer ones are looked up each time. */
const KNOWN_PATHS_MAX = 1_000;
const KNOWN_PATH_LENGTH_MAX = 256;

async function loadOne(source: RouteSource, file: FileRoute): Promise<Loaded> {
  if (file.kind === 'page') return { exports: null };
  try {
    return { exports: await source.load(file) };
  } catch (error) {
    return { error };
  }
}

/** Rejects with the first error, in the order of the files. */
export async function loadAll(source: RouteSource, registration: Registration): Promise<void> {
  const loaded = await Promise.all(source.files.map((file) => loadOne(source, file)));
  for (const [at, one] of loaded.entries()) {
    const file = source.files[at] as FileRoute;
    if ('error' in one) throw loadError(one.error, file, source.pathOf(file));
  }
  registration.add(new Map(source.files.map((file, at) => [file, loaded[at] as Loaded])));
}

export function loadLate(app: App, source: RouteSource, registration: Registration): void {
  const late = new LateRoutes(source, registration);
  app.scope.defer('/', (pathname) => late.load(pathname));
}

class LateRoutes {
  readonly #source: RouteSource;
  readonly #registration: Registration;
  readonly #registered = new Set<number>();
  readonly #loading = new Map<number, Promise<Loaded>>();
  readonly #known = new Set<string>();

  constructor(source: RouteSource, registration: Registration) {
    this.#source = source;
    this.#registration = registration;
  }

  /** Null: all files. */
  load(pathname: string | null): Promise<void> | null {
    if (pathname !== null && this.#known.has(pathname)) return null;
    const wanted = pathname === null ? this.#source.files.keys() : candidatesFor(this.#source.index, pathname);
    const missing = [...wanted].filter((position) => !this.#registered.has(position));
    if (missing.length > 0) return this.#loadThese(missing);
    if (pathname !== null) this.#keep(pathname);
    return null;
  }

  #keep(pathname: string): void {
    if (pathname.length > KNOWN_PATH_LENGTH_MAX) return;
    if (this.#known.size >= KNOWN_PATHS_MAX) this.#known.clear();
    this.#known.add(pathname);
  }

  /** @throws what a special file throws, and what files say that is wrong */
  async #loadThese(positions: readonly number[]): Promise<void> {
    const found = await Promise.all(positions.map(async (position): Promise<[number, Loaded]> => [position, await this.#once(position)]));
    // Another request may have been faster.
    const fresh = found.filter(([position]) => !this.#registered.has(position));
    const rank = ([position]: [number, Loaded]): number => rankOf(this.#fileAt(position));
    fresh.sort((one, other) => rank(one) - rank(other));
    for (const [position, loaded] of fresh) this.#register(position, loaded);
  }

  #register(position: number, loaded: Loaded): void {
    const file = this.#fileAt(position);
    try {
      this.#registration.add(new Map([[file, loaded]]));
    } catch (error) {
      if (isSpecial(file)) throw error;
      this.#registration.add(new Map([[file, { error }]]));
    }
    this.#registered.add(position);
  }

  #once(position: number): Promise<Loaded> {
    const known = this.#loading.get(position);
    if (known !== undefined) return known;
    const loading = loadOne(this.#source, this.#fileAt(position));
    this.#loading.set(position, loading);
    void loading.then(() => this.#loading.delete(position));
    return loading;
  }

  readonly #fileAt = (position: number): FileRoute => this.#source.files[position] as FileRoute;
}
