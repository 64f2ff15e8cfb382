/**
 * The raw files of one results folder as something to ask questions of: which entrants, which rounds, which
 * numbers. First step of the report, before `sections/`. It never changes a raw file and leaves out nothing
 * silently: void records stay, marked with their reason.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  batchMedians,
  noiseFloor,
  ratiosWithinRounds,
  successShare,
  summarise,
  voidReason,
  median,
  differencesWithinRounds,
} from './maths.mjs';

/** The program all others are divided by. */
export const baseEntrant = 'express5@node26';
/** The same program on Fulmar: the headline of the report. */
export const oursEntrant = 'express5@fulmar-node26';
/** Where Express 5 takes part under another name. */
const alsoExpress = { [baseEntrant]: 'realworld-express@node26', [oursEntrant]: 'realworld-express@fulmar-node26' };

/** What can be asked for: the kind of record, how the number is read, which direction is better. */
export const metrics = {
  cpu_us: { kind: 'load', pick: (r) => r.cpu_us, title: 'CPU per reply' },
  rate: { kind: 'load', pick: (r) => r.rate, better: 'higher', title: 'requests/s' },
  load_p50: { kind: 'load', pick: (r) => r.latency_us?.p50, title: 'p50 under full load' },
  load_p99: { kind: 'load', pick: (r) => r.latency_us?.p99, title: 'p99 under full load' },
  load_rss: { kind: 'load', pick: (r) => r.rss, title: 'memory under full load' },
  success: { kind: 'load', pick: successShare, better: 'higher', title: 'right replies', keepVoid: true },
  latency_p50: { kind: 'latency', pick: (r) => r.latency_us?.p50, title: 'p50 at a fixed rate' },
  latency_p99: { kind: 'latency', pick: (r) => r.latency_us?.p99, title: 'p99 at a fixed rate' },
  latency_p99_9: { kind: 'latency', pick: (r) => r.latency_us?.p99_9, title: 'p99.9 at a fixed rate' },
  latency_cpu_us: { kind: 'latency', pick: (r) => r.cpu_us, title: 'CPU per reply at a fixed rate' },
  connections_rate: { kind: 'connections', pick: (r) => r.rate, better: 'higher', title: 'requests/s' },
  connections_rss: { kind: 'connections', pick: (r) => r.rss, title: 'RSS under load' },
  first_reply_ms: { kind: 'start', pick: (r) => r.first_reply_ms, title: 'start to first reply' },
  listening_ms: { kind: 'start', pick: (r) => r.listening_ms, title: 'start to listening' },
  rss_idle: { kind: 'memory', pick: (r) => r.idle?.rss, title: 'memory when idle' },
  rss_loaded: { kind: 'memory', pick: (r) => r.loaded?.rss, title: 'memory under load' },
  rss_peak: { kind: 'memory', pick: (r) => r.peak?.rss, title: 'memory at its peak' },
  rss_after: { kind: 'memory', pick: (r) => r.after?.rss, title: 'memory after the load' },
  rss_soaked: { kind: 'soak', pick: (r) => r.after?.rss, title: 'memory after a million requests' },
  rss_unsoaked: { kind: 'soak', pick: (r) => r.before?.rss, title: 'memory before them' },
  executable_bytes: { kind: 'size', pick: (r) => r.bytes, title: 'executable' },
};

/** Fields that tell records of one kind and entrant apart. */
const conditions = ['scenario', 'target_rate', 'connections', 'pool', 'routes'];

/** Reads a results folder; throws when it is none. */
export function readFolder(folder) {
  for (const name of ['run.json', 'records.jsonl']) {
    if (!existsSync(join(folder, name))) throw new Error(`${folder} is no results folder: it has no ${name}`);
  }
  const run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  const lines = readFileSync(join(folder, 'records.jsonl'), 'utf8').split('\n');
  const records = lines.flatMap((line, at) =>
    parseLine({ line, isLast: at === lines.length - 1, where: `${folder}/records.jsonl line ${at + 1}` }),
  );
  return createData({ run, records, name: basename(folder) });
}

