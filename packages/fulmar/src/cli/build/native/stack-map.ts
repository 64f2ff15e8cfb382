/**
 * A source map in the form in which the native host reads it: a line of JSON with the sources' places, then one line for each line of the
 * bundle with its segments, all numbers absolute. A look-up then reads one line and decodes nothing else.
 */
import { resolve } from 'node:path';
import { decode, type SourceMap } from '../../source-map.ts';
import { placeOf, type Project } from '../project.ts';

/** `folder`: what the map's sources are relative to. */
export function toStackMap(map: SourceMap, project: Project, folder: string): string {
  const places = map.sources.map((source) => placeOf(resolve(folder, source), project));
  const lines = decode(map.mappings).map((segments) =>
    segments.map(([column, source, line, sourceColumn]) => `${column + 1},${source},${line + 1},${sourceColumn + 1}`).join(';'),
  );
  return `${JSON.stringify(places)}\n${lines.join('\n')}`;
}
