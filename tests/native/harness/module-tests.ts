/** Makes a `node:test` test of every member of every file of cases. Last step. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ModuleCases } from './cases.ts';
import { type Both, type Outcome, runBoth } from './compare.ts';

const FOLDER = fileURLToPath(new URL('../modules/', import.meta.url));
const SUFFIX = '.cases.ts';
const nodeMajor = Number(process.versions.node.split('.')[0]);

export interface CaseFile {
  readonly path: string;
  readonly cases: ModuleCases;
}

/** All files of cases, or those whose module or file `NATIVE_ONLY` (separated by commas) names. */
export async function loadCases(): Promise<readonly CaseFile[]> {
  const only = process.env['NATIVE_ONLY']?.split(',');
  const names = readdirSync(FOLDER)
    .filter((name) => name.endsWith(SUFFIX))
    .sort();
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(FOLDER, name);
      const loaded = (await import(pathToFileURL(path).href)) as { default: ModuleCases };
      return { path, cases: loaded.default };
    }),
  );
  return files.filter((file) => only === undefined || only.includes(file.cases.module) || only.includes(basename(file.path, SUFFIX)));
}

export function defineModuleTests({ path, cases }: CaseFile): void {
  describe(`${cases.module} (${basename(path)})`, () => {
    let both: Promise<Both> | undefined;
    let start = 0;
    for (const [member, programs] of cases.programs) {
      const range = [start, (start += programs.length)] as const;
      test(member, async (t) => judge(cases, member, await (both ??= runBoth(path, cases)), range, (reason) => t.skip(reason)));
    }
    for (const member of Object.keys(cases.missing).filter((name) => !cases.programs.has(name))) {
      test(`${member} (missing)`, async () => judgeMissing(member, await (both ??= runBoth(path, cases))));
    }
    for (const member of Object.keys(cases.differs).filter((name) => !cases.programs.has(name))) {
      test(`${member} (differs)`, () => assert.fail(`${member} is listed as different, and no program shows it`));
    }
  });
}

function judge(cases: ModuleCases, member: string, both: Both, range: readonly [number, number], skip: (reason: string) => void): void {
  const since = cases.since[member] ?? 0;
  if (nodeMajor < since) return skip(`compared with Node ${since} and later`);
  const reason = cases.differs[member] ?? cases.missing[member];
  if (isNameOfMember(member) && both.node.states[member] === 'absent' && both.native.states[member] !== 'absent') {
    return skip(`this Node has no ${member}`);
  }
  const node = both.node.outcomes.slice(...range);
  const native = both.native.outcomes.slice(...range);
  for (const outcome of node)
    assert.ok(!('ended' in outcome), `a program of ${member} does not come to an end on Node: ${String(outcome['ended'])}`);
  if (reason === undefined) return assertEqual(member, node, native);
  assert.notDeepStrictEqual(native, node, `${member} is listed as different (${reason}), and is not`);
}

/** Node 20 has fewer members than the newest; only what is written like a member can be looked up. */
const isNameOfMember = (member: string): boolean => /^[\w$.#]+$/.test(member);

function assertEqual(member: string, node: readonly Outcome[], native: readonly Outcome[]): void {
  for (const [index, outcome] of node.entries()) {
    assert.deepStrictEqual(native[index], outcome, `${member}, program ${index}: the native host (+) differs from Node (-)`);
  }
}

function judgeMissing(member: string, both: Both): void {
  const state = both.native.states[member];
  assert.notEqual(state, 'present', `${member} is listed as missing, and is there`);
}
