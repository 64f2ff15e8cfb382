/** The committed budgets: reading, judging a measured value, rewriting with a reason. Never measures. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/run.mjs';

export const budgetsFile = join(root, 'bench', 'budget', 'budgets.json');

/**
 * By the last word of an id: the unit, and how far a value may be off in percent. Counts that repeat exactly
 * have little or none.
 */
const kinds = {
  instructions: { unit: 'instructions', tolerancePercent: 2 },
  'start-instructions': { unit: 'instructions', tolerancePercent: 2 },
  'request-instructions': { unit: 'instructions', tolerancePercent: 2 },
  mallocs: { unit: 'calls', tolerancePercent: 0 },
  'heap-bytes': { unit: 'bytes', tolerancePercent: 5 },
  'heap-objects': { unit: 'objects', tolerancePercent: 2 },
  files: { unit: 'files', tolerancePercent: 0 },
  builtins: { unit: 'modules', tolerancePercent: 0 },
  'script-bytes': { unit: 'bytes', tolerancePercent: 2 },
};
/**
 * Another compiler or runtime than the budget's changes counts without our doing: only a jump is a finding
 * then, in percent.
 */
const otherToolchainPercent = 25;

export function readBudgets(file = budgetsFile) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Compares `measured` with `budget` (undefined: none was recorded). The verdict is `ok`, `over`, `below`
 * (better by more than the tolerance: the budget must follow, or it allows the way back) or `new`; `note`
 * says what else there is to know.
 */
export function judge({ budget, measured, toolchain }) {
  if (budget === undefined) return { verdict: 'new', note: 'no budget yet' };
  const isOther = budget.recordedWith !== toolchain;
  const percent = isOther ? Math.max(budget.tolerancePercent, otherToolchainPercent) : budget.tolerancePercent;
  const note = isOther ? `± ${percent} %: ${toolchain} here, ${budget.recordedWith} in the budget` : `± ${percent} %`;
  const slack = (budget.value * percent) / 100;
  if (measured > budget.value + slack) return { verdict: 'over', note };
  // What another toolchain gains is not ours to keep.
  if (measured < budget.value - slack && !isOther) return { verdict: 'below', note };
  return { verdict: 'ok', note };
}

/** The sentence for a verdict that fails, or undefined. */
export function complaint({ id, budget, measured, verdict }) {
  if (verdict === 'over') {
    return (
      `${id}: ${measured} ${budget.unit} where the budget is ${budget.value}. Make it cheaper, or say what it buys: ` +
      'npm run budget -- --update "<reason>"'
    );
  }
  if (verdict === 'below') {
    return (
      `${id}: ${measured} ${budget.unit} where the budget is ${budget.value}. Keep the gain by recording it: ` +
      'npm run budget -- --update "<reason>"'
    );
  }
  return undefined;
}

/**
 * Writes the value of every row that is no longer `ok`, or was recorded with another toolchain; returns the
 * ids written.
 */
export function updateBudgets({ file = budgetsFile, rows, reason }) {
  const { entries, ...rest } = readBudgets(file);
  const changed = rows.filter(({ verdict, budget, toolchain }) => verdict !== 'ok' || budget.recordedWith !== toolchain);
  for (const { id, measured, toolchain, budget } of changed) {
    const kind = kinds[id.split('@')[0].split('.').at(-1)];
    const { unit, tolerancePercent } = budget ?? kind;
    entries[id] = { value: measured, unit, tolerancePercent, recordedWith: toolchain, reason };
  }
  const sorted = Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify({ ...rest, entries: sorted }, null, 2)}\n`);
  return changed.map(({ id }) => id);
}
