/**
 * What each plan measures, as numbers and lists: durations, rounds, who takes part in what. Pure data and
 * selection, no I/O.
 */
import { startOnly } from './runtimes.mjs';

const base = {
  warmS: 0.7,
  durationS: 1,
  connections: 64,
  latency: { rate: 1000, connections: 64, warmS: 0.7, durationS: 4 },
  connectionLevels: [100, 500, 1000, 5000, 10_000],
  connectionS: 1.2,
  memory: { idleS: 2, loadedS: 3, afterS: 30 },
  soak: { requests: 1_000_000, settleS: 1 },
  /** Pool sizes tried for the rows "best pool", and how long each. */
  poolSizes: [5, 20, 40],
  poolTrialS: 1,
  routeCounts: [1, 10, 100, 1000, 5000],
};

/** `rounds` by kind of measurement; `starts` counts starts of each entrant. */
export const plans = {
  full: { ...base, name: 'full', rounds: { load: 5, latency: 3, connections: 1, memory: 2, soak: 1 }, starts: 20, routeStarts: 5 },
  quick: {
    ...base,
    name: 'quick',
    rounds: { load: 3, latency: 0, connections: 0, memory: 1, soak: 0 },
    starts: 8,
    routeStarts: 0,
    memory: { idleS: 1, loadedS: 2, afterS: 5 },
  },
};

const quickEntrants = ['floor@native', 'nodehttp@node26', 'express5@node26', 'express5@fulmar-node26', 'fastify5@node26', 'elysia@bun'];
const quickScenarios = ['hello-json', 'chain-3', 'post-json'];
/** Where the reference reports measured Node 20 as well. */
const node20Scenarios = ['hello-json', 'post-json'];
const node20Contestants = ['nodehttp', 'express4', 'express5', 'koa3', 'fastify5', 'hono', 'nest-express', 'realworld-express'];
const scalingEntrants = [
  'floor@native',
  'nodehttp@node26',
  'nodehttp@fulmar-node26',
  'express5@node26',
  'express5@fulmar-node26',
  'koa3@node26',
  'koa3@fulmar-node26',
  'fastify5@node26',
  'elysia@bun',
];
const databaseEntrants = [
  'nodehttp@node26',
  'nodehttp@fulmar-node26',
  'express5@node26',
  'express5@fulmar-node26',
  'koa3@node26',
  'fastify5@node26',
  'elysia@bun',
];
const routeContestants = ['express5', 'koa3', 'fastify5', 'elysia'];

/**
 * Entrants that take part in the core scenarios only: the whole table on each of them would double the length
 * of a run.
 */
const coreOnly = [
  'restify@node26',
  'hapi@node26',
  'h3@node26',
  'deepkit@node26',
  'nest-express@node26',
  'nest-express@fulmar-node26',
  'nest-fastify@node26',
  'fastify5@fulmar-node26',
  'express4@node26',
  'express4@fulmar-node26',
  'elysia@bun-compiled',
  'bun-serve@bun-compiled',
  'wynkjs@bun',
  'zely@node26',
  'brahma-firelight@node26',
];
const coreOnlyOnBun = ['express4', 'express5', 'koa3'];
const coreScenarios = [
  'hello-json',
  'path-query',
  'post-json',
  'chain-5',
  'routes',
  'update-user-light',
  'update-user-month',
  'update-user-union',
  'guarded',
  'json-transform',
  'template',
  'file-routes-10',
  'file-routes-1000',
  'file-routes-1000-first',
];
/**
 * Contestants of one route, which start and rest for all others: under load they are what the larger ones
 * are.
 */
const restingOnly = ['express-hello'];
const soaked = ['express-hello@node26', 'express-hello@fulmar-node26', 'express-hello@fulmar-native', 'express-hello@bun-compiled'];

/** The entrant that appears twice: the spread between it and itself is the noise floor. */
export const twin = { of: 'express5@fulmar-node26', id: 'express5@fulmar-node26#2' };

/**
 * Does `entrant` take part in `scenario` of this plan? Pure: also used to tell the report what was not asked
 * for.
 */
export function takesPart({ plan, entrant, scenario }) {
  const { contestant, runtime, id } = entrant;
  if (runtime in startOnly || restingOnly.includes(contestant.name)) return false;
  if (!contestant.scenarios.includes(scenario.name)) return false;
  if (plan.name === 'quick') return quickEntrants.includes(id) && quickScenarios.includes(scenario.name);
  if (runtime.endsWith('node20')) {
    const onlyOn20 = !contestant.runtimes.some((name) => name === 'node26');
    return onlyOn20 || (node20Contestants.includes(contestant.name) && node20Scenarios.includes(scenario.name));
  }
  const isCoreOnly = coreOnly.includes(id) || (runtime === 'bun' && coreOnlyOnBun.includes(contestant.name));
  if (isCoreOnly && !coreScenarios.includes(scenario.name)) return false;
  if (scenario.needs.includes('database') && scenario.name !== 'realworld') return databaseEntrants.includes(id);
  return true;
}

export const scales = ({ plan, entrant }) => plan.rounds.connections > 0 && scalingEntrants.includes(entrant.id);

/** Who answers a million requests. */
export const isSoaked = ({ plan, entrant }) => plan.rounds.soak > 0 && soaked.includes(entrant.id);

export const startsByRoutes = ({ plan, entrant }) =>
  plan.routeStarts > 0 &&
  !(entrant.runtime in startOnly) &&
  entrant.contestant.scenarios.includes('routes') &&
  routeContestants.includes(entrant.contestant.name) &&
  !entrant.runtime.endsWith('node20');

/**
 * Latency at a fixed rate says little about those that are far from their limit: one round takes six seconds.
 */
const latencyEntrants = [
  'floor@native',
  'nodehttp@node26',
  'nodehttp@node20',
  'nodehttp@fulmar-node26',
  'express4@node26',
  'express5@node26',
  'express5@node20',
  'express5@fulmar-node26',
  'express5@fulmar-node20',
  'koa3@node26',
  'koa3@fulmar-node26',
  'fastify5@node26',
  'hono@node26',
  'nest-express@node26',
  'nest-express@fulmar-node26',
  'elysia@bun',
  'bun-serve@bun',
];
const helloOn20 = ['nodehttp', 'express5'];

/**
 * `hello-json` in the quick plan and where a contestant has it: start, memory and latency are measured with
 * it.
 */
export function helloOf({ plan, entrant, kind }) {
  if (entrant.runtime in startOnly && (kind !== 'start' || plan.name === 'quick')) return false;
  if (!entrant.contestant.scenarios.includes('hello-json')) return false;
  if (plan.name === 'quick') return quickEntrants.includes(entrant.id);
  if (kind === 'latency') return latencyEntrants.includes(entrant.id);
  return !entrant.runtime.endsWith('node20') || helloOn20.includes(entrant.contestant.name);
}
