/**
 * What a reader wants to know in half a minute: the headline ratios, cold start, memory, and what is lost,
 * all in the same type size.
 */
import { figure, heading, table, text, tiles } from '../blocks.mjs';
import { bars } from '../charts.mjs';
import { baseEntrant, expressAt, noiseOf, oursEntrant, ratioOf, rowOf } from '../data.mjs';
import { megabytes, micros, number, percent, times } from '../format.mjs';
import { judge } from '../maths.mjs';
import { databasePlaces } from './database.mjs';
import { lossesApart, lossesByPlace, lossesOf } from './losses.mjs';
import { scenarioNames, titleOf, typicalNoise } from './scenarios.mjs';

const perReply = (label, ref) => ({ label, ref: { metric: 'cpu_us', ...ref }, write: micros });
/** The database scenarios that are shown: the pool that all had alike. */
const equalPool = { pool: 'equal', connections: 50 };

/**
 * The same program on Fulmar and on Node, in the order of reading. Without a `word` it is replies from the
 * same CPU time.
 */
export const headline = [
  perReply('A small JSON reply', { scenario: 'hello-json' }),
  perReply('Five middleware', { scenario: 'chain-5' }),
  perReply('JSON posted and parsed', { scenario: 'post-json' }),
  perReply('A whole application with PostgreSQL', { scenario: 'realworld', ...equalPool }),
  {
    label: 'Start to first reply',
    ref: { metric: 'first_reply_ms', routes: 0 },
    write: (v) => `${number(v)} ms`,
    what: 'for a small Express 5 program',
    word: ['faster', 'slower'],
  },
  {
    label: 'Memory when idle',
    ref: { metric: 'rss_idle' },
    write: megabytes,
    what: 'for a small Express 5 program',
    word: ['less', 'more'],
  },
  {
    label: 'Memory under load',
    ref: { metric: 'rss_loaded' },
    write: megabytes,
    what: 'for a small Express 5 program',
    word: ['less', 'more'],
  },
];

export async function summarySection(data) {
  const noise = typicalNoise(data);
  const items = [...headline.map((item) => headlineTile(data, item)), lossesTile(data)];
  return [
    heading(2, 'In short'),
    text(
      `The same unchanged Express 5 program, twice: on Node 26 (\`node app.js\`) and on Fulmar, on the same Node (\`fulmar run app.js\`). **2×** means: from the same processor time, twice as many replies. Every reply was checked.`,
    ),
    tiles(items),
    ...(await gainsFigure(data)),
    text(
      `All figures are medians over rounds in which the servers took turns${noise === undefined ? '' : `; the same server measured twice differs by ${percent(noise, 1)}`}. What differs by less than twice that is called “no difference”.`,
    ),
  ];
}

/** Express on Fulmar against Express on Node in every scenario that both were measured in, one bar each. */
async function gainsFigure(data) {
  const places = [...scenarioNames(data).map((scenario) => ({ scenario })), ...databasePlaces(data).filter(isShownPool)];
  const rows = places.flatMap((place) => {
    const ref = { metric: 'cpu_us', ...place };
    const gain = gainOf(data, ref);
    if (gain === undefined) return [];
    return [{ label: titleOf(data, place.scenario), group: 'fulmar', isPlain: true, ...gain, shown: times(gain.value) }];
  });
  if (rows.length < 2) return [];
  const title = 'Replies from the same CPU time, Fulmar ÷ Node';
  const columns = ['scenario', '>Fulmar ÷ Node', '>lowest round', '>highest round'];
  const cells = rows.map(({ label, value, low, high }) => [label, times(value), times(low), times(high)]);
  const description =
    'The same Express 5 program. The dashed line is Node: a bar that ends there gains nothing. The thin line goes from the lowest to the highest round. Where a reply is mostly compression, a large file or a database, the framework is a small part of it, and so is the gain.';
  return [figure({ title, description, chart: await bars({ rows, mark: 1 }), legend: [] }), table(`${title}: all figures`, columns, cells)];
}

const isShownPool = ({ pool, connections }) => pool === equalPool.pool && connections === equalPool.connections;

/** Replies per CPU second of Express on Fulmar ÷ on Node: `{ value, low, high }`. */
export function gainOf(data, ref) {
  const [ours, base] = pairAt(data, ref);
  const quotient = ratioOf(data, ours, base);
  return quotient === undefined ? undefined : { value: 1 / quotient.median, low: 1 / quotient.high, high: 1 / quotient.low };
}

function pairAt(data, ref) {
  return [oursEntrant, baseEntrant].map((entrant) => ({ ...ref, entrant: expressAt(data, ref, entrant) }));
}

/** `{ label, value, detail, tone }` of a program on Fulmar against itself on Node. */
export function headlineTile(data, { label, ref, write, what = '', word }) {
  const [ours, base] = pairAt(data, ref);
  const quotient = ratioOf(data, ours, base);
  if (quotient === undefined) return { label, value: '–', detail: 'not measured in this run, or void', tone: 'same' };
  const verdict = judge({ ratio: quotient.median, noise: noiseOf(data, ours).floor });
  const [mine, theirs] = [ours, base].map((ref) => write(rowOf(data, ref).summary.median));
  const about = word === undefined ? `${mine} of CPU time each instead of ${theirs}` : `${mine} instead of ${theirs} ${what}`;
  if (verdict === 'no difference') return { label, value: 'no difference', detail: about, tone: 'same' };
  const isBetter = quotient.median < 1;
  const tone = verdict === 'not judged' ? 'same' : isBetter ? 'good' : 'bad';
  // Twice the replies per second of CPU time is half the time per reply.
  if (word === undefined) return { label, value: times(1 / quotient.median), detail: `as many replies: ${about}`, tone };
  return { label, value: `${size(quotient.median, ref.metric)} ${word[isBetter ? 0 : 1]}`, detail: about, tone };
}

/** Memory reads as a share, time as a factor. */
function size(quotient, metric) {
  if (metric.startsWith('rss')) return percent(Math.abs(1 - quotient));
  return times(quotient < 1 ? 1 / quotient : quotient);
}

function lossesTile(data) {
  const label = 'Behind others';
  const losses = lossesOf(data).filter((loss) => loss.certain);
  if (losses.length === 0) return { label, value: 'nowhere', detail: 'beyond the noise; see “Where Fulmar loses”', tone: 'same' };
  const { own, others } = lossesApart(losses);
  const count = (list) => lossesByPlace(list).length;
  const detail = `in ${count(own)} of them a program is behind itself on plain Node, in ${count(others)} another server leads; all are in “Where Fulmar loses”`;
  return { label, value: `${count(losses)} places`, detail, tone: 'bad' };
}
