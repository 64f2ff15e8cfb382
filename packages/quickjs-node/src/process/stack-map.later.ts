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

let sources: readonly string[] | undefined;
let lines: readonly string[] = [];

function load(): readonly string[] {
  const content = ops.file('main.map');
  if (content === undefined) return [];
  const [head = '[]', ...rest] = ops.fatalUtf8(new Uint8Array(content)).split('\n');
  lines = rest;
  return JSON.parse(head) as string[];
}

/** Where `line` and `column` of the bundle, from 1, come from; `undefined` when that is unknown. */
export function sourceOf(line: number, column: number): SourcePlace | undefined {
  sources ??= load();
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
