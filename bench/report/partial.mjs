/**
 * The partial runs beside a whole run: folders made with `--only` or `--contestants`, and files
 * `<date>-<name>.json` that keep the records of several. They measure what the whole run lacks (the native
 * executable) and what has changed since. Their figures are never mixed with those of the whole run: each is
 * asked apart, and shown with its date.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createData, isPartial, readFolder } from './data.mjs';
import { evaluate } from './measures.mjs';

/**
 * The run of a folder as `readFolder` gives it, with `partials`: the partial runs beside it that are not
 * older, oldest first.
 */
export function readWithPartials(folder) {
  const data = readFolder(folder);
  const results = dirname(folder);
  const found = readdirSync(results).flatMap((name) => (name === basename(folder) ? [] : runsOf(join(results, name))));
  const partials = found.filter(({ run }) => String(run.date) >= String(data.run.date));
  return { ...data, partials: partials.toSorted((a, b) => String(a.run.date).localeCompare(String(b.run.date))) };
}

function runsOf(path) {
  if (existsSync(join(path, 'run.json'))) {
    const data = readFolder(path);
    return isPartial(data.run) ? [data] : [];
  }
  if (!path.endsWith('.json')) return [];
  const { runs } = JSON.parse(readFileSync(path, 'utf8'));
  return (runs ?? []).map(({ run, records }) => createData({ run, records, name: basename(path) }));
}

/**
 * The run itself or, when it has none, the newest partial run whose records `has(data)` finds; `undefined`
 * without one.
 */
export function runWith(data, has) {
  return has(data) ? data : (data.partials ?? []).findLast((partial) => has(partial));
}

/**
 * `evaluate` in the run itself; where it was not measured there, in the newest partial run that has it, as
 * `{ …, partial }`.
 */
export function evaluateAnywhere(data, measure) {
  const found = evaluate(data, measure);
  if (found.missing === undefined) return found;
  for (const partial of (data.partials ?? []).toReversed()) {
    const other = evaluate(partial, measure);
    if (other.missing === undefined) return { ...other, partial: dateOf(partial) };
  }
  return found;
}

export function dateOf({ run }) {
  return String(run.date).slice(0, 10);
}

/** The command of a run, without the folder it wrote to: that was the machine's own. */
export function commandOf({ run }) {
  return String(run.command).replace(/ --results \S+/, '');
}
