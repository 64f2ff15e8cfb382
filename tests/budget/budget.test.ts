/**
 * The cost gates of `bench/budget`: each counted entry for this Node against its committed budget, and proof
 * that a gate can fail. Counts only; what is timed is no test.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

interface Budget {
  readonly value: number;
  readonly unit: string;
  readonly tolerancePercent: number;
  readonly recordedWith: string;
  readonly reason: string;
}

interface Gate {
  readonly name: string;
  readonly ids: readonly string[];
  readonly toolchain: string;
  readonly unavailable: string | undefined;
  measure(): Promise<Map<string, number>>;
}

interface Judged {
  readonly budget: Budget | undefined;
  readonly measured: number;
  readonly toolchain: string;
}

interface Library {
  gates(options: { pinned: boolean; only?: string }): Gate[];
  readBudgets(file?: string): { entries: Record<string, Budget> };
  judge(row: Judged): { verdict: string; note: string };
  complaint(row: Judged & { id: string; verdict: string }): string | undefined;
  readCounts(text: string): Counts;
  buildPrograms(): Promise<Map<string, string>>;
  count(program: string, args: readonly string[], within?: string): Promise<Counts>;
}

interface Counts {
  readonly instructions: number;
  readonly mallocs: number;
}

const folder = new URL('../../bench/budget/', import.meta.url);
const parts = ['lib/gates.mjs', 'lib/budgets.mjs', 'lib/callgrind.mjs'].map(
  (file) => import(new URL(file, folder).href) as Promise<object>,
);
const { gates, readBudgets, judge, complaint, readCounts, buildPrograms, count } = Object.assign(
  {},
  ...(await Promise.all(parts)),
) as Library;

const { entries } = readBudgets();
const here = gates({ pinned: false });
const major = process.versions.node.split('.')[0] ?? '';

describe('budgets', () => {
  for (const gate of here) {
    let measuring: Promise<Map<string, number>> | undefined;
    for (const id of gate.ids) {
      it(`${id} stays within its budget`, async (t) => {
        const budget = entries[id];
        if (gate.unavailable !== undefined) return t.skip(gate.unavailable);
        if (budget === undefined && !hasBudgets(id)) return t.skip(`no budgets for Node ${major}: npm run budget -- --update "<reason>"`);
        const measured = (await (measuring ??= gate.measure())).get(id);
        assert.ok(measured !== undefined, `${gate.name} did not measure ${id}`);
        const { verdict, note } = judge({ budget, measured, toolchain: gate.toolchain });
        const problem = complaint({ id, budget, measured, verdict, toolchain: gate.toolchain });
        assert.equal(problem, undefined, `${problem} (${note})`);
        t.diagnostic(`${measured} ${budget?.unit} of ${budget?.value} (${note})`);
      });
    }
  }

  it('has a gate and a reason for each', () => {
    const known = new Set(here.flatMap(({ ids }) => ids));
    for (const [id, { reason }] of Object.entries(entries)) {
      assert.ok(!/@node/.test(id) || !id.endsWith(`@node${major}`) || known.has(id), `nothing measures ${id}`);
      assert.ok(/@node/.test(id) || known.has(id), `nothing measures ${id}`);
      assert.match(reason, /\w+ \w+/, id);
    }
  });
});

/**
 * False for a Node that no budget was recorded with: there is nothing to compare with, and it is no one's
 * fault.
 */
function hasBudgets(id: string): boolean {
  const suffix = /@node\d+$/.exec(id)?.[0];
  return suffix === undefined || Object.keys(entries).some((other) => other.endsWith(suffix));
}

describe('judging a count', () => {
  const budget: Budget = { value: 1000, unit: 'instructions', tolerancePercent: 2, recordedWith: 'rustc 1', reason: 'the first count' };
  const cases = [
    { measured: 1000, toolchain: 'rustc 1', verdict: 'ok' },
    { measured: 1020, toolchain: 'rustc 1', verdict: 'ok' },
    { measured: 1021, toolchain: 'rustc 1', verdict: 'over' },
    { measured: 979, toolchain: 'rustc 1', verdict: 'below' },
    { measured: 1240, toolchain: 'rustc 2', verdict: 'ok' },
    { measured: 1260, toolchain: 'rustc 2', verdict: 'over' },
    { measured: 500, toolchain: 'rustc 2', verdict: 'ok' },
  ];
  for (const { measured, toolchain, verdict } of cases) {
    it(`says ${verdict} to ${measured} of 1000 with ${toolchain}`, () =>
      assert.equal(judge({ budget, measured, toolchain }).verdict, verdict));
  }

  it('allows nothing more where nothing is tolerated', () => {
    const none: Budget = { ...budget, value: 0, tolerancePercent: 0 };
    assert.equal(judge({ budget: none, measured: 0, toolchain: 'rustc 1' }).verdict, 'ok');
    assert.equal(judge({ budget: none, measured: 0.1, toolchain: 'rustc 1' }).verdict, 'over');
  });
});

