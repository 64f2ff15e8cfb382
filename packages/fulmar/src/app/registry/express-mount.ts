/**
 * The path that a layer of an Express router takes off before what is inside it. Versions keep it in different
 * ways, most of npm's not at all: then it is recovered from the regular expression that the layer runs, and
 * only believed when the layer agrees. Leaves layers as they are.
 */

export interface Layer {
  readonly handle: unknown;
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>>; readonly stack: readonly Layer[] };
  readonly method?: string;
  /** What the layer was registered with, in the newest versions only. */
  readonly rawPath?: unknown;
  readonly slash?: boolean;
  /** Of ours: how its paths were compiled. */
  readonly _patterns?: readonly {
    readonly walk: { readonly segments: readonly (string | null)[]; readonly names: readonly string[] } | null;
  }[];
  path?: string;
  match?(path: string): boolean | { readonly path: string };
}

/** What stands for a path that cannot be told. */
export const UNKNOWN = '/…';
const PROBE = '/fulmar-routes';

/** `''` where the layer takes every path. Of several paths the first. */
export function mountPathOf(layer: Layer): string {
  if (layer.slash === true) return '';
  const [raw] = [layer.rawPath].flat(Infinity);
  if (typeof raw === 'string') return raw.replace(/\/+$/, '');
  if (raw instanceof RegExp) return UNKNOWN;
  const [pattern] = layer._patterns ?? [];
  if (pattern !== undefined) return pattern.walk === null ? UNKNOWN : pathOfWalk(pattern.walk);
  return recovered(layer);
}

/** Version 4 keeps no path: it is put together from what was compiled. */
function pathOfWalk({ segments, names }: { readonly segments: readonly (string | null)[]; readonly names: readonly string[] }): string {
  let parameter = 0;
  return segments.map((segment) => `/${segment ?? `:${names[parameter++] ?? ''}`}`).join('');
}

function recovered(layer: Layer): string {
  try {
    const path = decode(sourceRunBy(layer)).replace(/\/$/, '');
    return matchedPath(layer, path + PROBE) === path ? path : UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

/**
 * The literal path at the beginning of a route's regular expression. A layer that takes every path runs none.
 */
function decode(source = ''): string {
  const literal = /^\^(?:\(\?:)?((?:\\?\/(?:\\.|[\w~%@!&=;,'-])*)*)/.exec(source)?.[1] ?? '';
  return literal.replaceAll(/\\(.)/g, '$1');
}

/** What the layer says it matched: in its result, or in itself. */
function matchedPath(layer: Layer, path: string): string | undefined {
  const match = layer.match?.(path) ?? false;
  if (match === false) return undefined;
  return match === true ? layer.path : match.path;
}

/**
 * The source of the first regular expression that the layer runs on a path; `undefined` when it runs none.
 */
function sourceRunBy(layer: Layer): string | undefined {
  const { exec } = RegExp.prototype;
  let source: string | undefined;
  RegExp.prototype.exec = function execWatched(this: RegExp, text: string) {
    source ??= this.source;
    return Reflect.apply(exec, this, [text]) as RegExpExecArray | null;
  };
  try {
    layer.match?.(PROBE);
  } finally {
    RegExp.prototype.exec = exec;
  }
  return source;
}
