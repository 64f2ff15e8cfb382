/**
 * Which layers of a stack may match a path, without asking each of them: patterns made of text and
 * whole-segment parameters live in a tree of segments, the others ("always") are asked every time. Built when
 * a stack is first used after a change. Answers with chains: candidates in stack order. It never runs a
 * handler and never sees a request.
 */
import type { IndexedPattern, Walk } from './pattern.ts';
import { kCompiled, type StackLayer } from './stack-layer.ts';

/** How a chain's layer is matched when the dispatcher gets to it. */
export const MATCH_ANY = 0;
export const MATCH_WALK = 1;
const MATCH_TEST = 2;

/** Candidates for a path, in stack order. Shared between requests: never changed once made. */
export interface Chain {
  readonly layers: readonly StackLayer[];
  readonly positions: readonly number[];
  readonly modes: readonly number[];
}

/** Candidates by path, for paths without an escape: a target that is one of them is that path. */
export type KnownPaths = Map<string | undefined, Chain>;

/** A request path and what scanning it found. */
export interface ScannedPath {
  readonly path: string;
  /** Starts with a slash, printable ASCII only, no empty segment: the tree can answer for it. */
  readonly isPlain: boolean;
  readonly hasUpperCase: boolean;
  readonly hasPercent: boolean;
}

interface Bucket {
  readonly positions: number[];
}

interface Node {
  children: Map<string, Node> | null;
  param: Node | null;
  /** Patterns that match when the path ends here, ends here with a slash, or goes on from here. */
  end: Bucket | null;
  endSlash: Bucket | null;
  prefix: Bucket | null;
}

interface LinkedChain extends Chain {
  readonly following: Map<Bucket, LinkedChain>;
}

/**
 * Paths remembered per stack; only paths written out in patterns get in, so this is a guard against case
 * variants.
 */
const CACHED_PATHS_MAX = 1024;
/** Combinations of tree nodes remembered per stack; beyond it they are put together per request. */
const CACHED_CHAINS_MAX = 4096;

export class RouteIndex {
  readonly #layers: readonly StackLayer[];
  readonly #folded: Node = createNode();
  readonly #sensitive: Node = createNode();
  #hasFolded = false;
  #hasSensitive = false;
  readonly #base: LinkedChain;
  readonly #paths: KnownPaths;
  #chains = 0;
  #full: Chain | null = null;
  // State of the lookup that runs; lookups do not nest.
  #chain: LinkedChain;
  #isWritten = false;

  /** @param paths gets the paths that patterns spell out, with their candidates */
  constructor(layers: readonly StackLayer[], paths: KnownPaths = new Map()) {
    this.#paths = paths;
    this.#layers = layers.slice();
    const always: number[] = [];
    for (let position = 0; position < layers.length; position++) {
      if (!this.#insert(layers[position] as StackLayer, position)) always.push(position);
    }
    this.#base = this.#createChain(always);
    this.#chain = this.#base;
  }

  /** Candidates for a path. */
  lookup({ path, isPlain, hasUpperCase, hasPercent }: ScannedPath): Chain {
    if (!isPlain) return (this.#full ??= this.#createFullChain());
    const known = this.#paths.get(path);
    if (known !== undefined) return known;
    this.#chain = this.#base;
    this.#isWritten = false;
    if (this.#hasFolded) this.#visit(this.#folded, hasUpperCase ? path.toLowerCase() : path, 0, true);
    if (this.#hasSensitive) this.#visit(this.#sensitive, path, 0, true);
    const chain = this.#chain;
    if (this.#isWritten && !hasPercent && this.#paths.size < CACHED_PATHS_MAX) this.#paths.set(path, chain);
    return chain;
  }

  #visit(node: Node, path: string, at: number, isWritten: boolean): void {
    if (node.prefix !== null) this.#take(node.prefix);
    const { length } = path;
    if (at >= length - 1) {
      const bucket = at === length ? node.end : node.endSlash;
      if (bucket !== null) {
        this.#take(bucket);
        if (isWritten) this.#isWritten = true;
      }
      return;
    }
    let end = path.indexOf('/', at + 1);
    if (end === -1) end = length;
    if (node.children !== null) {
      const child = node.children.get(path.slice(at + 1, end));
      if (child !== undefined) this.#visit(child, path, end, isWritten);
    }
    if (node.param !== null) this.#visit(node.param, path, end, false);
  }

  #take(bucket: Bucket): void {
    const chain = this.#chain;
    let following = chain.following.get(bucket);
    if (following === undefined) {
      following = this.#createChain(merge(chain.positions, bucket.positions));
      if (this.#chains++ < CACHED_CHAINS_MAX) chain.following.set(bucket, following);
    }
    this.#chain = following;
  }

  /** False when the layer has to be asked for every path. */
  #insert(layer: StackLayer, position: number): boolean {
    const compiled = layer[kCompiled]?.();
    if (!compiled || compiled.slash) return false;
    const { patterns } = compiled;
    if (patterns.some((pattern) => pattern.walk === null)) return false;
    for (const pattern of patterns) this.#insertPattern(pattern, pattern.walk as Walk, position);
    return true;
  }

  #insertPattern(pattern: IndexedPattern, walk: Walk, position: number): void {
    const { options } = pattern;
    if (options.sensitive) this.#hasSensitive = true;
    else this.#hasFolded = true;
    let node = options.sensitive ? this.#sensitive : this.#folded;
    if (walk.segments.length === 1 && walk.segments[0] === '') {
      node.endSlash = addTo(node.endSlash, position);
      return;
    }
    for (const segment of walk.segments) node = descend(node, segment);
    if (options.end === false) {
      node.prefix = addTo(node.prefix, position);
      return;
    }
    if (!walk.endsWithSlash) node.end = addTo(node.end, position);
    if (walk.endsWithSlash || !options.strict) node.endSlash = addTo(node.endSlash, position);
  }

  #createChain(positions: readonly number[]): LinkedChain {
    const layers = positions.map((position) => this.#layers[position] as StackLayer);
    return { layers, positions, modes: layers.map(modeOf), following: new Map() };
  }

  #createFullChain(): Chain {
    const layers = this.#layers;
    return {
      layers,
      positions: layers.map((_, position) => position),
      modes: layers.map((layer) => (layer[kCompiled]?.()?.slash ? MATCH_ANY : MATCH_TEST)),
    };
  }
}

function modeOf(layer: StackLayer): number {
  const compiled = layer[kCompiled]?.();
  if (!compiled) return MATCH_TEST;
  if (compiled.slash) return MATCH_ANY;
  return compiled.patterns.length === 1 && (compiled.patterns[0] as IndexedPattern).walk !== null ? MATCH_WALK : MATCH_TEST;
}

function createNode(): Node {
  return { children: null, param: null, end: null, endSlash: null, prefix: null };
}

function descend(node: Node, segment: string | null): Node {
  if (segment === null) return (node.param ??= createNode());
  const children = (node.children ??= new Map<string, Node>());
  let child = children.get(segment);
  if (child === undefined) children.set(segment, (child = createNode()));
  return child;
}

function addTo(bucket: Bucket | null, position: number): Bucket {
  if (bucket === null) return { positions: [position] };
  // One layer may bring several paths to the same place.
  if (bucket.positions.at(-1) !== position) bucket.positions.push(position);
  return bucket;
}

/** Both lists in order, without repetitions. */
function merge(left: readonly number[], right: readonly number[]): readonly number[] {
  return [...new Set([...left, ...right])].sort((a, b) => a - b);
}
