/**
 * `node bench/harness/validate-load.mjs [--quick] [--out <file.json>]`: whether `fulmar-load` measures what
 * wrk and oha measure, shows a stopped server, and holds thousands of connections (docs/reference/load.md,
 * "Validation"). The server has core 0, the generator core 1, in interleaved rounds. Judges no contestant; a
 * tool that is missing is left out, with the command that installs it.
 */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runMain } from '../../scripts/lib/run.mjs';
import { describeCommit, describeMachine } from './machine.mjs';
import { endWithHarness, stopServer } from './server.mjs';
import { checkSystem, findTools, runTool, startTarget, targets } from './validate-tools.mjs';

const own = 'fulmar-load';
const connections = 64;
const fixedConnections = 50;
const warmS = 2;
const settleMs = 300;

const plans = {
  full: {
    rounds: 5,
    durationS: 3,
    fixedS: 6,
    rates: [1000, 10_000],
    stop: { runS: 30, stopS: 2, rate: 1000 },
    many: { count: 10_000, durationS: 5 },
  },
  quick: {
    rounds: 2,
    durationS: 1,
    fixedS: 2,
    rates: [1000],
    stop: { runS: 6, stopS: 1, rate: 1000 },
    many: { count: 10_000, durationS: 3 },
  },
};
const ramped = { count: 5000, rampS: 1 };

async function main() {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } } });
  const plan = values.quick ? plans.quick : plans.full;
  checkSystem();
  endWithHarness();
  const { installed, leftOut } = findTools();
  for (const { tool, install } of leftOut) console.error(`${tool} is missing and left out: ${install}`);
  const names = installed.map(({ tool }) => tool);
  const report = {
    at: new Date().toISOString(),
    machine: describeMachine(),
    commit: describeCommit(),
    plan: { connections, fixedConnections, ...plan },
  };
  report.versions = Object.fromEntries(installed.map(({ tool, version }) => [tool, version]));
  report.left_out = leftOut.map(({ tool, install }) => ({ tool, install }));
  Object.assign(report, await compareThroughput(names, plan), await comparePercentiles(names, plan));
  report.stopped = await withTarget('node_http', (server) => stopped(server, plan.stop));
  report.connections = await withTarget('node_http', (server) => manyConnections(server, plan.many));
  report.ramp = await withTarget('node_http', (server) => manyConnections(server, { ...ramped, durationS: plan.many.durationS }));
  const text = `${JSON.stringify(report, null, 1)}\n`;
  if (values.out === undefined) process.stdout.write(text);
  else writeFileSync(values.out, text);
  summarise(report);
}

/** Starts and warms up a target, ends it whatever happens. */
async function withTarget(name, work) {
  const server = await startTarget(name);
  try {
    await runTool(own, { server, load: { connections, durationS: warmS } });
    return await work(server);
  } finally {
    await stopServer(server);
  }
}

/** The closed loop: rates, the server's CPU time per reply and, from the same runs, percentiles. */
async function compareThroughput(names, { rounds, durationS }) {
  const throughput = [];
  for (const target of Object.keys(targets)) {
    await withTarget(target, async (server) => {
      for await (const { tool, round, result } of interleaved(names, { rounds, server, load: { connections, durationS } })) {
        throughput.push({
          target,
          tool,
          round,
          rate: rounded(result.rate),
          server_us: fixed(result.server_us),
          sleeps_per_reply: fixed(result.sleeps_per_reply),
          ...percentilesOf(result),
        });
      }
    });
  }
  const ratios = (field, base) => eachTarget((target) => ratio(throughput, { field, base, where: { target } }));
  return {
    throughput,
    throughput_ratio: ratios('rate', 'wrk'),
    throughput_ratio_oha: ratios('rate', 'oha'),
    server_us_ratio: ratios('server_us', 'wrk'),
  };
}

/** The open loop at a fixed rate, with each tool's correction of coordinated omission; wrk has none. */
async function comparePercentiles(names, { rounds, fixedS, rates }) {
  const percentiles = [];
  const paced = names.filter((name) => name !== 'wrk');
  await withTarget('node_http', async (server) => {
    for (const rate of rates) {
      const load = { connections: fixedConnections, durationS: fixedS, rate };
      for await (const { tool, round, result } of interleaved(paced, { rounds: Math.ceil(rounds / 2), server, load })) {
        percentiles.push({
          tool,
          rate,
          round,
          observed_rate: rounded(result.rate),
          server_us: fixed(result.server_us),
          ...percentilesOf(result),
        });
      }
    }
  });
  const fields = ['p50_us', 'p90_us', 'p99_us'];
  const ratiosAt = (rate) => fields.map((field) => [field, ratio(percentiles, { field, base: 'oha', where: { rate } })]);
  return { percentiles, percentile_ratio_oha: rates.map((rate) => ({ rate, ...Object.fromEntries(ratiosAt(rate)) })) };
}