/** A last line without its end was cut off when the run was killed; any other broken line is an error. */
function parseLine({ line, isLast, where }) {
  if (line.trim() === '') return [];
  try {
    return [JSON.parse(line)];
  } catch (cause) {
    if (isLast) return [];
    throw new Error(`${where} is not JSON`, { cause });
  }
}

/** Whether a run was asked for some of the measurements alone. */
export function isPartial({ command }) {
  return / --(?:only|contestants)\b/.test(String(command));
}

/**
 * The newest results folder below `results` that is neither a quick run nor a partial one; `undefined`
 * without one.
 */
export function newestFolder(results) {
  const names = existsSync(results) ? readdirSync(results).filter((name) => existsSync(join(results, name, 'run.json'))) : [];
  const runs = names.map((name) => ({
    folder: join(results, name),
    run: JSON.parse(readFileSync(join(results, name, 'run.json'), 'utf8')),
  }));
  const full = runs.filter(({ folder, run }) => run.plan?.name !== 'quick' && !/quick/.test(basename(folder)) && !isPartial(run));
  return full.toSorted((a, b) => String(a.run.date).localeCompare(String(b.run.date))).at(-1)?.folder;
}

/** `{ run, records, failures, name }`: of records measured again (a resumed run) the last one counts. */
export function createData({ run, records, name = 'results' }) {
  const last = new Map();
  for (const record of records.filter((r) => r.summary !== true)) {
    const key = [record.kind, record.entrant, record.stage, record.round, ...conditions.map((field) => record[field])].join('|');
    last.set(record.id ?? key, { ...record, void: record.kind === 'failure' ? null : voidReason(record) });
  }
  const all = [...last.values()];
  const measured = all.filter((r) => r.kind !== 'failure');
  return { run, name, records: measured, failures: all.filter((r) => r.kind === 'failure' && !isOutdated(r, measured)) };
}

/** A failure that a later measurement of the same thing (a retry) has made good. */
function isOutdated(failure, measured) {
  return measured.some((r) => String(r.at) > String(failure.at) && isFailureOf(failure, r));
}

/**
 * Failures are told apart by `id`: `failure/<contestant>` or
 * `failure/<entrant>/<scenario, or kind if not load>[/<routes>]`.
 */
function isFailureOf(failure, { kind, entrant, scenario, routes }) {
  const about = `failure/${entrant}/${kind === 'load' ? scenario : kind}${routes > 0 ? `/${routes}` : ''}`;
  return [about, `failure/${entrant}`, `failure/${entrant.split('@')[0]}`].includes(failure.id);
}

/**
 * Records that a reference (`{ metric, entrant, scenario, routes, connections, pool, target_rate }`) means.
 */
export function recordsOf(data, ref) {
  const { kind } = metrics[ref.metric];
  const wanted = conditions.filter((field) => ref[field] !== undefined);
  const plain = kind === 'load' && ref.pool === undefined;
  return data.records.filter(
    (r) =>
      r.kind === kind && r.entrant === ref.entrant && !(plain && r.pool !== undefined) && wanted.every((field) => r[field] === ref[field]),
  );
}

/** Map from round to number, of the records that are not void. */
export function seriesOf(data, ref) {
  const { pick, keepVoid } = metrics[ref.metric];
  const good = recordsOf(data, ref).filter((r) => keepVoid || r.void === null);
  return new Map(good.map((r) => [r.round, pick(r)]).filter(([, value]) => Number.isFinite(value)));
}

/**
 * One row: `{ summary, rounds, reasons, isVoid, answered }`. It is void, and unranked, unless more than half
 * of its rounds are good and the contestant did not fail in a later one. `undefined` when it was not
 * measured.
 */
