// A router's list of layers and the index over it. Users change the list behind our back (`router.stack.splice(…)` is
// how routes are removed), so they get a view that notices, and an array they bring themselves is compared each time.
import type { Layer } from './layer.ts';
import { type Chain, RouteIndex, type ScannedPath } from './route-index.ts';

export class RouteStack {
  readonly layers: Layer[];
  /** What users see as `router.stack`. */
  readonly view: Layer[];
  /** Grows with every change, so that a request under way finds its place again. */
  version: number;
  readonly #isForeign: boolean;
  #index: RouteIndex | null;
  #snapshot: readonly Layer[];

  /** @param foreign an array somebody assigned to `router.stack` */
  constructor(foreign?: Layer[]) {
    this.layers = foreign ?? [];
    this.version = 0;
    this.#isForeign = foreign !== undefined;
    this.#index = null;
    this.#snapshot = [];
    this.view = foreign ?? createView(this.layers, () => this.invalidate());
  }

  push(layer: Layer): void {
    this.layers.push(layer);
    this.invalidate();
  }

  invalidate(): void {
    this.version++;
    this.#index = null;
  }

  lookup(scanned: ScannedPath): Chain {
    return (this.#index ??= new RouteIndex(this.layers)).lookup(scanned);
  }

  /** Notices changes made directly to an array that is not ours. */
  refresh(): void {
    if (!this.#isForeign) return;
    const { layers } = this;
    const before = this.#snapshot;
    if (before.length === layers.length && before.every((layer, i) => layer === layers[i])) return;
    this.#snapshot = layers.slice();
    this.invalidate();
  }
}

function createView(layers: Layer[], changed: () => void): Layer[] {
  return new Proxy(layers, {
    set(target, key, value: Layer) {
      changed();
      return Reflect.set(target, key, value);
    },
    deleteProperty(target, key) {
      changed();
      return Reflect.deleteProperty(target, key);
    },
    defineProperty(target, key, descriptor) {
      changed();
      return Reflect.defineProperty(target, key, descriptor);
    },
  });
}