describe('reading what callgrind wrote', () => {
  it('adds up the calls of allocating functions, by name or by number', () => {
    const text = [
      'fn=(1) program::measured_turn',
      '12 300',
      'cob=(3) /lib/libc.so.6',
      'cfn=(7) malloc',
      'calls=3 0',
      '12 240',
      'cfn=(8) memcpy',
      'calls=50 0',
      '12 900',
      'fn=(7)',
      '0 240',
      'cfn=(9) realloc',
      'calls=1 0',
      '0 80',
      'fn=(2) program::other',
      'cfn=(7)',
      'calls=2 0',
      '4 160',
      'totals: 1520',
    ].join('\n');
    assert.deepEqual(readCounts(text), { instructions: 1520, mallocs: 6 });
  });
});

describe('counting under callgrind', () => {
  const skip = here.find(({ name }) => name === 'callgrind')?.unavailable ?? false;

  it('sees the allocations of a program that has some', { skip }, async () => {
    const program = (await buildPrograms()).get('budget_turn') ?? '';
    const { instructions, mallocs } = await count(program, ['1', '10'], '*budget_turn::main');
    assert.ok(mallocs > 0, `${mallocs} calls`);
    assert.ok(instructions > 0, `${instructions} instructions`);
  });

  it('says so when there is nothing to collect', { skip }, async () => {
    const program = (await buildPrograms()).get('budget_turn') ?? '';
    await assert.rejects(count(program, ['1', '1'], '*::no_such_function'), /nothing was collected/);
  });
});

describe('npm run budget', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'fulmar-budget-test-'));
  after(() => rmSync(temporary, { recursive: true, force: true }));
  const id = `start.http-hello.files@node${major}`;
  const isRecorded = entries[id] !== undefined;
  const skip = isRecorded ? false : `no budgets for Node ${major}`;

  /** The budgets with the value of `id` changed by `difference`, in a file of their own. */
  function changedBudgets(name: string, difference: number): string {
    const file = join(temporary, name);
    const entry = entries[id] as Budget;
    const changed = { ...entry, value: entry.value + difference, recordedWith: `node ${process.versions.node}` };
    writeFileSync(file, JSON.stringify({ entries: { [id]: changed } }));
    return file;
  }

  it('fails when the count is over the budget, and names the entry and the command', { skip }, async () => {
    const { code, output } = await check(['--only', id, '--budgets', changedBudgets('low.json', -1)]);
    assert.equal(code, 1, output);
    assert.match(output, / over \(± 0 %\)/);
    assert.match(output, new RegExp(`${id}: \\d+ files where the budget is \\d+.*--update`));
  });

  it('fails when the count is better than the budget, so that the gain is kept', { skip }, async () => {
    const { code, output } = await check(['--only', id, '--budgets', changedBudgets('high.json', 1)]);
    assert.equal(code, 1, output);
    assert.match(output, /Keep the gain/);
  });

  it('rewrites a value together with the reason', { skip }, async () => {
    const file = changedBudgets('update.json', -1);
    const { code, output } = await check(['--only', id, '--budgets', file, '--update', 'a new module pays for itself']);
    assert.equal(code, 0, output);
    const written = (JSON.parse(readFileSync(file, 'utf8')) as { entries: Record<string, Budget> }).entries[id];
    assert.equal(written?.value, entries[id]?.value);
    assert.equal(written?.reason, 'a new module pays for itself');
  });

  it('asks for the reason of an update', async () => {
    const { code, output } = await check(['--only', id, '--update', ' ']);
    assert.equal(code, 1);
    assert.match(output, /needs a reason/);
  });
});

async function check(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('check.mjs', folder)), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
