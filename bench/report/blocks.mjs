/**
 * What a report is made of, before anybody decides how it looks: headings, text, tables, figures, tiles.
 * `sections/` make blocks, `markdown.mjs` and `html.mjs` write them. Texts may hold `code`, **strong** and
 * [links](url), nothing else.
 */
import { groupTitles, verdictWord } from './entrants.mjs';
import { seriesColour, seriesGlyph } from './series.mjs';

export const heading = (level, title) => ({ type: 'heading', level, title, id: slug(title) });
export const text = (content) => ({ type: 'text', content });
export const list = (items) => ({ type: 'list', items });
export const code = (content) => ({ type: 'code', content });
export const details = (summary, content) => ({ type: 'details', summary, content });
/** Facts in large type: `{ label, value, detail, tone }`. */
export const tiles = (items) => ({ type: 'tiles', items });

/** Columns are titles; one that starts with `>` is aligned right. A cell is a text or `{ text, tone }`. */
export function table(caption, columns, rows) {
  return {
    type: 'table',
    caption,
    columns: columns.map((title) => ({ title: title.replace(/^>/, ''), right: title.startsWith('>') })),
    rows,
  };
}

/**
 * Places with those who lead there: rows `{ what, value, tone, detail, leaders }`. A page shows the first
 * `shown` rows and three leaders of each, and folds the rest; nothing is left out.
 */
export const ranking = (caption, { rows, shown }) => ({ type: 'ranking', caption, rows, shown });

/** A drawn chart with its title, one sentence that says what it shows, and its legend. */
export function figure({ title, description, chart, legend }) {
  return { type: 'figure', title, description, legend, ...chart };
}

/** Legend of the colour groups that occur. */
export function groupLegend(groups) {
  const order = ['fulmar', 'node', 'bun', 'native'].filter((group) => groups.includes(group));
  return order.map((group) => ({ glyph: '■', colour: `var(--${group})`, name: groupTitles[group] }));
}

export function seriesLegend(names) {
  return names.map((name, at) => ({ glyph: seriesGlyph(at), colour: seriesColour(at), name }));
}

const tones = {
  better: 'good',
  worse: 'bad',
  'no difference': 'same',
  void: 'bad',
  beaten: 'good',
  met: 'good',
  matched: 'same',
  missed: 'bad',
  loss: 'bad',
};

/** A cell whose word is also its colour. */
export function verdict(word, shown = word) {
  return { text: shown, tone: tones[word] ?? 'same' };
}

/** The verdict of a row that is not void, and what else there is to say. */
export function verdictCell(row, more = '') {
  return verdict(row.answered === 'native' ? 'no difference' : row.verdict, `${verdictWord(row)}${more}`);
}

function slug(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
