/**
 * What `npm run bench -- --list` prints: the groups of measurements, how long each takes, who takes part and
 * how often. Pure.
 */
import { clock, secondsLeft } from './progress.mjs';

/** A group is what `--only` would name: `load/hello-json`, `start`, `memory` … */
export function listing(cells) {
  const texts = [...groupBy(cells)].map(([name, members]) => `${name}: ${describe(members)}\n${entrants(members)}`);
  return `${texts.join('\n')}\n${describe(cells)}, without set-up and waiting for a quiet machine\n`;
}

function groupBy(cells) {
  const groups = new Map();
  for (const cell of cells) {
    const name = groupOf(cell);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(cell);
  }
  return groups;
}

/** `load/hello-json/express5@node26/0` → `load/hello-json`: all before who takes part. */
function groupOf({ id }) {
  const parts = id.split('/');
  return parts
    .slice(
      0,
      Math.max(
        1,
        parts.findIndex((part) => part.includes('@')),
      ),
    )
    .join('/');
}

function describe(cells) {
  const kinds = new Map();
  for (const { kind } of cells) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return `${cells.length} ${cells.length === 1 ? 'measurement' : 'measurements'}, about ${clock(secondsLeft(kinds, new Map()))}`;
}

function entrants(cells) {
  const counts = new Map();
  for (const { id } of cells) {
    const name = id.replace(/\/\d+$/, '');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `  ${name}  × ${count}\n`).join('');
}
