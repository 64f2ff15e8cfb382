/**
 * `npm run budget`: measures every gate, compares it with `budgets.json`, prints a table; exit code 1 when
 * one is off.
 *   --only <text>        only entries whose id contains <text>
 *   --update <reason>    writes what is off or new, each with the reason
 *   --budgets <file>     another file of budgets
 * Counts only; never measures time.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.mjs';
import { Failure, root, runMain } from '../../scripts/lib/run.mjs';
import { installRuntimes } from '../../scripts/lib/runtimes.mjs';
import { budgetsFile, complaint, judge, readBudgets, updateBudgets } from './lib/budgets.mjs';
import { gates } from './lib/gates.mjs';

async function main() {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, update: { type: 'string' }, budgets: { type: 'string', default: budgetsFile } },
  });
  if (values.update !== undefined && values.update.trim() === '') throw new Failure('--update needs a reason: why did the cost change?');
  await build();
  await installNewestNode();
  const { rows, unavailable } = await measureAll(values.only, readBudgets(values.budgets).entries);
  print(rows, unavailable);
  if (rows.length === 0) throw new Failure(`nothing was measured${values.only === '' ? '' : ` for --only ${values.only}`}`);
  if (values.update !== undefined) {
    const written = updateBudgets({ file: values.budgets, rows, reason: values.update.trim() });
    console.log(written.length === 0 ? 'nothing to update' : `updated: ${written.join(', ')}`);
    return;
  }
  const complaints = rows.map(complaint).filter((text) => text !== undefined);
  if (complaints.length > 0) throw new Failure(`\n${complaints.join('\n')}`);
}

/** Without network the pinned Node may be missing: its entries are left out, and that is said. */
async function installNewestNode() {
  try {
    await installRuntimes(join(root, 'tests', 'runtimes'));
  } catch (error) {
    console.log(`not measured: the pinned Node: ${error instanceof Error ? error.message : error}`);
  }
}

async function measureAll(only, entries) {
  const rows = [];
  const unavailable = [];
  for (const gate of gates({ pinned: true, only })) {
    if (gate.unavailable !== undefined) {
      unavailable.push(`${gate.name}: ${gate.unavailable}`);
      continue;
    }
    for (const [id, measured] of await gate.measure()) {
      if (!id.includes(only)) continue;
      const { toolchain } = gate;
      const budget = entries[id];
      rows.push({ id, measured, toolchain, budget, ...judge({ budget, measured, toolchain }) });
    }
  }
  return { rows, unavailable };
}

function print(rows, unavailable) {
  console.log(`\n${'entry'.padEnd(44)} ${'budget'.padStart(10)} ${'measured'.padStart(10)}  ${'unit'.padEnd(13)} verdict`);
  for (const { id, budget, measured, verdict, note } of rows) {
    const numbers = `${String(budget?.value ?? '').padStart(10)} ${String(measured).padStart(10)}`;
    console.log(`${id.padEnd(44)} ${numbers}  ${(budget?.unit ?? '').padEnd(13)} ${verdict} (${note})`);
  }
  for (const text of unavailable) console.log(`not measured: ${text}`);
}

await runMain(main);
