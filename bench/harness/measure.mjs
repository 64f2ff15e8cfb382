/**
 * The measurements under load: closed loop, open loop at a fixed rate, growing numbers of connections. Each
 * takes a cell and gives its records. A reply counts only when the generator verified it; CPU time is that of
 * the server's whole process tree.
 */
import { watchOthers } from './gate.mjs';
import { load, problemOf, requestsFile } from './load.mjs';
import { cpuBetween, readCpu, readMemory } from './proc.mjs';
import { startServer, stopServer } from './server.mjs';
import { verify } from './verify.mjs';

const rampS = 1;

/** Starts the cell's server, verifies it, runs `work({ server, file })`, ends it whatever happens. */
export async function withServer({ cell, context, pool }, work) {
  const env = { ...context.env, ...poolEnv(pool) };
  const server = await startServer({ entrant: cell.entrant, scenario: cell.scenario, env });
  try {
    const list = await verify({ server, entrant: cell.entrant, scenario: cell.scenario, context });
    return await work({ server, file: requestsFile(context.folder, list) });
  } finally {
    await stopServer(server);
  }
}

const poolEnv = (size) => (size === undefined ? {} : { POOL_SIZE: String(size) });

/**
 * The size of the database pool of a cell, or undefined; the best one is found by trying, once for each
 * entrant.
 */
async function poolOf({ cell, context }) {
  const { variant, entrant } = cell;
  if (variant.pool === undefined) return undefined;
  if (variant.pool === 'equal') return context.equalPool;
  if (!context.bestPools.has(entrant.id)) context.bestPools.set(entrant.id, await findBestPool({ cell, context }));
  return context.bestPools.get(entrant.id);
}

async function findBestPool({ cell, context }) {
  const { poolSizes, poolTrialS, warmS } = context.plan;
  const tried = [];
  for (const size of [context.equalPool, ...poolSizes]) {
    const { connections } = cell.variant;
    const rate = await withServer({ cell, context, pool: size }, async ({ server, file }) => {
      await load({ port: server.port, file, connections, durationS: warmS });
      return (await load({ port: server.port, file, connections, durationS: poolTrialS })).rate;
    });
    tried.push({ size, rate });
  }
  return tried.toSorted((a, b) => b.rate - a.rate)[0].size;
}

/** One window of load with what it cost: the generator's result, CPU µs per reply, share of others. */
async function window({ server, context, ...options }) {
  const others = watchOthers(context.pids);
  const before = readCpu(server.pid);
  const result = await load({ port: server.port, ...options });
  const cpu = cpuBetween(before, readCpu(server.pid));
  const other = others(cpu.total + result.cpu.user_us + result.cpu.system_us);
  const per = (value) => (result.requests.answered === 0 ? null : round(value / result.requests.answered, 3));
  return { result, cpu, other, costs: { cpu_us: per(cpu.total), cpu_user_us: per(cpu.user), cpu_system_us: per(cpu.system) } };
}

const round = (value, digits) => Number(value.toFixed(digits));

function loadFields({ result, other, costs }) {
  const { mean, p50, p90, p99, p99_9, max } = result.latency_us;
  return {
    ...costs,
    rate: round(result.rate, 1),
    verified: result.requests.verified,
    bytes_per_reply: result.requests.answered === 0 ? null : Math.round(result.bytes_received / result.requests.answered),
    status: result.status,
    errors: result.errors,
    latency_us: { mean: round(mean, 1), p50, p90, p99, p99_9, max },
    little: round(result.little.deviation, 5),
    generator_share: round(result.cpu.share, 3),
    other_cpu: round(other, 3),
  };
}

export async function measureLoad({ cell, context }) {
  const { plan } = context;
  const connections = cell.variant.connections ?? plan.connections;
  const pool = await poolOf({ cell, context });
  return withServer({ cell, context, pool }, async ({ server, file }) => {
    await load({ port: server.port, file, connections, durationS: cell.scenario.warmS ?? plan.warmS });
    const measured = await window({ server, context, file, connections, durationS: cell.scenario.windowS ?? plan.durationS });
    const { rss, pss } = readMemory(server.pid);
    return [
      {
        ...identity(cell),
        connections,
        ...(pool === undefined ? {} : { pool: cell.variant.pool, pool_size: pool }),
        ...loadFields(measured),
        rss,
        pss,
        problem: problemOf(measured.result),
      },
    ];
  });
}

export async function measureLatency({ cell, context }) {
  const { rate, connections, warmS, durationS } = context.plan.latency;
  return withServer({ cell, context }, async ({ server, file }) => {
    await load({ port: server.port, file, connections, durationS: warmS });
    const measured = await window({ server, context, file, connections, durationS, rate });
    const fields = loadFields(measured);
    const share = round(measured.cpu.total / (measured.result.window_s * 1e6), 4);
    return [
      {
        ...identity(cell),
        target_rate: rate,
        connections,
        ...fields,
        cpu_share: share,
        unsent: measured.result.requests.unsent,
        send_lag_us: { p99: measured.result.send_lag_us?.p99, max: measured.result.send_lag_us?.max },
        problem: problemOf(measured.result),
      },
    ];
  });
}

/**
 * One server, the numbers of connections in rising order; a level with errors is recorded with them, not
 * thrown.
 */
export async function measureConnections({ cell, context }) {
  const { plan } = context;
  return withServer({ cell, context }, async ({ server, file }) => {
    const records = [];
    await load({ port: server.port, file, connections: plan.connections, durationS: plan.warmS });
    for (const connections of plan.connectionLevels) {
      const ramp = connections > plan.connections ? rampS : undefined;
      const measured = await window({ server, context, file, connections, durationS: plan.connectionS, rampS: ramp });
      const { rss, pss } = readMemory(server.pid);
      records.push({
        ...identity(cell),
        id: `${cell.id}/${connections}`,
        connections,
        open: measured.result.connections.open_max,
        ...loadFields(measured),
        rss,
        pss,
        problem: problemOf(measured.result, { checkLittle: false }),
      });
    }
    return [...records, { ...identity(cell), levels: plan.connectionLevels.length, summary: true, problem: null }];
  });
}

export function identity({ id, kind, entrant, scenario, round: number }) {
  return { id, kind, scenario: scenario.name, entrant: entrant.id, round: number, answered: entrant.contestant.answered };
}
