/**
 * Source maps: joins the maps of two compilations into one, and makes room for lines put before the code.
 *
 * Used once for each source that is compiled; Node reads the result when it prints a stack.
 */

/** The part of a version 3 source map that stack traces need. */
export interface SourceMap {
  readonly version: number;
  readonly mappings: string;
  readonly names: readonly string[];
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[] | undefined;
}

/** `[generated column, source, line, column]` in one line of generated code; lines and columns from 0. */
export type Segment = readonly [column: number, source: number, sourceLine: number, sourceColumn: number];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Base64 VLQ: five bits of number and one of continuation for each character. */
const DIGIT_BITS = 5;
const DIGIT_MASK = (1 << DIGIT_BITS) - 1;
const CONTINUES = 1 << DIGIT_BITS;

const digits = new Map(alphabet.split('').map((char, value) => [char, value]));

/**
 * The map from the code that `outer` describes back to the sources of `inner`, of which `outer`'s source was
 * made.
 */
export function joinMaps(outer: SourceMap, inner: SourceMap): SourceMap {
  const innerLines = decode(inner.mappings);
  const joined = decode(outer.mappings).map((line) => {
    const segments: Segment[] = [];
    for (const [column, , sourceLine, sourceColumn] of line) {
      const origin = lookUp(innerLines[sourceLine], sourceColumn);
      if (origin !== undefined) segments.push([column, origin[1], origin[2], origin[3]]);
    }
    return segments;
  });
  return { version: 3, mappings: encode(joined), names: [], sources: inner.sources, sourcesContent: inner.sourcesContent };
}

/** The same map for code with `lines` more lines before it. */
export function shiftMap(map: SourceMap, lines: number): SourceMap {
  return { ...map, mappings: ';'.repeat(lines) + map.mappings };
}

/** The comment that carries a map inside the code. */
export function toInlineComment(map: SourceMap): string {
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}

/** The last segment at or before `column`. */
function lookUp(line: readonly Segment[] | undefined, column: number): Segment | undefined {
  if (line === undefined) return undefined;
  let low = 0;
  let high = line.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((line[middle]?.[0] ?? 0) <= column) low = middle + 1;
    else high = middle;
  }
  return line[low - 1] ?? line[0];
}

export function decode(mappings: string): Segment[][] {
  let source = 0;
  let sourceLine = 0;
  let sourceColumn = 0;
  return mappings.split(';').map((line) => {
    let column = 0;
    const segments: Segment[] = [];
    for (const text of line === '' ? [] : line.split(',')) {
      const numbers = decodeNumbers(text);
      column += numbers[0] ?? 0;
      if (numbers.length < 4) continue;
      source += numbers[1] ?? 0;
      sourceLine += numbers[2] ?? 0;
      sourceColumn += numbers[3] ?? 0;
      segments.push([column, source, sourceLine, sourceColumn]);
    }
    return segments;
  });
}

export function encode(lines: readonly (readonly Segment[])[]): string {
  let last: Segment = [0, 0, 0, 0];
  return lines
    .map((line) => {
      last = [0, last[1], last[2], last[3]];
      return line
        .map((segment) => {
          const text = segment.map((value, index) => encodeNumber(value - (last[index] ?? 0))).join('');
          last = segment;
          return text;
        })
        .join(',');
    })
    .join(';');
}

function decodeNumbers(text: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const char of text) {
    const digit = digits.get(char) ?? 0;
    value += (digit & DIGIT_MASK) << shift;
    shift += DIGIT_BITS;
    if ((digit & CONTINUES) !== 0) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

function encodeNumber(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & DIGIT_MASK;
    rest >>>= DIGIT_BITS;
    text += alphabet[rest > 0 ? digit | CONTINUES : digit] ?? '';
  } while (rest > 0);
  return text;
}
