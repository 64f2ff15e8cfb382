/**
 * Which files may have something to say about a path: a tree of their names, that is data and can be made when a project
 * is built. It answers with too many rather than too few; the app's router decides. Knows nothing of what is in files.
 */
import { toCommonSpelling } from '../../app/router/path-text.ts';
import type { FileRoute } from '../files/file-route.ts';

export interface IndexNode {
  /** By the text of the next segment. */
  text?: Record<string, IndexNode>;
  /** Behind a segment that may be anything. */
  any?: IndexNode;
  /** Positions of files whose path ends here. */
  ends?: number[];
  /** Positions of files that matter here and everywhere below: special ones, and the rest of a path. */
  below?: number[];
}

export function indexOf(files: readonly FileRoute[]): IndexNode {
  const root: IndexNode = {};
  for (const [position, { kind, parts }] of files.entries()) {
    let node = root;
    const isSpecial = kind !== 'route' && kind !== 'page';
    for (const part of parts) {
      if (part.kind === 'rest') break;
      if (part.kind === 'parameter' && part.isOptional) (node.ends ??= []).push(position);
      node = part.kind === 'text' ? textNode(node, part.text) : (node.any ??= {});
    }
    if (isSpecial || parts.at(-1)?.kind === 'rest') (node.below ??= []).push(position);
    else (node.ends ??= []).push(position);
  }
  return root;
}

function textNode(node: IndexNode, text: string): IndexNode {
  // Names of files are anything, `__proto__` too, and a `%` in one is sent as `%25`.
  const texts = (node.text ??= Object.create(null) as Record<string, IndexNode>);
  return (texts[text.replaceAll('%', '%25')] ??= {});
}

/** Positions of files, each once. */
export function candidatesFor(root: IndexNode, pathname: string): ReadonlySet<number> {
  const found = new Set<number>();
  const segments = toCommonSpelling(pathname).split('/').slice(1);
  // A slash at the end may be the same path.
  if (segments.at(-1) === '') segments.pop();
  collect(root, segments, 0, found);
  return found;
}

function collect(node: IndexNode, segments: readonly string[], at: number, found: Set<number>): void {
  for (const position of node.below ?? []) found.add(position);
  if (at === segments.length) {
    for (const position of node.ends ?? []) found.add(position);
    return;
  }
  const { text, any } = node;
  const segment = segments[at] as string;
  if (text !== undefined && Object.hasOwn(text, segment)) collect(text[segment] as IndexNode, segments, at + 1, found);
  if (any !== undefined) collect(any, segments, at + 1, found);
}
