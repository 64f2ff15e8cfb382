/**
 * A router's list of layers and the index over it. Users change the list behind our back
 * (`router.stack.splice(…)` is how routes are removed, `router.stack = …filter(…)` another way), so once
 * somebody has seen the list it is compared with what the index was made from, when a request enters the
 * router and at each step. It never wraps the list: a Proxy shows itself (`util.inspect` names it) and makes
 * every read of the list slow.
 */
import { type Chain, type KnownPaths, RouteIndex, type ScannedPath } from './route-index.ts';
import type { StackLayer } from './stack-layer.ts';

export class RouteStack {
  /** What users see as `router.stack`; use `expose()` to give it to them. */
  readonly layers: StackLayer[];
  /** Somebody outside holds the array and may change it. */
  _isExposed: boolean;
  /** Grows with every change, so that a request under way finds its place again. */
  version: number;
  /** How many layers there were as of `version`: a request under way looks whether that is still so. */
  length: number;
  /** Candidates for paths that were looked up as of `version`. */
  readonly paths: KnownPaths;
  /** The layers as of `version`. */
  _known: readonly StackLayer[];
  _index: RouteIndex | null;

  /** @param given an array somebody assigned to `router.stack` */
  constructor(given?: StackLayer[]) {
    const layers = given ?? [];
    this.layers = layers;
    this._isExposed = given !== undefined;
    this.version = 0;
    this.length = layers.length;
    this.paths = new Map();
    this._known = layers.slice();
    this._index = null;
  }

  push(layer: StackLayer): void {
    this.layers.push(layer);
    this._renew();
  }

  /** The array, for somebody who may change it. */
  expose(): StackLayer[] {
    this._isExposed = true;
    return this.layers;
  }

  lookup(scanned: ScannedPath): Chain {
    return (this._index ??= new RouteIndex(this.layers, this.paths)).lookup(scanned);
  }

  /** Notices every change made to the array. */
  refresh(): void {
    if (this._isExposed) this._compare();
  }

  _compare(): void {
    const { layers, _known: known } = this;
    const { length } = known;
    if (layers.length !== length) return this._renew();
    for (let at = 0; at < length; at++) {
      if (layers[at] !== known[at]) return this._renew();
    }
  }

  _renew(): void {
    this._known = this.layers.slice();
    this.length = this._known.length;
    this.version++;
    this.paths.clear();
    this._index = null;
  }
}
