/**
 * Names, groups and roles of entrants (`<contestant>@<runtime>`). The report's only place that takes such a
 * name apart.
 */

const runtimeTitles = {
  node20: 'Node 20',
  node26: 'Node 26',
  bun: 'Bun',
  'bun-compiled': 'compiled by Bun',
  'node26-cached': 'Node 26 with compile cache',
  native: 'Rust',
  'fulmar-native': 'Fulmar (executable)',
  'fulmar-built-node26': 'fulmar build (Node 26)',
  'fulmar-node20': 'Fulmar (Node 20)',
  'fulmar-node26': 'Fulmar (Node 26)',
  'fulmar-node26-uncached': 'Fulmar (Node 26, no compile cache)',
};

/** `{ contestant, runtime, twin }`. */
export function takeApart(entrant) {
  const [name, twin] = entrant.split('#');
  const at = name.lastIndexOf('@');
  return { contestant: name.slice(0, at), runtime: name.slice(at + 1), twin };
}

/** `Express 5 · Fulmar (Node 26)`. */
export function labelOf(data, entrant) {
  const { contestant, runtime, twin } = takeApart(entrant);
  const title = data.run.contestants?.[contestant]?.title ?? contestant;
  return `${title} · ${runtimeTitles[runtime] ?? runtime}${twin === undefined ? '' : ', again'}`;
}

/** The colour group: `fulmar`, `node`, `bun` or `native`. */
export function groupOf(entrant) {
  const { runtime } = takeApart(entrant);
  if (runtime.startsWith('fulmar')) return 'fulmar';
  if (runtime.startsWith('bun')) return 'bun';
  return runtime === 'native' ? runtime : 'node';
}

export const groupTitles = { fulmar: 'on Fulmar', node: 'on Node', bun: 'on Bun', native: 'answered by the engine alone (floor)' };

export function isFulmar(entrant) {
  return groupOf(entrant) === 'fulmar';
}

/**
 * The same program without Fulmar: on the same Node, for an executable on Node 26; `undefined` for others.
 */
export function stockOf(entrant) {
  const { contestant, runtime } = takeApart(entrant);
  if (!runtime.startsWith('fulmar-')) return undefined;
  return `${contestant}@${noNode.includes(runtime) ? 'node26' : runtime.slice('fulmar-'.length)}`;
}

/** Runtimes of Fulmar whose name says no Node to compare with. */
const noNode = ['fulmar-native', 'fulmar-built-node26'];

/**
 * Rows by `place(row)`, smallest first; void rows after them, rows that the engine answered alone apart at
 * the end.
 */
export function inOrder(rows, place) {
  const group = (row) => (row.answered === 'native' ? 2 : 0) + (row.isVoid ? 1 : 0);
  const within = (row) => (row.isVoid ? 0 : place(row));
  return rows.toSorted((a, b) => group(a) - group(b) || within(a) - within(b) || a.label.localeCompare(b.label));
}

/** What the verdict column says of a row that is not void. */
export function verdictWord({ answered, isBase, verdict }) {
  if (answered === 'native') return 'not ranked: no JavaScript ran';
  return isBase ? 'the measure' : verdict;
}
