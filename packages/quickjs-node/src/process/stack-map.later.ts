/**
 * Places in the application's bundle as places in its sources: read when the first error with such a place is
 * made, and only in executables built with `--sourcemap`. The format is that of
 * `packages/cli/src/build/native/stack-map.ts`.
 */
import ops from 'fulmar:ops';
import { readGlobal } from '../../../fulmar/src/host/globals.ts';

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** How many of a segment's numbers there are: column in the bundle, source, line, column. */
const NUMBERS = 4;

interface StackMap {
  readonly sources: readonly string[];
  readonly lines: readonly string[];
}

/** By their names: as many as there are parts that have had an error. */
const maps = new Map<string, StackMap>();

function load(name: string): StackMap {
  const content = ops.file(name);
  if (content === undefined) return { sources: [], lines: [] };
  const [head = '[]', ...lines] = ops.fatalUtf8(new Uint8Array(content)).split('\n');
  return { sources: JSON.parse(head) as string[], lines };
}

function mapOf(name: string): StackMap {
  const known = maps.get(name);
  if (known !== undefined) return known;
  const map = load(name);
  maps.set(name, map);
  return map;
}

/** Where `line` and `column` of a bundle, from 1, come from, by its map; `undefined` when that is unknown. */
export function sourceOf(name: string, line: number, column: number): SourcePlace | undefined {
  const { sources, lines } = mapOf(name);
  let found: number[] | undefined;
  for (const segment of lines[line - 1]?.split(';') ?? []) {
    const numbers = segment.split(',').map(Number);
    if (numbers.length < NUMBERS || (found !== undefined && (numbers[0] as number) > column)) break;
    found = numbers;
  }
  if (found === undefined) return undefined;
  const [, source, sourceLine, sourceColumn] = found as [number, number, number, number];
  const { root } = readGlobal('fulmar.bundle') as { root: string };
  return { file: `${root}/${sources[source]}`, line: sourceLine, column: sourceColumn };
}
