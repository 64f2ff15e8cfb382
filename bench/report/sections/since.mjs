/**
 * What was measured again after the whole run: the partial runs, each with its command, every server beside
 * Express 5 on Fulmar.
 */
import { details, heading, table, text } from '../blocks.mjs';
import { entrantsOf, expressAt, oursEntrant, ratioOf, rowOf } from '../data.mjs';
import { isFulmar, labelOf } from '../entrants.mjs';
import { integer, micros, withSpread } from '../format.mjs';
import { commandOf, dateOf } from '../partial.mjs';
import { databasePlaces } from './database.mjs';
import { scenarioNames, titleOf } from './scenarios.mjs';

/** Scenarios under load of a run, those with a database too: conditions of `rowOf`. */
export function loadPlaces(data) {
  return [...scenarioNames(data).map((scenario) => ({ scenario })), ...databasePlaces(data)];
}

export function sinceSection(data) {
  const partials = (data.partials ?? []).filter((partial) => loadPlaces(partial).length > 0);
  if (partials.length === 0) return [];
  return [
    heading(2, 'Measured again since'),
    text(
      'Runs of some rows alone, made after the whole run: what has changed since shows here first. They have no server measured twice, so that nothing is judged. Where a figure of theirs stands in another part, its date stands beside it.',
    ),
    ...partials.flatMap((partial) => partialBlocks(partial)),
  ];
}

function partialBlocks(data) {
  const title = `${dateOf(data)}, ${String(data.run.date).slice(11, 16)} UTC`;
  const columns = ['scenario', 'server', '>CPU per reply', '>requests/s', '>Express 5 on Fulmar ÷ this'];
  return [
    heading(3, title),
    text(`Commit \`${data.run.commit}\`, raw file \`bench/results/${data.name}\`.`),
    details('The command', commandOf(data)),
    table(
      `${title}: CPU time per reply`,
      columns,
      loadPlaces(data).flatMap((place) => placeRows(data, place)),
    ),
  ];
}

function placeRows(data, place) {
  const ref = { metric: 'cpu_us', ...place };
  const ours = { ...ref, entrant: expressAt(data, ref, oursEntrant) };
  const rows = entrantsOf(data, ref).map((entrant) => ({ entrant, ...rowOf(data, { ...ref, entrant }) }));
  return rows
    .toSorted((a, b) => (a.summary?.median ?? Infinity) - (b.summary?.median ?? Infinity))
    .map(({ entrant, summary, isVoid, reasons }) => [
      titleOf(data, place.scenario),
      { text: labelOf(data, entrant), tone: isFulmar(entrant) ? 'ours' : undefined },
      isVoid ? `void: ${reasons.join('; ') || 'no figures'}` : withSpread(summary, (value) => micros(value)),
      integer(rowOf(data, { ...ref, metric: 'rate', entrant })?.summary?.median),
      entrant === ours.entrant ? '' : withSpread(ratioOf(data, ours, { ...ref, entrant })),
    ]);
}
