/**
 * The routes of one method that have parameters, as a radix tree: text is shared as far as it is equal,
 * across slashes; parameters are edges of their own. A walk tries what is most particular first and turns
 * back where it leads nowhere. As each segment is taken by one edge, a walk sees a node once at most. Paths
 * and texts are in the common spelling of path-text.ts. It knows neither methods nor paths without
 * parameters.
 */
import { isBoundary } from './path-text.ts';
import type { MixedSegment, Segment } from './pattern.ts';

/** A route at its place in the tree. */
export interface Leaf<T> {
  readonly value: T;
  /** Of the parameters in the order of their marks. */
  readonly names: readonly string[];
  readonly rank: number;
}

/** Text and parameters behind the text that a segment begins with: parameter, text, parameter … */
interface MixedEdge<T> {
  /** Between two parameters. */
  readonly middles: readonly string[];
  /** Behind the last parameter; may be empty. */
  readonly suffix: string;
  readonly length: number;
  readonly node: Node<T>;
}

class Node<T> {
  /** Between the parent and this node; empty behind a parameter. */
  text: string;
  /** Where there is one alone, as behind most parameters: a map would be more than all else of the node. */
  child: Node<T> | null;
  /** By the first code unit of their text, where there are several. */
  children: Map<number, Node<T>> | null;
  /** Whether there is anything else than children to try. */
  hasOthers: boolean;
  /** Most particular first. */
  mixed: MixedEdge<T>[] | null;
  /** Behind a parameter that reaches to the end of the segment. */
  parameter: Node<T> | null;
  rest: Leaf<T> | null;
  end: Leaf<T> | null;

  constructor(text: string) {
    this.text = text;
    this.child = null;
    this.children = null;
    this.hasOthers = false;
    this.mixed = null;
    this.parameter = null;
    this.rest = null;
    this.end = null;
  }
}

export class RouteTree<T> {
  readonly #root = new Node<T>('');

  add(segments: readonly Segment[], leaf: Leaf<T>): void {
    let node = this.#root;
    let text = '';
    for (const segment of segments) {
      text += '/';
      if (segment.kind === 'text') {
        text += segment.text;
        continue;
      }
      if (segment.kind === 'mixed') text += segment.texts[0];
      node = descend(node, text);
      text = '';
      node.hasOthers = true;
      if (segment.kind === 'rest') {
        node.rest = better(node.rest, leaf);
        return;
      }
      node = segment.kind === 'mixed' ? mixedNode(node, segment) : (node.parameter ??= new Node(''));
    }
    node = descend(node, text);
    node.end = better(node.end, leaf);
  }

  /** The leaf that these segments have a place of their own for; of those without a wildcard. */
  leafAt(segments: readonly Segment[]): Leaf<T> | null {
    let node: Node<T> | null = this.#root;
    let text = '';
    for (const segment of segments) {
      text += '/';
      if (segment.kind === 'text') {
        text += segment.text;
        continue;
      }
      node = nodeBehind(node, segment.kind === 'mixed' ? text + segment.texts[0] : text);
      text = '';
      if (node !== null) node = segment.kind === 'mixed' ? findMixed(node, segment) : node.parameter;
      if (node === null) return null;
    }
    return nodeBehind(node, text)?.end ?? null;
  }

