/** What a million invocations a month cost, with the formula and its assumed prices (cost.json) shown. */
import { readFileSync } from 'node:fs';
import { code, heading, table, text } from '../blocks.mjs';
import { entrantsOf, rowOf } from '../data.mjs';
import { isFulmar, labelOf } from '../entrants.mjs';
import { dollars, megabytes, micros, number } from '../format.mjs';

const prices = JSON.parse(readFileSync(new URL('../cost.json', import.meta.url), 'utf8'));
const bytesPerGib = 1024 ** 3;

/**
 * Cost of `invocations`: seconds of CPU and of memory, of warm replies and of the share that finds no process
 * yet.
 */
export function costOf({ cpu_us, start_ms, rss }, { invocations, vcpuSecond, gibSecond, coldShare } = prices) {
  const perSecond = vcpuSecond + (rss / bytesPerGib) * gibSecond;
  const warm = invocations * (cpu_us / 1e6) * perSecond;
  const cold = invocations * coldShare * (start_ms / 1e3) * perSecond;
  return { warm, cold, total: warm + cold };
}

export function costSection(data) {
  const rows = costRows(data);
  const title = `Cost of ${prices.invocations.toLocaleString('en-US')} invocations a month`;
  if (rows.length === 0) return [heading(2, title), text('Needs hello-json, cold start and memory of the same server; not in this run.')];
  const formula = [
    'cost = N × t × P + N × c × s × P,   P = vCPU-second price + M × GiB-second price',
    `N = ${prices.invocations.toLocaleString('en-US')} invocations, c = ${prices.coldShare} of them find no process and start one`,
    't = CPU time per reply (hello-json), s = cold start to the first reply, M = resident memory under load',
    `vCPU-second = $${prices.vcpuSecond.toFixed(6)}, GiB-second = $${prices.gibSecond.toFixed(7)}`,
  ].join('\n');
  const columns = ['server', '>t', '>s', '>M', '>warm replies', '>cold starts', '>total'];
  return [
    heading(2, title),
    text(
      `A model, not a bill. Assumption: ${prices.assumption}. A service that bills in steps of 100 ms or keeps an instance busy while it waits costs more than this.`,
    ),
    code(formula),
    table(
      `${title}, in ${prices.currency}`,
      columns,
      rows.map((row) => cells(row)),
    ),
  ];
}

function costRows(data) {
  const rows = entrantsOf(data, { metric: 'cpu_us', scenario: 'hello-json' }).map((entrant) => {
    const value = (ref) => {
      const row = rowOf(data, { entrant, ...ref });
      return row === undefined || row.isVoid ? undefined : row.summary.median;
    };
    const figures = {
      cpu_us: value({ metric: 'cpu_us', scenario: 'hello-json' }),
      start_ms: value({ metric: 'first_reply_ms', routes: 0 }),
      rss: value({ metric: 'rss_loaded' }),
    };
    return { entrant, label: labelOf(data, entrant), ...figures, cost: costOf(figures) };
  });
  return rows.filter((row) => Number.isFinite(row.cost.total)).toSorted((a, b) => a.cost.total - b.cost.total);
}

function cells({ entrant, label, cpu_us, start_ms, rss, cost }) {
  const server = { text: label, tone: isFulmar(entrant) ? 'ours' : undefined };
  return [server, micros(cpu_us), `${number(start_ms)} ms`, megabytes(rss), dollars(cost.warm), dollars(cost.cold), dollars(cost.total)];
}
