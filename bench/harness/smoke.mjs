/**
 * The smoke run of CI: every scenario once on every contestant that is quick to install, on this Node and on
 * Fulmar on this Node. Answers are verified, nothing is timed. Prints one JSON line per check:
 * `{ name, problem }`, and `{ skipped }` with a reason.
 */
import process from 'node:process';
import { availableParallelism } from 'node:os';
import { install } from '../../scripts/setup.mjs';
import { findBinaries, installCommand } from '../database/database.mjs';
import { entrantsOf, loadContestants, prepare } from './contestants.mjs';
import { openContext } from './context.mjs';
import { plans } from './plans.mjs';
import { benchDir } from './runtimes.mjs';
import { loadScenarios, onWire } from './scenarios.mjs';
import { endWithHarness, startServer, stopServer } from './server.mjs';
import { verify } from './verify.mjs';

const own = `node${process.versions.node.split('.')[0]}`;
const ownRuntimes = [own, `fulmar-${own}`];
const print = (value) => console.log(JSON.stringify(value));

async function main() {
  const scenarios = loadScenarios();
  const contestants = loadContestants([...scenarios.keys()]).filter(
    ({ smoke, runtimes }) => smoke && runtimes.some((runtime) => ownRuntimes.includes(runtime)),
  );
  await install(benchDir, { optional: false });
  const context = openContext({ plan: plans.quick, say: () => {} });
  endWithHarness(() => context.abandon());
  try {
    const withDatabase = await openDatabase(context);
    const checks = [];
    for (const contestant of contestants) {
      const failure = await prepare(contestant);
      if (failure === undefined) checks.push(...checksOf({ contestant, scenarios, withDatabase }));
      else print({ name: `${contestant.name}: ${failure.stage}`, problem: failure.log });
    }
    // Those that share the database take turns: a scenario resets its tables, which must not happen under
    // another one's request.
    const needsDatabase = ({ scenario }) => scenario.needs.includes('database');
    const alone = checks.filter(needsDatabase);
    const others = checks.filter((check) => !needsDatabase(check));
    const beside = Array.from({ length: Math.max(1, availableParallelism() - 1) }, () => work({ checks: others, context }));
    const first = work({ checks: alone, context }).then(() => work({ checks: others, context }));
    await Promise.all([first, ...beside]);
  } finally {
    await context.close();
  }
}

async function openDatabase(context) {
  try {
    findBinaries();
  } catch {
    print({ skipped: `scenarios that need PostgreSQL: it is not installed (${installCommand})` });
    return false;
  }
  await context.database();
  return true;
}

function checksOf({ contestant, scenarios, withDatabase }) {
  const entrants = entrantsOf([contestant]).filter(({ runtime }) => ownRuntimes.includes(runtime));
  return entrants.flatMap((entrant) =>
    contestant.scenarios
      .map((name) => scenarios.get(name))
      .filter(({ needs }) => withDatabase || !needs.includes('database'))
      .map((scenario) => ({ entrant, scenario: onWire(contestant, scenario) })),
  );
}

/** Takes checks from the common list until it is empty. */
async function work({ checks, context }) {
  for (let check = checks.shift(); check !== undefined; check = checks.shift()) {
    const { entrant, scenario } = check;
    const name = `${entrant.id} answers ${scenario.name}`;
    let server;
    try {
      server = await startServer({ entrant, scenario, env: { ...context.env, POOL_SIZE: '2' } });
      await verify({ server, entrant, scenario, context });
      print({ name, problem: null });
    } catch (error) {
      print({ name, problem: error.log ?? String(error.stack) });
    } finally {
      if (server !== undefined) await stopServer(server);
    }
  }
}

await main();