export function rowOf(data, ref) {
  const records = recordsOf(data, ref);
  if (records.length === 0) return undefined;
  const values = [...seriesOf(data, ref).values()];
  const failed = data.failures
    .filter((failure) => records.some((r) => isFailureOf(failure, r)))
    .map(({ stage }) => `failed later (${stage})`);
  const reasons = [...new Set([...failed, ...records.map((r) => r.void).filter((reason) => reason !== null)])];
  const isVoid = failed.length > 0 || values.length * 2 <= records.length;
  return { summary: summarise(values), rounds: records.length, reasons, isVoid, answered: records[0].answered };
}

/** Summary of `of` ÷ `to` within rounds; `undefined` when a side is void or missing. */
export function ratioOf(data, of, to) {
  return compare(data, { of, to, how: ratiosWithinRounds });
}

/** The same of `of` − `to`. */
export function differenceOf(data, of, to) {
  return compare(data, { of, to, how: differencesWithinRounds });
}

function compare(data, { of, to, how }) {
  if ([of, to].some((ref) => rowOf(data, ref)?.isVoid !== false)) return undefined;
  return summarise(how(comparable(data, of), comparable(data, to)));
}

/** A series ready to be compared with another one: single starts as medians of batches. */
function comparable(data, ref) {
  const { kind } = metrics[ref.metric];
  const rounds = data.records.filter(
    (r) => r.kind === kind && conditions.every((field) => ref[field] === undefined || ref[field] === r[field]),
  );
  return batchMedians(seriesOf(data, ref), [...new Set(rounds.map((r) => r.round))]);
}

/**
 * Noise floor where `ref` stands: that of its own A/A pair, but not below the median floor of the same metric
 * in all places, so that a pair that happened to agree makes no row sharper than the run is;
 * `{ floor, own }`.
 */
export function noiseOf(data, ref) {
  const own = noiseFloor(twinRatios(data, ref));
  const everywhere = twinPlaces(data, ref.metric).map((place) => noiseFloor(twinRatios(data, place)));
  const common = median(everywhere.filter((floor) => floor !== undefined));
  if (own !== undefined) return { floor: Math.max(own, common), own: true };
  return { floor: common, own: false };
}

/** Ratios of the A/A pair of the conditions of `ref`. */
export function twinRatios(data, ref) {
  const twin = data.records.find((r) => r.kind === metrics[ref.metric].kind && isTwin(r.entrant))?.entrant;
  if (twin === undefined) return [];
  return ratiosWithinRounds(comparable(data, { ...ref, entrant: twin }), comparable(data, { ...ref, entrant: twin.split('#')[0] }));
}

/** One reference per set of conditions in which the twin was measured. */
export function twinPlaces(data, metric) {
  const places = new Map();
  for (const record of data.records.filter((r) => r.kind === metrics[metric].kind && isTwin(r.entrant))) {
    const place = Object.fromEntries(conditions.filter((field) => record[field] !== undefined).map((field) => [field, record[field]]));
    places.set(JSON.stringify(place), { metric, ...place });
  }
  return [...places.values()];
}

export function isTwin(entrant) {
  return entrant.includes('#');
}

/** Express 5 on Node 26 where `ref` stands, or the same under another name; also of `oursEntrant`. */
export function expressAt(data, ref, entrant = baseEntrant) {
  return [entrant, alsoExpress[entrant]].find((name) => recordsOf(data, { ...ref, entrant: name }).length > 0) ?? entrant;
}

/** Entrants of a kind and conditions, in the order they were measured, without the twin. */
export function entrantsOf(data, ref) {
  const { kind } = metrics[ref.metric];
  const found = data.records.filter((r) => r.kind === kind && conditions.every((f) => ref[f] === undefined || ref[f] === r[f]));
  return [...new Set(found.map((r) => r.entrant))].filter((entrant) => !isTwin(entrant));
}

/** Distinct values of one field among the records of a kind, numbers ascending. */
export function distinct(data, kind, field) {
  const values = new Set(data.records.filter((r) => r.kind === kind && r[field] !== undefined).map((r) => r[field]));
  return [...values].toSorted((a, b) => (typeof a === 'number' ? a - b : 0));
}
