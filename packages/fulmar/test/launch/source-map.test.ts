/** Maps are joined so that a position in the last code leads to the first source. */
import assert from 'node:assert/strict';
import { SourceMap as NodeSourceMap } from 'node:module';
import { describe, it } from 'node:test';
import { decode, encode, joinMaps, shiftMap, toInlineComment } from '../../src/launch/compile/source-map.ts';

const map = (lines: [number, number, number, number][][]) => ({
  version: 3,
  mappings: encode(lines),
  names: [],
  sources: ['a.ts'],
  sourcesContent: ['x'],
});

describe('source maps', () => {
  it('writes what it reads, large and negative steps included', () => {
    const lines: [number, number, number, number][][] = [
      [[0, 0, 70_000, 5]],
      [],
      [
        [3, 0, 0, 900],
        [17, 0, 123_456, 0],
      ],
      [[0, 0, 1, 1]],
    ];
    assert.deepEqual(decode(encode(lines)), lines);
  });

  it('agrees with Node about every position', () => {
    const lines: [number, number, number, number][][] = [
      [
        [0, 0, 4, 2],
        [9, 0, 1, 30],
      ],
      [[2, 0, 0, 0]],
    ];
    const reader = new NodeSourceMap(map(lines) as never);
    for (const [line, segments] of lines.entries()) {
      for (const [column, , sourceLine, sourceColumn] of segments) {
        const entry = reader.findEntry(line, column) as { originalLine: number; originalColumn: number };
        assert.deepEqual([entry.originalLine, entry.originalColumn], [sourceLine, sourceColumn]);
      }
    }
  });

  it('leads through two compilations', () => {
    const inner = map([
      [
        [0, 0, 10, 0],
        [8, 0, 11, 4],
      ],
      [[0, 0, 20, 2]],
    ]);
    const outer = map([
      [[0, 0, 1, 0]],
      [
        [0, 0, 0, 0],
        [5, 0, 0, 9],
      ],
    ]);
    const joined = joinMaps(outer, inner);
    assert.deepEqual(decode(joined.mappings), [
      [[0, 0, 20, 2]],
      [
        [0, 0, 10, 0],
        [5, 0, 11, 4],
      ],
    ]);
    assert.deepEqual(joined.sources, ['a.ts']);
  });

  it('leaves out what the first compilation made without a source', () => {
    assert.deepEqual(decode(joinMaps(map([[[0, 0, 7, 0]]]), map([[[0, 0, 0, 0]]])).mappings), [[]]);
  });

  it('makes room for lines before the code', () => {
    const shifted = shiftMap(map([[[0, 0, 3, 0]]]), 2);
    assert.deepEqual(decode(shifted.mappings), [[], [], [[0, 0, 3, 0]]]);
  });

  it('travels inside the code', () => {
    const comment = toInlineComment(map([]));
    const [, data = ''] = comment.split('base64,');
    assert.deepEqual(JSON.parse(Buffer.from(data, 'base64').toString()).sources, ['a.ts']);
  });
});
