/**
 * A list of routes as a table of text: one line each, never folded, without columns that are empty. Pure functions.
 */
import { relative } from 'node:path';
import type { ListedRoute } from '../../../fulmar/src/app/registry/index.ts';

const GAP = '  ';
const TITLES = ['METHOD', 'PATH', 'HOST', 'VERSIONS', 'STYLE', 'HANDLER', 'SCHEMAS', 'MIDDLEWARE', 'PLACE'];
/** For a function without a name. */
const NAMELESS = '–';

/** `folder`: places are told relative to it. */
export function toTable(routes: readonly ListedRoute[], folder: string): string {
  const rows = routes.map((route) => [
    route.method,
    route.path,
    route.host ?? '',
    route.versions?.join(' ') ?? '',
    route.style,
    route.handler === '' ? NAMELESS : route.handler,
    route.schemas.join(' '),
    route.middleware.map((name) => (name === '' ? NAMELESS : name)).join(' '),
    placeIn(folder, route.place),
  ]);
  const used = TITLES.map((_, column) => rows.some((row) => row[column] !== '' && row[column] !== NAMELESS));
  const lines = [TITLES, ...rows].map((row) => row.filter((_, column) => used[column]));
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((text, column) => text.padEnd(widths[column] as number))
          .join(GAP)
          .trimEnd()}\n`,
    )
    .join('');
}

/** A path within the folder without it, any other as it is. */
export function placeIn(folder: string, place: string | undefined): string {
  if (place === undefined) return '';
  const short = relative(folder, place);
  return short.startsWith('..') ? place : short;
}
