// The printed table and the raw file.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, type } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';

/** Machine, versions and commit: without them a figure means nothing. */
export function describeMachine({ node, bun, root }) {
  const ask = (command, args) => {
    try {
      return execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
        .split('\n')[0]
        .trim();
    } catch (error) {
      // wrk prints its version and exits with 1.
      return (
        String(error.stdout ?? '')
          .split('\n')[0]
          .trim() || undefined
      );
    }
  };
  return {
    cpu: cpus()[0]?.model ?? 'unknown CPU',
    cores: cpus().length,
    kernel: `${type()} ${release()}`,
    node: ask(node, ['--version']),
    bun: bun === undefined ? undefined : ask(bun, ['--version']),
    wrk: ask('wrk', ['--version'])?.split(' ').slice(0, 2).join(' '),
    commit: ask('git', ['describe', '--always', '--dirty']),
    date: new Date().toISOString(),
    command: ['npm run compare', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
  };
}

export function printTable(results) {
  console.log(`\n${'row'.padEnd(58)} ${'target'.padStart(8)} ${'measured'.padStart(9)}  ${'spread'.padEnd(15)} verdict`);
  for (const { name, target, below, unit, median, low, high, verdict, reason, disturbed } of results) {
    const goal = target === undefined ? '' : `${below ? '<' : '≤'} ${target}`;
    const spread = median === undefined ? '' : `${show(low, unit)} – ${show(high, unit)}`;
    console.log(
      `${name.padEnd(58)} ${goal.padStart(8)} ${show(median, unit).padStart(9)}  ${spread.padEnd(15)} ${verdict}${disturbed > 0 ? ` (${disturbed} disturbed runs)` : ''}`,
    );
    if (verdict === 'void' && reason !== undefined) console.log(`    ${reason.split('\n').slice(0, 3).join('\n    ')}`);
  }
}

/** Median CPU time per reply, replies per second and p99 of each contestant. */
export function printContestants(records, medianOf) {
  if (records.length === 0) return;
  console.log(`\n${'contestant'.padEnd(32)} ${'µs CPU/reply'.padStart(12)} ${'replies/s'.padStart(10)} ${'p99 ms'.padStart(8)}`);
  for (const name of new Set(records.map((record) => record.name))) {
    const good = records.filter((record) => record.name === name && record.problem === undefined);
    const value = (pick) => medianOf(good.map(pick));
    const columns = [value((r) => r.microseconds)?.toFixed(2), value((r) => r.rate)?.toFixed(0), value((r) => r.p99S * 1000)?.toFixed(2)];
    const [a, b, c] = columns.map((text) => text ?? '–');
    console.log(`${name.padEnd(32)} ${a.padStart(12)} ${b.padStart(10)} ${c.padStart(8)}`);
  }
}

function show(value, unit) {
  if (value === undefined) return '–';
  return unit === 'KiB' ? value.toFixed(1) : value.toFixed(3);
}

export function writeRaw({ root, machine, suffix, ...data }) {
  const folder = join(root, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${machine.date.slice(0, 10)}-compare${suffix}.json`);
  writeFileSync(file, `${JSON.stringify({ machine, ...data }, null, 1)}\n`);
  return relative(root, file);
}
