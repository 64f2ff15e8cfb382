/**
 * Blocks as one self-contained page: no script, no request, no font from elsewhere. style.css is put in
 * whole. Every text of the raw files is escaped.
 */
import { readFileSync } from 'node:fs';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');

export function toHtml({ title, lead, blocks }) {
  const chapters = blocks.filter((block) => block.type === 'heading' && block.level === 2);
  const links = chapters.map(({ title: name, id }) => `<li><a href="#${id}">${escape(name)}</a></li>`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<style>
${style}</style>
</head>
<body>
<header><h1>${escape(title)}</h1><p>${inline(lead)}</p></header>
<nav aria-label="Contents"><details><summary>Contents</summary><ul>${links}</ul></details></nav>
<main>
${sections(blocks)}
</main>
</body>
</html>
`;
}

/**
 * A table with more rows than this is folded: on a phone it would be screens of numbers between two headings.
 */
const rowsOpenMax = 12;
const leadersShown = 3;

/** Each chapter in a `section` of its own, named by its heading. */
function sections(blocks) {
  const parts = [];
  for (const [at, block] of blocks.entries()) {
    if (block.type === 'heading' && block.level === 2) parts.push({ id: block.id, body: [] });
    // The figures behind a chart are a click away.
    const isFolded = block.type === 'table' && (blocks[at - 1]?.type === 'figure' || block.rows.length > rowsOpenMax);
    parts.at(-1)?.body.push(isFolded ? foldedTable(block) : writers[block.type](block));
  }
  return parts.map(({ id, body }) => `<section aria-labelledby="${id}">\n${body.join('\n')}\n</section>`).join('\n');
}

const writers = {
  heading: ({ level, title, id }) => `<h${level} id="${id}">${inline(title)}</h${level}>`,
  text: ({ content }) => `<p>${inline(content)}</p>`,
  list: ({ items }) => `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`,
  code: ({ content }) => `<pre tabindex="0"><code>${escape(content)}</code></pre>`,
  details: ({ summary, content }) =>
    `<details><summary>${escape(summary)}</summary><pre tabindex="0"><code>${escape(content)}</code></pre></details>`,
  tiles: ({ items }) => `<dl class="tiles">${items.map((item) => tile(item)).join('')}</dl>`,
  ranking,
  figure,
  table,
};

function foldedTable(block) {
  return `<details class="folded"><summary>${inline(block.caption)}</summary>${table(block)}</details>`;
}

function ranking({ caption, rows, shown }) {
  const more = rows.slice(shown);
  const rest =
    more.length === 0
      ? ''
      : `<details class="folded"><summary>${more.length} more ${more.length === 1 ? 'place' : 'places'}, behind by less</summary>${rankingList(more)}</details>`;
  return `<p class="caption">${inline(caption)}</p>\n${rankingList(rows.slice(0, shown))}${rest}`;
}

function rankingList(rows) {
  return `<ul class="ranking">${rows.map((row) => rankingRow(row)).join('\n')}</ul>`;
}

function rankingRow({ what, value, tone, detail, leaders }) {
  const more = leaders.slice(leadersShown);
  const rest = more.length === 0 ? '' : `<details><summary>and ${more.length} more</summary>${inline(more.join(', '))}</details>`;
  return `<li><div><strong>${inline(what)}</strong> <span class="value ${tone}">${inline(value)}</span></div><p>${inline(detail)}; ahead: ${inline(leaders.slice(0, leadersShown).join(', '))}</p>${rest}</li>`;
}

function tile({ label, value, detail, tone }) {
  return `<div class="${tone}"><dt>${inline(label)}</dt><dd class="value">${inline(value)}</dd><dd>${inline(detail)}</dd></div>`;
}

function figure({ title, description, legend, wide, narrow }) {
  const keys = legend
    .map(({ glyph, colour, name }) => `<li><span aria-hidden="true" style="color:${colour}">${glyph}</span> ${escape(name)}</li>`)
    .join('');
  return `<figure><figcaption><strong>${inline(title)}</strong> ${inline(description)} <span class="hidden">The figures are in the table or list that follows.</span></figcaption>
<ul class="legend">${keys}</ul><div class="wide">${wide}</div><div class="narrow">${narrow}</div></figure>`;
}

function table({ caption, columns, rows }) {
  const head = columns.map(({ title, right }) => `<th scope="col"${right ? ' class="right"' : ''}>${inline(title)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell, at) => tableCell(cell, columns[at], at)).join('')}</tr>`).join('\n');
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escape(plain(caption))}"><table><caption>${inline(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

function tableCell(cell, { right }, at) {
  const { text, tone } = typeof cell === 'object' ? cell : { text: cell };
  const names = [right ? 'right' : '', tone ?? '', String(text).length > 60 ? 'long' : ''].filter((name) => name !== '').join(' ');
  const attributes = names === '' ? '' : ` class="${names}"`;
  return at === 0 ? `<th scope="row"${attributes}>${inline(text)}</th>` : `<td${attributes}>${inline(text)}</td>`;
}

/** Texts may hold `code`, **strong** and [links](https://…). */
function inline(content) {
  return escape(content)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\((https:\/\/[^)\s]+|[\w./-]+)\)/g, '<a href="$2">$1</a>');
}

function plain(content) {
  return String(content).replaceAll(/[`*]/g, '');
}

function escape(content) {
  return String(content).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
