/**
 * From what was measured to what is said: figures with their verdicts, void rows with their reasons, notes.
 * Pure functions.
 *
 * A `Report` is what `--json` prints, and what the table is made of.
 */
import type { Expectation, LeftOut } from './answers.ts';
import { GENERATOR_SHARE_MAX, MS_PER_S, OTHERS_SHARE_MAX, ROUNDS_VALID_MIN, US_PER_S } from './limits.ts';
import type { Slot } from './measure.ts';
import { compare, type Figure } from './statistics.ts';

/** What one column of the table was measured with; `slots[route][round]`. */
export interface ColumnRecord {
  readonly column: string;
  readonly slots: readonly (readonly Slot[])[];
  readonly idleBytes: readonly number[];
  readonly loadedBytes: readonly number[];
  readonly coldStartMs: readonly number[];
}

export interface RouteReport {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** What was verified of each reply. */
  readonly verified: 'status and content' | 'status';
  /** Why nothing is said about it. */
  readonly void: string | null;
  /** Measurements of it, and those during which others used more of the machine than `OTHERS_SHARE_MAX`. */
  readonly measurements: number;
  readonly disturbed: number;
  readonly cpuUs: Figure;
  readonly rate: Figure;
  readonly p50Ms: Figure;
  readonly p99Ms: Figure;
}

export interface Report {
  readonly tool: 'fulmar bench';
  readonly schema: 1;
  readonly version: string;
  readonly node: string;
  readonly target: string;
  readonly frameworks: readonly string[];
  readonly columns: readonly string[];
  readonly settings: Settings;
  readonly routes: readonly RouteReport[];
  readonly process: { readonly coldStartMs: Figure; readonly idleBytes: Figure; readonly loadedBytes: Figure };
  readonly leftOut: readonly LeftOut[];
  readonly notes: readonly string[];
  /** The command that measures the same again. */
  readonly repeat: string;
  readonly records: readonly ColumnRecord[];
}

export interface Settings {
  readonly method: string;
  readonly connections: number;
  readonly durationS: number;
  readonly rounds: number;
  readonly starts: number;
}

/** Everything a report needs besides the records. */
export interface ReportContext {
  readonly version: string;
  readonly target: string;
  readonly frameworks: readonly string[];
  readonly settings: Settings;
  readonly expectations: readonly Expectation[];
  readonly leftOut: readonly LeftOut[];
  readonly notes: readonly string[];
  readonly repeat: string;
}

export function toReport(records: readonly ColumnRecord[], context: ReportContext): Report {
  const { expectations, notes, ...rest } = context;
  const routes = expectations.map((expectation, index) => toRoute(records, { expectation, index, method: context.settings.method }));
  const figure = (pick: (record: ColumnRecord) => readonly number[]): Figure => compare(records.map(pick), 'lower');
  return {
    tool: 'fulmar bench',
    schema: 1,
    ...rest,
    node: process.versions.node,
    columns: records.map(({ column }) => column),
    routes,
    process: {
      coldStartMs: figure(({ coldStartMs }) => coldStartMs),
      idleBytes: figure(({ idleBytes }) => idleBytes),
      loadedBytes: figure(({ loadedBytes }) => loadedBytes),
    },
    notes: [...notes, ...notesOn(records)],
    records,
  };
}

function toRoute(
  records: readonly ColumnRecord[],
  { expectation, index, method }: { expectation: Expectation; index: number; method: string },
): RouteReport {
  const columns = records.map(({ slots }) => slots[index] ?? []);
  const reason = findFault(records, columns) ?? findDoubt(columns);
  const valid = validRounds(columns);
  const figure = (pick: (slot: Slot) => number | null, better: Figure['better']): Figure =>
    compare(reason === undefined ? valid.map((slots) => slots.map(pick).filter((value) => value !== null)) : columns.map(() => []), better);
  return {
    method,
    path: expectation.path,
    status: expectation.status,
    verified: expectation.body === undefined ? 'status' : 'status and content',
    void: reason ?? null,
    measurements: columns.flat().length,
    disturbed: columns.flat().filter(isDisturbed).length,
    cpuUs: figure(({ cpuUs }) => cpuUs, 'lower'),
    rate: figure(({ rate }) => rate, 'higher'),
    p50Ms: figure(({ p50Us }) => (p50Us / US_PER_S) * MS_PER_S, 'lower'),
    p99Ms: figure(({ p99Us }) => (p99Us / US_PER_S) * MS_PER_S, 'lower'),
  };
}

const isDisturbed = ({ othersShare }: Slot): boolean => othersShare !== null && othersShare > OTHERS_SHARE_MAX;

function findFault(records: readonly ColumnRecord[], columns: readonly (readonly Slot[])[]): string | undefined {
  for (const [index, slots] of columns.entries()) {
    const fault = slots.find((slot) => slot.fault !== undefined)?.fault;
    if (fault !== undefined) return `wrong replies under load (${records[index]?.column}): ${fault}`;
  }
  return undefined;
}

function findDoubt(columns: readonly (readonly Slot[])[]): string | undefined {
  const rounds = columns[0]?.length ?? 0;
  const valid = validRounds(columns)[0]?.length ?? 0;
  if (valid > 0 && valid >= rounds * ROUNDS_VALID_MIN) return undefined;
  const doubt = columns.flat().find((slot) => slot.doubt !== undefined)?.doubt ?? 'it was not measured';
  return `${rounds - valid} of ${rounds} rounds do not count: ${doubt}; try a longer --duration`;
}

/** The rounds that count in all columns. */
function validRounds(columns: readonly (readonly Slot[])[]): Slot[][] {
  return columns.map((slots) =>
    slots.filter((_, round) => columns.every((others) => others[round] !== undefined && others[round].doubt === undefined)),
  );
}

function notesOn(records: readonly ColumnRecord[]): string[] {
  const slots = records.flatMap((record) => record.slots.flat());
  const notes: string[] = [];
  const disturbed = slots.filter(isDisturbed);
  if (disturbed.length > 0) {
    notes.push(
      `Other processes used more than ${OTHERS_SHARE_MAX * 100} % of the CPU time in ${disturbed.length} of ${slots.length} measurements. Requests/s and latency suffer from that, CPU µs/request less so.`,
    );
  }
  if (slots.some(({ generatorShare }) => generatorShare !== null && generatorShare > GENERATOR_SHARE_MAX)) {
    notes.push('The load generator used a whole core: requests/s and latency are limited by it, CPU µs/request is not.');
  }
  if (slots.some(({ doubt }) => doubt !== undefined)) notes.push('Rounds in which rate and latency contradicted each other were left out.');
  return notes;
}