/** A B C … C B A …: one result at a time. */
async function* interleaved(names, { rounds, server, load }) {
  for (let round = 0; round < rounds; round += 1) {
    for (const tool of round % 2 === 0 ? names : names.toReversed()) {
      yield { tool, round, result: await runTool(tool, { server, load }) };
      await sleep(settleMs);
    }
  }
}

/**
 * The open loop while the server stands still in the middle: requests that were due meanwhile must show it.
 */
async function stopped(server, { runS, stopS, rate }) {
  const onStart = async () => {
    await sleep((runS * 1000) / 3);
    process.kill(server.pid, 'SIGSTOP');
    await sleep(stopS * 1000);
    process.kill(server.pid, 'SIGCONT');
  };
  const { result } = await runTool(own, { server, load: { connections: fixedConnections, durationS: runS, rate }, onStart });
  const { p50, p99, p99_9, max } = result.latency_us;
  // Of `runS` seconds of requests those due in the last `share × runS` before the end of the stop waited less
  // than the rest of it.
  const expected = (share) => Math.max(0, stopS - share * runS) * 1e6;
  return {
    run_s: runS,
    stop_s: stopS,
    rate,
    p50_us: p50,
    p99_us: p99,
    p99_9_us: p99_9,
    max_us: max,
    expected_p99_us: rounded(expected(0.01)),
    expected_p99_9_us: rounded(expected(0.001)),
    unsent: result.requests.unsent,
    errors: result.errors.total,
  };
}

async function manyConnections(server, { count, durationS, rampS }) {
  const { result } = await runTool(own, { server, load: { connections: count, durationS, rampS, warmS: 1 } });
  return {
    asked: count,
    ramp_s: rampS ?? 0,
    open: result.connections.open_max,
    reopened: result.connections.reopened,
    errors: result.errors.total + result.errors.before_measurement,
    rate: rounded(result.rate),
    p99_us: result.latency_us.p99,
  };
}

function percentilesOf({ latency }) {
  return { p50_us: rounded(latency.p50), p90_us: rounded(latency.p90), p99_us: rounded(latency.p99) };
}

const eachTarget = (work) => Object.fromEntries(Object.keys(targets).map((target) => [target, work(target)]));

/** Ours by `base`'s within each round: `{ median, min, max }`, or null where `base` is left out. */
function ratio(records, { field, base, where }) {
  const [[key, value]] = Object.entries(where);
  const of = (tool, round) => records.find((record) => record[key] === value && record.tool === tool && record.round === round)?.[field];
  const rounds = [...new Set(records.map(({ round }) => round))];
  const ratios = rounds
    .filter((round) => of(own, round) !== undefined && of(base, round) !== undefined)
    .map((round) => of(own, round) / of(base, round))
    .toSorted((a, b) => a - b);
  if (ratios.length === 0) return null;
  const middle = ratios.length / 2;
  const median = (ratios[Math.ceil(middle) - 1] + ratios[Math.floor(middle)]) / 2;
  return { median: fixed(median), min: fixed(ratios[0]), max: fixed(ratios.at(-1)) };
}

function summarise(report) {
  const show = (value) => (value === null ? 'not compared' : `${value.median} (${value.min}–${value.max})`);
  for (const target of Object.keys(targets)) {
    console.error(`${target}: rate / wrk ${show(report.throughput_ratio[target])}, / oha ${show(report.throughput_ratio_oha[target])}`);
    console.error(`${target}: server CPU per reply / wrk ${show(report.server_us_ratio[target])}`);
  }
  for (const { rate, p50_us: p50, p90_us: p90, p99_us: p99 } of report.percentile_ratio_oha) {
    console.error(`${rate}/s: p50 / oha ${show(p50)}, p90 ${show(p90)}, p99 ${show(p99)}`);
  }
  const { stopped: stop, connections: many, ramp } = report;
  console.error(
    `stopped ${stop.stop_s} s: p99.9 ${stop.p99_9_us} µs (expected ${stop.expected_p99_9_us}), max ${stop.max_us} µs, unsent ${stop.unsent}`,
  );
  for (const { asked, open, errors, rate } of [many, ramp])
    console.error(`${asked} connections: ${open} open, ${errors} errors, ${rate}/s`);
}

const rounded = (value) => Math.round(value);
const fixed = (value) => Number(value.toFixed(4));

await runMain(main);
