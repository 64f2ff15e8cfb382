/**
 * The loop of a run: one cell after the other, each behind the quiet gate, each recorded as soon as it is
 * measured. A contestant that fails is recorded with its log and left out of that scenario; the run goes on.
 */
import process from 'node:process';
import { make, prepare } from './contestants.mjs';
import { quietShare, waitUntilQuiet } from './gate.mjs';
import { measureConnections, measureLatency, measureLoad } from './measure.mjs';
import { progress } from './progress.mjs';
import { measureMemory, measureSize, measureSoak, measureStart } from './resting.mjs';
import { ContestantError } from './server.mjs';

const measures = {
  load: measureLoad,
  latency: measureLatency,
  connections: measureConnections,
  start: measureStart,
  soak: measureSoak,
  size: measureSize,
};
/** A measurement that others disturbed is made again, at most this often. */
const attemptsMax = 3;
const logLimit = 4000;
/** Above this the kernel's own work for connections that open and close looks like another process. */
const manyConnections = 1000;

/**
 * Installs and builds the contestants of `cells`; those that fail are recorded. Returns names and ids of the
 * failed.
 */
export async function prepareAll({ cells, results, say }) {
  const entrants = new Map(cells.map(({ entrant }) => [entrant.id.split('#')[0], entrant]));
  const failed = new Set();
  const note = (name, failure) => {
    if (failure === undefined) return;
    failed.add(name);
    recordFailure({ results, id: `failure/${name}`, entrant: name, scenario: null, ...failure });
  };
  for (const contestant of new Set([...entrants.values()].map((entrant) => entrant.contestant))) {
    say(`install ${contestant.name}`);
    note(contestant.name, await prepare(contestant));
  }
  for (const [id, entrant] of entrants) if (!failed.has(entrant.contestant.name)) note(id, await make(entrant));
  return failed;
}

/** Measures every cell that has no record yet. */
export async function runCells({ cells, results, context, failed, quietLimit = quietShare }) {
  const gate = () => waitUntilQuiet({ pids: context.pids, say: context.say, limit: quietLimit });
  const isFailed = ({ id, contestant }) => failed.has(contestant.name) || failed.has(id.split('#')[0]);
  const open = cells.filter(({ id, entrant }) => !results.has(id) && !isFailed(entrant));
  const bar = progress(open);
  context.say = bar.say;
  const waiting = new Set();
  await gate();
  for (const cell of open) {
    if (results.has(failureId(cell))) {
      bar.done(cell);
      continue;
    }
    bar.start(cell);
    try {
      await runCell({ cell, context, results, waiting, gate, quietLimit });
    } catch (error) {
      onFailure({ error, cell, results, bar });
    }
    bar.done(cell);
  }
  await Promise.all(waiting);
  bar.end();
}

async function runCell({ cell, context, results, waiting, gate, quietLimit }) {
  // Servers that still rest after their load must not stand beside another kind of measurement.
  if (cell.kind !== 'memory') await Promise.all(waiting);
  if (cell.scenario.needs.includes('database')) await context.database();
  if (cell.scenario.reset !== undefined) await context.query(cell.scenario.reset);
  if (cell.kind === 'memory') {
    const { later } = await measureMemory({ cell, context });
    const recorded = later.then((records) => records.forEach((record) => results.add(record))).finally(() => waiting.delete(recorded));
    waiting.add(recorded);
    return;
  }
  if (cell.gate) await gate();
  let records;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    records = await measures[cell.kind]({ cell, context });
    const disturbed = records.some(
      (record) => (record.other_cpu ?? 0) > quietLimit && !(record.kind === 'connections' && record.connections > manyConnections),
    );
    if (!disturbed) break;
    for (const record of records) record.attempts = attempt;
    if (attempt < attemptsMax) await gate();
  }
  for (const record of records) results.add(record);
}

/** The row of a cell: a contestant that fails is left out of that row, not of others. */
const failureId = ({ id }) => `failure/${id.replace(/\/\d+$/, '')}`;

function onFailure({ error, cell, results, bar }) {
  const stage = error instanceof ContestantError ? error.stage : 'measure';
  const log = error instanceof ContestantError ? error.log : String(error.stack ?? error);
  bar.say(`${cell.entrant.id}, ${cell.scenario.name}: ${stage} failed: ${log.split('\n')[0]}`);
  recordFailure({ results, id: failureId(cell), entrant: cell.entrant.id, scenario: cell.scenario.name, stage, log });
}

function recordFailure({ results, log, ...rest }) {
  // The folder of the repository says nothing to a reader.
  const text = log.replaceAll(process.cwd(), '.').slice(-logLimit);
  results.add({ kind: 'failure', problem: text.split('\n')[0], ...rest, log: text });
}
