/** Node 20 beside Node 26: what the newer Node gives each program, and what Fulmar gives on each of them. */
import { heading, table, text, verdict } from '../blocks.mjs';
import { entrantsOf, noiseOf, ratioOf, rowOf } from '../data.mjs';
import { labelOf, stockOf, takeApart } from '../entrants.mjs';
import { micros, withSpread } from '../format.mjs';
import { judge } from '../maths.mjs';
import { scenarioNames, titleOf } from './scenarios.mjs';

export function runtimesSection(data) {
  const blocks = [heading(2, 'Node 20 and Node 26')];
  const pairs = scenarioNames(data).flatMap((scenario) => pairsOf(data, scenario));
  const gains = scenarioNames(data).flatMap((scenario) => gainsOf(data, scenario));
  if (pairs.length === 0) blocks.push(text('No program was measured on both in this run.'));
  else
    blocks.push(
      table('CPU time per reply on Node 26 ÷ on Node 20', ['scenario', 'program', '>Node 20', '>Node 26', '>26 ÷ 20', 'Node 26 is'], pairs),
    );
  if (gains.length > 0) {
    blocks.push(text('The same unmodified program with and without Fulmar:'));
    blocks.push(
      table(
        'CPU time per reply on Fulmar ÷ on Node alone',
        ['scenario', 'program', '>Node', '>Fulmar', '>Fulmar ÷ Node', 'Fulmar is'],
        gains,
      ),
    );
  }
  return blocks;
}

function pairsOf(data, scenario) {
  const entrants = entrantsOf(data, { metric: 'cpu_us', scenario });
  return entrants
    .filter((entrant) => takeApart(entrant).runtime.endsWith('node26') && entrants.includes(entrant.replace(/node26$/, 'node20')))
    .map((entrant) => pairCells(data, { scenario, of: entrant, to: entrant.replace(/node26$/, 'node20') }));
}

function gainsOf(data, scenario) {
  const entrants = entrantsOf(data, { metric: 'cpu_us', scenario });
  const pairs = entrants.filter((entrant) => entrants.includes(stockOf(entrant)));
  return pairs.map((entrant) => pairCells(data, { scenario, of: entrant, to: stockOf(entrant) }));
}

function pairCells(data, { scenario, of, to }) {
  const ref = (entrant) => ({ metric: 'cpu_us', scenario, entrant });
  const quotient = ratioOf(data, ref(of), ref(to));
  const word = judge({ ratio: quotient?.median, noise: noiseOf(data, ref(of)).floor });
  const cpu = (entrant) => (rowOf(data, ref(entrant)).isVoid ? 'void' : micros(rowOf(data, ref(entrant)).summary.median));
  return [titleOf(data, scenario), labelOf(data, of), cpu(to), cpu(of), withSpread(quotient), verdict(word)];
}
