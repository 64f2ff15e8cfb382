/**
 * The raw files of a run: `run.json` (what ran where) and `records.jsonl` (one measurement a line, only ever
 * appended to). A run that was interrupted goes on in its folder: what has a record is not measured again.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchDir } from './runtimes.mjs';

export const resultsDir = join(benchDir, 'results');

/**
 * Opens `folder`, new or not; `add(record)` appends, `has(id)` tells whether a measurement is there.
 * `retryFailed` forgets failures, `again` the measurements whose id contains one of its texts: they are made
 * again and the later record counts.
 */
export function openResults(folder, { retryFailed = false, again = [], part = 0 } = {}) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'records.jsonl');
  const known = new Map(
    readRecords(folder)
      .filter(({ kind, id }) => !(retryFailed && kind === 'failure') && !again.some((text) => id.includes(text)))
      .map((record) => [record.id, record]),
  );
  return {
    folder,
    has: (id) => known.has(id),
    all: () => [...known.values()],
    add(record) {
      known.set(record.id, record);
      appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), part, ...record })}\n`);
    },
    writeRun(run) {
      const path = join(folder, 'run.json');
      writeFileSync(`${path}.new`, `${JSON.stringify(run, null, 1)}\n`);
      renameSync(`${path}.new`, path);
    },
  };
}

export function readRun(folder) {
  const file = join(folder, 'run.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** A last line that a killed run left half written is dropped. */
export function readRecords(folder) {
  const file = join(folder, 'records.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.flatMap((line, index) => {
    try {
      return [JSON.parse(line)];
    } catch (error) {
      if (index === lines.length - 1) return [];
      throw new Error(`${file}, line ${index + 1}: ${error.message}`, { cause: error });
    }
  });
}

/** The newest folder of `plan` that is not finished, or undefined. */
export function unfinishedRun(plan) {
  if (!existsSync(resultsDir)) return undefined;
  const folders = readdirSync(resultsDir).toSorted().toReversed();
  return folders
    .map((name) => join(resultsDir, name))
    .find((folder) => {
      const run = existsSync(join(folder, 'run.json')) ? readRun(folder) : undefined;
      return run !== undefined && run.plan.name === plan && run.finished === undefined;
    });
}
