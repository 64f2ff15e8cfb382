/**
 * Every place where a peer is ahead of Fulmar, in whatever was measured, with the same prominence as the
 * gains. What is within the noise is listed too, but apart. Nobody else's section may leave a loss out
 * because it stands here.
 */
import { heading, ranking, table, text } from '../blocks.mjs';
import { distinct, entrantsOf, expressAt, metrics, noiseOf, oursEntrant, ratioOf, rowOf, baseEntrant } from '../data.mjs';
import { isFulmar, labelOf, stockOf, takeApart } from '../entrants.mjs';
import { integer, megabytes, micros, number, percent, times } from '../format.mjs';
import { judge } from '../maths.mjs';
import { dateOf } from '../partial.mjs';
import { databasePlaces } from './database.mjs';
import { nativeRun } from './native.mjs';
import { scenarioNames, titleOf } from './scenarios.mjs';

const memory = 'Memory';

/** All measured places: `{ where, ref }`. */
function placesOf(data) {
  const title = (scenario) => titleOf(data, scenario);
  const places = [];
  const add = (where, ref) => places.push({ where, ref });
  for (const scenario of scenarioNames(data)) for (const metric of ['cpu_us', 'rate']) add(title(scenario), { metric, scenario });
  for (const place of databasePlaces(data)) {
    for (const metric of ['rate', 'success'])
      add(`${title(place.scenario)}, ${place.connections} connections, ${place.pool} pool`, { metric, ...place });
  }
  for (const scenario of distinct(data, 'latency', 'scenario')) {
    for (const target_rate of distinct(data, 'latency', 'target_rate')) {
      for (const metric of ['latency_p99', 'latency_p99_9'])
        add(`${title(scenario)}, ${integer(target_rate)} requests/s`, { metric, scenario, target_rate });
    }
  }
  for (const connections of distinct(data, 'connections', 'connections'))
    add(`${integer(connections)} connections`, { metric: 'connections_rate', connections });
  for (const routes of distinct(data, 'start', 'routes'))
    add(`Cold start, ${routes === 0 ? 'hello' : `${integer(routes)} ${routes === 1 ? 'route' : 'routes'}`}`, {
      metric: 'first_reply_ms',
      routes,
    });
  for (const metric of ['rss_idle', 'rss_loaded', 'rss_peak', 'rss_after']) add(memory, { metric });
  return places;
}

/** Every loss: `{ where, metric, ours, peer, oursValue, peerValue, factor, certain }`, largest first. */
export function lossesOf(data) {
  const losses = placesOf(data).flatMap((place) => lossesAt(data, place));
  // A server at its limit that needs more CPU per reply also gives fewer of them: one loss, not two.
  const named = new Set(losses.filter((loss) => loss.ref.metric === 'cpu_us').map((loss) => lossKey(loss)));
  return losses.filter((loss) => loss.ref.metric !== 'rate' || !named.has(lossKey(loss))).toSorted((a, b) => b.factor - a.factor);
}

const lossKey = ({ where, ours, peer, certain }) => [where, ours, peer, certain].join('|');

function lossesAt(data, { where, ref }) {
  const ranked = entrantsOf(data, ref).filter((entrant) => {
    const row = rowOf(data, { ...ref, entrant });
    return row !== undefined && !row.isVoid && row.answered !== 'native';
  });
  const express = expressAt(data, ref, oursEntrant);
  const ours = ranked.includes(express) ? express : ranked.find((entrant) => isFulmar(entrant));
  const pairs = ranked.filter((peer) => ours !== undefined && !isFulmar(peer)).map((peer) => [ours, peer]);
  const own = ranked
    .filter((entrant) => entrant !== ours && ranked.includes(stockOf(entrant)))
    .map((entrant) => [entrant, stockOf(entrant)]);
  return [...pairs, ...own].map(([mine, peer]) => lossOf(data, { where, ref, mine, peer })).filter((loss) => loss !== undefined);
}

function lossOf(data, { where, ref, mine, peer }) {
  const { better = 'lower', title } = metrics[ref.metric];
  const quotient = ratioOf(data, { ...ref, entrant: mine }, { ...ref, entrant: peer })?.median;
  const behind = quotient !== undefined && (better === 'lower' ? quotient > 1 : quotient < 1);
  if (!behind) return undefined;
  const value = (entrant) => rowOf(data, { ...ref, entrant }).summary.median;
  const { floor } = noiseOf(data, { ...ref, entrant: mine });
  const word = judge({ ratio: quotient, noise: floor, better });
  return {
    where,
    ref,
    metric: title,
    ours: mine,
    peer,
    oursValue: written(ref.metric, value(mine)),
    peerValue: written(ref.metric, value(peer)),
    factor: better === 'lower' ? quotient : 1 / quotient,
    // Without an A/A pair nothing excuses a loss.
    certain: word !== 'no difference',
  };
}

