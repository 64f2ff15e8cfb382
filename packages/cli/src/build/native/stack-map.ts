/**
 * A source map in the form in which the QuickJS host reads it: a line of JSON with the sources' places, then
 * one line for each line of the bundle with its segments, all numbers absolute. A look-up then reads one line
 * and decodes nothing else.
 */
import { resolve } from 'node:path';
import { decode, type SourceMap } from '../../../../fulmar/src/launch/compile/source-map.ts';
import { placeOf, type Project } from '../project.ts';

/** A piece of the bundle: its map, and the line of the bundle that it begins in, from 0. */
export interface MappedPart {
  readonly map: SourceMap;
  readonly line: number;
}

/** `parts` in their order; `folder`: what the maps' sources are relative to. */
export function toStackMap(parts: readonly MappedPart[], project: Project, folder: string): string {
  const places: string[] = [];
  const lines: string[] = [];
  for (const { map, line: start } of parts) {
    while (lines.length < start) lines.push('');
    const first = places.length;
    for (const source of map.sources) places.push(placeOf(resolve(folder, source), project));
    for (const segments of decode(map.mappings)) {
      lines.push(segments.map(([column, source, line, at]) => `${column + 1},${source + first},${line + 1},${at + 1}`).join(';'));
    }
  }
  return `${JSON.stringify(places)}\n${lines.join('\n')}`;
}
