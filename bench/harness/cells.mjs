/**
 * Turns a plan into the list of measurements ("cells") in the order they run: A B C … then C B A …, ours
 * twice. Pure.
 */
import { helloOf, isSoaked, scales, startsByRoutes, takesPart, twin } from './plans.mjs';
import { executables } from './runtimes.mjs';
import { onWire } from './scenarios.mjs';

const startGroup = 15;

/**
 * `{ plan, entrants, scenarios (Map), only }` → cells `{ id, kind, entrant, scenario, round, … }`; `only` are
 * texts that an id contains one of.
 */
export function planCells({ plan, entrants, scenarios, only = [] }) {
  const cells = [
    ...loadCells({ plan, entrants, scenarios }),
    ...startCells({ plan, entrants, scenarios }),
    ...memoryCells({ plan, entrants, scenarios }),
    ...soakCells({ plan, entrants, scenarios }),
    ...sizeCells({ plan, entrants, scenarios }),
    ...latencyCells({ plan, entrants, scenarios }),
    ...connectionCells({ plan, entrants, scenarios }),
  ];
  return only.length === 0 ? cells : cells.filter(({ id }) => only.some((text) => id.includes(text)));
}

/** Every other round runs backwards, so that a slow drift of the machine hits both ends alike. */
function interleave(entrants, rounds, toCell) {
  const cells = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const entrant of round % 2 === 0 ? entrants : entrants.toReversed()) cells.push(toCell(entrant, round));
  }
  return cells;
}

/**
 * The twin runs half a round away from its original, so that their difference holds a drift of the machine
 * within a round as well.
 */
function withTwin(entrants) {
  const place = entrants.findIndex(({ id }) => id === twin.of);
  if (place === -1) return entrants;
  const opposite = (place + Math.ceil(entrants.length / 2)) % (entrants.length + 1);
  return entrants.toSpliced(opposite, 0, { ...entrants[place], id: twin.id });
}

function loadCells({ plan, entrants, scenarios }) {
  const cells = [];
  const all = [...scenarios.values()];
  for (const scenario of all.filter(({ beside }) => beside === undefined)) {
    const list = withTwin(entrants.filter((entrant) => takesPart({ plan, entrant, scenario })));
    const followers = all.filter(({ beside }) => beside === scenario.name);
    for (const variant of scenario.variants) {
      cells.push(
        ...interleave(list, plan.rounds.load, (entrant, round) => [
          loadCell({ entrant, scenario, variant, round }),
          ...followers
            .filter((one) => takesPart({ plan, entrant, scenario: one }))
            .map((one) => loadCell({ entrant, scenario: one, variant, round })),
        ]).flat(),
      );
    }
  }
  return cells;
}

function loadCell({ entrant, scenario, variant, round }) {
  const label = variant.pool === undefined ? scenario.name : `${scenario.name}-${variant.connections}-${variant.pool}`;
  const id = `load/${label}/${entrant.id}/${round}`;
  return { id, kind: 'load', entrant, scenario: onWire(entrant.contestant, scenario), variant, round };
}

function startCells({ plan, entrants, scenarios }) {
  const hello = withTwin(entrants.filter((entrant) => helloOf({ plan, entrant, kind: 'start' })));
  const cells = interleave(hello, plan.starts, (entrant, round) =>
    startCell({ entrant, scenario: scenarios.get('hello-json'), routes: 0, round }),
  );
  const byRoutes = entrants.filter((entrant) => startsByRoutes({ plan, entrant }));
  for (const routes of plan.routeCounts) {
    cells.push(
      ...interleave(byRoutes, plan.routeStarts, (entrant, round) =>
        startCell({ entrant, scenario: routesScenario(scenarios, routes), routes, round }),
      ),
    );
  }
  return groupStarts(cells);
}

function startCell({ entrant, scenario, routes, round }) {
  return { id: `start/${routes}/${entrant.id}/${round}`, kind: 'start', entrant, scenario, routes, round };
}

/** Only the first route is asked: it exists however few there are. */
function routesScenario(scenarios, routes) {
  const scenario = scenarios.get('routes');
  return { ...scenario, env: { ROUTES: String(routes) }, requests: scenario.requests.slice(0, 1) };
}

/** Starts are short: the quiet gate looks once before each few of them. */
function groupStarts(cells) {
  return cells.map((cell, index) => ({ ...cell, gate: index % startGroup === 0 }));
}

function memoryCells({ plan, entrants, scenarios }) {
  const list = withTwin(entrants.filter((entrant) => helloOf({ plan, entrant, kind: 'memory' })));
  return interleave(list, plan.rounds.memory, (entrant, round) => ({
    id: `memory/${entrant.id}/${round}`,
    kind: 'memory',
    entrant,
    scenario: scenarios.get('hello-json'),
    round,
  }));
}

/** Long runs: one round, no twin. */
function soakCells({ plan, entrants, scenarios }) {
  const list = entrants.filter((entrant) => isSoaked({ plan, entrant }));
  return interleave(list, plan.rounds.soak, (entrant, round) => ({
    id: `soak/${entrant.id}/${round}`,
    kind: 'soak',
    entrant,
    scenario: scenarios.get('hello-json'),
    round,
  }));
}

/** What Fulmar and Bun compile; the floor is an example, not something anybody deploys. */
function sizeCells({ plan, entrants, scenarios }) {
  const list = entrants.filter(({ runtime }) => plan.name !== 'quick' && runtime !== 'native' && executables.includes(runtime));
  return list.map((entrant) => ({ id: `size/${entrant.id}/0`, kind: 'size', entrant, scenario: scenarios.get('hello-json'), round: 0 }));
}

function latencyCells({ plan, entrants, scenarios }) {
  const list = withTwin(entrants.filter((entrant) => helloOf({ plan, entrant, kind: 'latency' })));
  return interleave(list, plan.rounds.latency, (entrant, round) => ({
    id: `latency/${entrant.id}/${round}`,
    kind: 'latency',
    entrant,
    scenario: scenarios.get('hello-json'),
    round,
  }));
}

function connectionCells({ plan, entrants, scenarios }) {
  const list = withTwin(entrants.filter((entrant) => scales({ plan, entrant }) && entrant.contestant.scenarios.includes('hello-json')));
  return interleave(list, plan.rounds.connections, (entrant, round) => ({
    id: `connections/${entrant.id}/${round}`,
    kind: 'connections',
    entrant,
    scenario: scenarios.get('hello-json'),
    round,
  }));
}
