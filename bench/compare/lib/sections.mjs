// The parts of a comparison: load, start, idle memory, memory per connection. Each turns its rows into results and raw figures.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { here, program } from './contestants.mjs';
import { connectionMemory, idleMemory } from './memory.mjs';
import { loadCore } from './process.mjs';
import { ratios, runRounds, verify } from './rounds.mjs';
import { judge } from './rows.mjs';
import { measureStarts } from './start.mjs';

const kibibyte = 1024;

export async function measureLoad({ all, plan }, rows) {
  const wanted = new Set(rows.flatMap(({ of, to }) => [of, to]));
  const references = [...wanted].flatMap((name) => all[name].equalTo ?? []);
  const involved = Object.fromEntries(Object.entries(all).filter(([name]) => wanted.has(name) || references.includes(name)));
  const reasons = await verify(involved);
  for (const [name, reason] of reasons) console.log(`left out: ${name}: ${essence(reason)}`);
  const names = [...wanted].filter((name) => !reasons.has(name));
  const records = await runRounds({ all, names, count: plan.count, warmS: plan.warmS, durationS: plan.durationS, onRun: printRun });
  const results = rows.map((row) => ({
    ...judge(row, ratios(records, row), reasonOf(row, reasons, records)),
    disturbed: records.filter((record) => record.disturbed && [row.of, row.to].includes(record.name)).length,
  }));
  return { results, records };
}

function reasonOf({ of, to }, reasons, records) {
  const why = [of, to].filter((name) => reasons.has(name)).map((name) => `${name}: ${essence(reasons.get(name))}`);
  const broken = records.filter((record) => [of, to].includes(record.name) && record.problem !== undefined);
  return [...why, ...broken.map((record) => `${record.name}, round ${record.round + 1}: ${record.problem}`)].join('\n') || undefined;
}

/** The line that says what is wrong, of a message that may be a crashed server's output. */
function essence(reason) {
  const lines = reason.split('\n');
  const error = lines.find((line) => /^\s*(?:\w*Error|error)\b.*:/.test(line));
  return error === undefined ? lines.slice(0, 2).join(' ') : `${lines[0]}: ${error.trim()}`;
}

function printRun({ round, name, microseconds, rate, problem }) {
  const result = problem ?? `${microseconds.toFixed(2).padStart(8)} µs CPU/reply ${rate.toFixed(0).padStart(8)}/s`;
  console.log(`round ${round + 1}  ${name.padEnd(32)} ${result}`);
}

/** The poller must not take the server's core. */
export async function measureStart({ node, plan }, rows) {
  pinSelf(loadCore);
  const raw = {};
  const results = [];
  const cli = join(dirname(dirname(here)), 'packages', 'fulmar', 'bin', 'fulmar.cjs');
  for (const row of rows) {
    const file = program(row.app);
    try {
      const times = await measureStarts({ ours: [node, cli, 'run', file], plain: [node, file] }, plan.starts);
      raw[row.app] = times;
      results.push(
        judge(
          row,
          times.ours.map((time, index) => time / times.plain[index]),
        ),
      );
    } catch (error) {
      results.push(judge(row, [], essence(error.message)));
    }
  }
  return { results, raw };
}

export async function measureIdle({ all, plan }, rows) {
  const raw = [];
  const results = [];
  for (const row of rows) {
    let reason;
    try {
      for (let sample = 0; sample < plan.memorySamples; sample += 1) {
        raw.push({ ours: await idleMemory(all[row.of]), theirs: await idleMemory(all[row.to]) });
      }
    } catch (error) {
      reason = essence(error.message);
    }
    results.push(
      judge(
        row,
        raw.map(({ ours, theirs }) => ours.rss / theirs.rss),
        reason,
      ),
    );
  }
  return { results, raw };
}

export async function measureConnections({ all, plan }, rows) {
  const raw = { ours: [], theirs: [] };
  const results = [];
  for (const row of rows) {
    let reason;
    try {
      for (let sample = 0; sample < Math.min(3, plan.memorySamples); sample += 1) {
        raw.theirs.push((await connectionMemory(all[row.to], plan.warmS)) / kibibyte);
        raw.ours.push((await connectionMemory(all[row.of], plan.warmS)) / kibibyte);
      }
    } catch (error) {
      reason = essence(error.message);
    }
    results.push(judge(row, raw.ours, reason));
  }
  return { results, raw };
}

function pinSelf(core) {
  execFileSync('taskset', ['-a', '-cp', String(core), String(process.pid)], { stdio: 'ignore' });
}
