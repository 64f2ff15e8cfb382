/**
 * Makes the tables of `docs/reference/native.md` from the cases, the exceptions and what both hosts list.
 * Never runs a program of a case.
 */
import { nativeHost, plainNode } from './host.ts';
import type { CaseFile } from './module-tests.ts';
import { type Survey, survey } from './survey.ts';

/** Modules of the reference, in its order; those that have cases besides are put behind. */
const MODULES: readonly string[] = [
  'assert', 'async_hooks', 'buffer', 'child_process', 'console', 'crypto', 'diagnostics_channel', 'dns', 'dns/promises', 'events', 'fs',
  'fs/promises', 'http', 'https', 'module', 'net', 'os', 'path', 'perf_hooks', 'process', 'querystring', 'readline', 'stream',
  'stream/consumers', 'stream/promises', 'stream/web', 'string_decoder', 'timers', 'timers/promises', 'tls', 'tty', 'url', 'util', 'zlib',
  'globals',
]; // prettier-ignore

export type State = 'works' | 'differs' | 'missing' | 'not tested';

export interface Row {
  readonly member: string;
  readonly state: State;
  readonly reason: string;
}

export interface ModuleTable {
  readonly module: string;
  readonly rows: readonly Row[];
}

/** What the cases alone say. */
export function declaredRows(files: readonly CaseFile[], module: string): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const { cases } of files.filter((file) => file.cases.module === module)) {
    for (const member of cases.programs.keys()) rows.set(member, { member, state: 'works', reason: '' });
    for (const [member, reason] of Object.entries(cases.differs)) rows.set(member, { member, state: 'differs', reason });
    for (const [member, reason] of Object.entries(cases.missing)) rows.set(member, { member, state: 'missing', reason });
  }
  return rows;
}

/** The tables of all modules, with members that neither a case nor a reason mentions. */
export async function makeTables(files: readonly CaseFile[]): Promise<readonly ModuleTable[]> {
  const modules = [...new Set([...MODULES, ...files.map((file) => file.cases.module)])];
  const requests = modules.map((module) => ({ module, names: [] }));
  const [node, native] = await Promise.all([survey(plainNode(), 'node', requests), survey(nativeHost(), 'native', requests)]);
  return modules.map((module) => ({ module, rows: rowsOf(declaredRows(files, module), node.get(module), native.get(module)) }));
}

function rowsOf(declared: Map<string, Row>, node: Survey | undefined, native: Survey | undefined): readonly Row[] {
  const rows = new Map(declared);
  for (const [member, kind] of Object.entries(node?.members ?? {})) {
    if (rows.has(member)) continue;
    const here = native?.members[member];
    if (here === undefined && isBelowMissing(rows, member)) continue;
    if (here === undefined) rows.set(member, { member, state: 'missing', reason: '' });
    else rows.set(member, { member, state: 'not tested', reason: here === kind ? '' : `${here} instead of ${kind}` });
  }
  return [...rows.values()].sort((a, b) => (a.member < b.member ? -1 : 1));
}

/** Members of a class that is missing itself need no line of their own. */
function isBelowMissing(rows: Map<string, Row>, member: string): boolean {
  const owner = member.split(/[#.]/)[0] ?? '';
  return owner !== member && rows.get(owner)?.state === 'missing';
}

const ORDER: readonly State[] = ['works', 'differs', 'missing', 'not tested'];

const count = (rows: readonly Row[], state: State): number => rows.filter((row) => row.state === state).length;

export function summary(tables: readonly ModuleTable[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const name = ({ module }: ModuleTable): string => `[\`${module}\`](#${anchor(module)})`;
  return [
    line(['module', ...ORDER]),
    line(['---', ...ORDER.map(() => '--:')]),
    ...tables.map((table) => line([name(table), ...ORDER.map((state) => count(table.rows, state))])),
    line(['**all**', ...ORDER.map((state) => tables.reduce((sum, table) => sum + count(table.rows, state), 0))]),
  ].join('\n');
}

const anchor = (module: string): string =>
  module
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/**
 * A module's members: one line for all that work, one for each that differs or is missing with its own
 * reason.
 */
export function moduleTable({ module, rows }: ModuleTable): string {
  const lines = ORDER.flatMap((state) => {
    const byReason = new Map<string, string[]>();
    for (const row of rows.filter((candidate) => candidate.state === state)) {
      byReason.set(row.reason, [...(byReason.get(row.reason) ?? []), code(row.member)]);
    }
    return [...byReason].map(([reason, members]) => `| ${members.join(', ')} | ${state} | ${reason.replaceAll('|', '\\|')} |`);
  });
  return [`### ${module}`, '', '| member | state | reason |', '| --- | --- | --- |', ...lines].join('\n');
}

/** A member as code; a sentence as text. */
const code = (member: string): string => (/^[\w$.#/]+$/.test(member) ? `\`${member}\`` : member.replaceAll('|', '\\|'));
