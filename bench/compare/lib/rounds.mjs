// The loaded rounds: A B C … C B A …, one server at a time, each started, checked, warmed and measured anew in every round.
import { scenarios } from './contestants.mjs';
import { load } from './load.mjs';
import { cpuSeconds, startServer, stopServer } from './process.mjs';
import { difference, rawRequest, requestText } from './request.mjs';

/** What wrk read may differ from replies × reply size by its own rounding and by what was in flight at the end. */
const bytesTolerance = 0.03;

/**
 * Little's law: connections = rate × mean latency. wrk's mean counts stalls of the machine several times, so a run that breaks the law
 * was disturbed. It is repeated; a run that stays disturbed is marked in the table.
 */
const littleErrorMax = 0.05;
const attemptsMax = 2;

/** Compares every contestant's reply with that of its `equalTo`; returns a Map from name to why it cannot take part. */
export async function verify(all) {
  const replies = new Map();
  const reasons = new Map();
  for (const [name, contestant] of Object.entries(all)) {
    try {
      replies.set(name, await oneReply(contestant));
    } catch (error) {
      reasons.set(name, error.message);
    }
  }
  for (const [name, { equalTo, headers }] of Object.entries(all)) {
    if (equalTo === undefined || !replies.has(name)) continue;
    const other = replies.get(equalTo);
    const found = other === undefined ? `${equalTo} gave no reply to compare with` : difference(replies.get(name), other, headers);
    if (found !== undefined) reasons.set(name, found);
  }
  return reasons;
}

async function oneReply(contestant) {
  if (contestant.missing !== undefined) throw new Error(contestant.missing);
  const server = await startServer(contestant);
  try {
    return await checkedRequest(server.port, contestant);
  } finally {
    await stopServer(server);
  }
}

async function checkedRequest(port, contestant) {
  const scenario = scenarios[contestant.scenario];
  const reply = await rawRequest(port, requestText(scenario));
  if (reply.status !== scenario.status) throw new Error(`answered ${reply.status} instead of ${scenario.status}`);
  return reply;
}

/** Runs `count` rounds; returns one record per round and contestant. */
export async function runRounds({ all, names, count, warmS, durationS, onRun }) {
  const records = [];
  for (let round = 0; round < count; round += 1) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) {
      const record = { round, name, ...(await measure({ contestant: all[name], warmS, durationS })) };
      records.push(record);
      onRun(record);
    }
  }
  return records;
}

async function measure({ contestant, warmS, durationS }) {
  const server = await startServer(contestant);
  try {
    const scenario = scenarios[contestant.scenario];
    const reply = await checkedRequest(server.port, contestant);
    await load({ port: server.port, scenario, durationS: warmS });
    let best;
    for (let attempt = 0; attempt < attemptsMax && !(best?.littleError <= littleErrorMax); attempt += 1) {
      const run = await measureOnce({ server, scenario, reply, durationS });
      if (best === undefined || run.littleError < best.littleError || run.problem !== undefined) best = run;
      if (run.problem !== undefined) break;
    }
    return { ...best, disturbed: best.littleError > littleErrorMax };
  } finally {
    await stopServer(server);
  }
}

async function measureOnce({ server, scenario, reply, durationS }) {
  const before = cpuSeconds(server.child.pid);
  const result = await load({ port: server.port, scenario, durationS });
  const cpuS = cpuSeconds(server.child.pid) - before;
  const expected = result.replies * reply.bytes;
  const wrongBytes = Math.abs(result.bytes - expected) / expected > bytesTolerance;
  const { exitCode, signalCode } = server.child;
  const ended =
    exitCode === null && signalCode === null ? undefined : `the server ended with ${signalCode ?? exitCode}: ${server.errors()}`;
  const problem = ended ?? result.problem ?? (wrongBytes ? `read ${result.bytes} bytes, expected about ${expected}` : undefined);
  return { ...result, problem, cpuS, microseconds: (cpuS / result.replies) * 1e6 };
}

/** `of` divided by `to`, per round, rounds with a void run left out. */
export function ratios(records, { of, to }, value = (record) => record.microseconds) {
  const find = (name, round) => records.find((record) => record.name === name && record.round === round && record.problem === undefined);
  const rounds = [...new Set(records.map((record) => record.round))];
  return rounds.flatMap((round) => {
    const [a, b] = [find(of, round), find(to, round)];
    return a === undefined || b === undefined ? [] : [value(a) / value(b)];
  });
}