function written(metric, value) {
  if (metric.startsWith('rss')) return megabytes(value);
  if (metric.endsWith('_ms')) return `${number(value)} ms`;
  if (metric.endsWith('rate')) return integer(value);
  return metric === 'success' ? percent(value, 1) : micros(value);
}

/**
 * The losses of a program on Fulmar against the same program on Node alone, and those against other servers.
 */
export function lossesApart(losses) {
  const isOwn = ({ ours, peer }) => stockOf(ours) === peer;
  return { own: losses.filter((loss) => isOwn(loss)), others: losses.filter((loss) => !isOwn(loss)) };
}

const placesShown = 6;

export function lossesSection(data) {
  const losses = lossesOf(data);
  const { own, others } = lossesApart(losses.filter((loss) => loss.certain));
  const rest = losses.filter((loss) => !loss.certain);
  const native = nativeLosses(data);
  const blocks = [
    heading(2, 'Where Fulmar loses'),
    text(
      'Every place where Fulmar is behind: first the same program on Node alone, then other servers. Nothing is left out; what is folded is one click away.',
    ),
    heading(3, 'Slower or larger than plain Node'),
    own.length === 0 ? text('Nothing by more than the noise.') : rankingOf(data, 'The same program, on Node without Fulmar', own),
  ];
  if (native.losses.length > 0) {
    const caption = `The native executable (\`fulmar build --native\`) against Node${native.run === data ? '' : `, partial run of ${dateOf(native.run)}`}`;
    blocks.push(rankingOf(native.run, caption, native.losses));
  }
  blocks.push(
    heading(3, 'Other servers ahead'),
    text(
      `Other servers that are ahead of the Express 5 program on Fulmar (of the first Fulmar program, where Express has none). ${labelOf(data, baseEntrant)} stands above. Rows that the engine answered alone are no peers.`,
    ),
    others.length === 0 ? text('None by more than the noise.') : rankingOf(data, 'Places where a peer is ahead', others),
  );
  if (rest.length > 0) blocks.push(lossTable(data, "Places where a peer's median is ahead, but within twice the noise floor", rest));
  const voids = voidsOf(data);
  if (voids.length > 0) blocks.push(table('Rows of Fulmar that are void', ['where', 'figure', 'Fulmar', 'reason'], voids));
  return blocks;
}

/** `{ run, losses }` of executables against the same program on Node, of the run that has them. */
export function nativeLosses(data) {
  const run = nativeRun(data);
  const losses = run === undefined ? [] : lossesApart(lossesOf(run)).own;
  return { run, losses: losses.filter(({ ours }) => takeApart(ours).runtime === 'fulmar-native') };
}

/** Losses by place, figure and Fulmar program: the largest of each first, then the others there. */
export function lossesByPlace(losses) {
  const rows = new Map();
  for (const loss of losses) {
    const key = [loss.where, loss.metric, loss.ours].join('|');
    rows.set(key, [...(rows.get(key) ?? []), loss]);
  }
  return [...rows.values()];
}

function leadersOf(data, ahead) {
  return ahead.map((loss) => `${labelOf(data, loss.peer)} ${loss.peerValue} (${times(loss.factor)})`);
}

/** `Five middleware: CPU per reply`; memory needs no place. */
export const placeTitle = (where, metric) => (where === memory ? metric.replace(/^m/, 'M') : `${where}: ${metric}`);

function rankingOf(data, caption, losses) {
  const rows = lossesByPlace(losses).map((ahead) => {
    const [{ where, metric, ours, oursValue, factor }] = ahead;
    const detail = `${labelOf(data, ours)}: ${oursValue}`;
    return { what: placeTitle(where, metric), value: times(factor), tone: 'bad', detail, leaders: leadersOf(data, ahead) };
  });
  return ranking(caption, { rows, shown: placesShown });
}

function lossTable(data, caption, losses) {
  const cells = lossesByPlace(losses).map((ahead) => {
    const [{ where, metric, ours, oursValue, factor }] = ahead;
    return [where, metric, labelOf(data, ours), oursValue, times(factor), leadersOf(data, ahead).join(', ')];
  });
  return table(caption, ['where', 'figure', 'Fulmar', '>ours', '>behind by up to', 'peers ahead'], cells);
}

function voidsOf(data) {
  return placesOf(data).flatMap(({ where, ref }) =>
    entrantsOf(data, ref)
      .filter((entrant) => isFulmar(entrant) && rowOf(data, { ...ref, entrant })?.isVoid)
      .map((entrant) => [
        where,
        metrics[ref.metric].title,
        labelOf(data, entrant),
        rowOf(data, { ...ref, entrant }).reasons.join('; ') || 'no figures',
      ]),
  );
}