  /** The leaf for `path`; `marks` then has the begin and the end of each value. */
  find(path: string, marks: number[]): Leaf<T> | null {
    return walk(this.#root, path, 0, marks, 0);
  }
}

function better<T>(one: Leaf<T> | null, other: Leaf<T>): Leaf<T> {
  return one !== null && one.rank <= other.rank ? one : other;
}

/** The node behind `text`, which is made where it is not there. */
function descend<T>(from: Node<T>, text: string): Node<T> {
  let node = from;
  let left = text;
  while (left !== '') {
    let child = childOf(node, left.charCodeAt(0));
    if (child === null) return putChild(node, new Node(left));
    const common = commonLength(child.text, left);
    if (common < child.text.length) {
      child = splitNode(node, child, common);
    }
    left = left.slice(common);
    node = child;
  }
  return node;
}

/** The node behind `text`, where there is one. */
function nodeBehind<T>(from: Node<T>, text: string): Node<T> | null {
  let node = from;
  for (let at = 0; at < text.length; at += node.text.length) {
    const child = childOf(node, text.charCodeAt(at));
    if (child === null || !text.startsWith(child.text, at)) return null;
    node = child;
  }
  return node;
}

/** The child whose text begins with `code`. */
function childOf<T>({ child, children }: Node<T>, code: number): Node<T> | null {
  if (children !== null) return children.get(code) ?? null;
  return child !== null && child.text.charCodeAt(0) === code ? child : null;
}

/** Takes the place of the child that begins alike. */
function putChild<T>(node: Node<T>, child: Node<T>): Node<T> {
  const code = child.text.charCodeAt(0);
  if (node.children !== null) node.children.set(code, child);
  else if (node.child === null || node.child.text.charCodeAt(0) === code) node.child = child;
  else {
    node.children = new Map([node.child, child].map((one) => [one.text.charCodeAt(0), one]));
    node.child = null;
  }
  return child;
}

function commonLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

/** A node in front of `child`, with its text's first `length` code units. */
function splitNode<T>(node: Node<T>, child: Node<T>, length: number): Node<T> {
  // While `child` has the text by which it is found.
  const front = putChild(node, new Node<T>(child.text.slice(0, length)));
  child.text = child.text.slice(length);
  front.child = child;
  return front;
}

function findMixed<T>(node: Node<T>, segment: MixedSegment): Node<T> | null {
  const edge = mixedEdge<T>(segment);
  if (edge === null) return node.parameter;
  return node.mixed?.find((other) => compareMixed(edge, other) === 0)?.node ?? null;
}

/** Null where the segment ends with its only parameter: that is one as any other. */
function mixedEdge<T>({ texts }: MixedSegment): MixedEdge<T> | null {
  const middles = texts.slice(1, -1);
  const suffix = texts.at(-1) as string;
  if (middles.length === 0 && suffix === '') return null;
  return { middles, suffix, length: middles.join('').length + suffix.length, node: new Node('') };
}

function mixedNode<T>(node: Node<T>, segment: MixedSegment): Node<T> {
  const edge = mixedEdge<T>(segment);
  if (edge === null) return (node.parameter ??= new Node(''));
  node.mixed ??= [];
  const at = node.mixed.findIndex((other) => compareMixed(edge, other) <= 0);
  const there = node.mixed[at];
  if (there !== undefined && compareMixed(edge, there) === 0) return there.node;
  node.mixed.splice(at === -1 ? node.mixed.length : at, 0, edge);
  return edge.node;
}

/**
 * Of segments that begin alike, the one with the longer end first, then the one with more text, then any
 * order that is always the same.
 */
function compareMixed<T>(one: MixedEdge<T>, other: MixedEdge<T>): number {
  if (one.suffix.length !== other.suffix.length) return other.suffix.length - one.suffix.length;
  if (one.length !== other.length) return other.length - one.length;
  const [a, b] = [one, other].map(({ middles, suffix }) => [...middles, suffix].join('/')) as [string, string];
  return a < b ? -1 : a === b ? 0 : 1;
}

/** `count` values are marked already, and `node.text` ends at `at`. */
function walk<T>(from: Node<T>, path: string, start: number, marks: number[], count: number): Leaf<T> | null {
  let node = from;
  let at = start;
  while (at < path.length) {
    const child = node.children === null ? node.child : node.children.get(path.charCodeAt(at));
    const isChild = child != null && path.startsWith(child.text, at);
    if (node.hasOthers) {
      const found = isChild ? walk(child, path, at + child.text.length, marks, count) : null;
      return found ?? walkOthers(node, path, at, marks, count);
    }
    if (!isChild) return null;
    at += child.text.length;
    node = child;
  }
  // A wildcard that takes nothing has its marks, too.
  mark(marks, count, at, at);
  return node.end ?? node.rest;
}

function walkOthers<T>(node: Node<T>, path: string, at: number, marks: number[], count: number): Leaf<T> | null {
  const { mixed, parameter } = node;
  if (parameter !== null || mixed !== null) {
    const slash = path.indexOf('/', at);
    const end = slash === -1 ? path.length : slash;
    for (let i = 0; mixed !== null && i < mixed.length; i++) {
      const edge = mixed[i] as MixedEdge<T>;
      mark(marks, count, at, end);
      if (!matchMixed(edge, path, marks, count)) continue;
      const found = walk(edge.node, path, end, marks, count + edge.middles.length + 1);
      if (found !== null) return found;
    }
    if (parameter !== null && end > at) {
      mark(marks, count, at, end);
      const found = walk(parameter, path, end, marks, count + 1);
      if (found !== null) return found;
    }
  }
  if (node.rest !== null) mark(marks, count, at, path.length);
  return node.rest;
}

/**
 * Whether what is marked, the part of a segment that an edge has to take, matches; each parameter is marked
 * then. A text is taken where it is first found: that leaves most for the others.
 */
function matchMixed<T>({ middles, suffix }: MixedEdge<T>, path: string, marks: number[], count: number): boolean {
  let from = marks[2 * count] as number;
  const end = marks[2 * count + 1] as number;
  for (let i = 0; i < middles.length; i++) {
    const text = middles[i] as string;
    const found = indexOfText(path, text, from + 1);
    if (found === -1 || found + text.length > end) return false;
    mark(marks, count + i, from, found);
    from = found + text.length;
  }
  const to = end - suffix.length;
  if (to <= from || !path.startsWith(suffix, to) || !isBoundary(path, to)) return false;
  mark(marks, count + middles.length, from, to);
  return true;
}

/** Does it take this one segment, which is in the common spelling? */
export function takesSegment(segment: MixedSegment, text: string): boolean {
  const [first] = segment.texts as readonly [string];
  const edge = mixedEdge(segment);
  if (!text.startsWith(first) || !isBoundary(text, first.length)) return false;
  return edge === null ? text.length > first.length : matchMixed(edge, text, [first.length, text.length], 0);
}

function indexOfText(path: string, text: string, from: number): number {
  let found = path.indexOf(text, from);
  while (found !== -1 && !isBoundary(path, found)) found = path.indexOf(text, found + 1);
  return found;
}

function mark(marks: number[], index: number, from: number, to: number): void {
  marks[2 * index] = from;
  marks[2 * index + 1] = to;
}
