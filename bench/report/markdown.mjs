/**
 * Blocks as Markdown (GitHub's flavour). Figures become a line that names them: their numbers stand in the
 * table that follows.
 */

export function toMarkdown({ title, blocks }) {
  return `# ${title}\n\n${blocks
    .map((block) => writers[block.type](block))
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

const writers = {
  heading: ({ level, title }) => `${'#'.repeat(level)} ${title}`,
  text: ({ content }) => content,
  list: ({ items }) => items.map((item) => `- ${item}`).join('\n'),
  code: ({ content }) => fenced(content),
  details: ({ summary, content }) => `<details><summary>${escapeHtml(summary)}</summary>\n\n${fenced(content)}\n\n</details>`,
  tiles: ({ items }) =>
    table(
      ['', '', ''],
      items.map(({ label, value, detail }) => [`**${label}**`, `**${value}**`, detail]),
    ),
  ranking: ({ caption, rows }) =>
    `**${caption}**\n\n${table(
      ['where', { title: 'behind by', right: true }, 'ours', 'ahead'],
      rows.map(({ what, value, detail, leaders }) => [what, value, detail, leaders.join(', ')]),
    )}`,
  figure: () => '',
  table: ({ caption, columns, rows }) =>
    `**${caption}**\n\n${table(
      columns,
      rows.map((row) => row.map((cell) => markCell(cell))),
    )}`,
};

function fenced(content) {
  const fence = '`'.repeat(Math.max(3, ...[...content.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}text\n${content}\n${fence}`;
}

function markCell(cell) {
  if (typeof cell !== 'object') return cell;
  return cell.tone === 'ours' ? `**${cell.text}**` : cell.text;
}

function table(columns, rows) {
  const titles = columns.map((column) => column.title ?? column);
  const rule = columns.map(({ right }) => (right ? '---:' : '---'));
  return [titles, rule, ...rows].map((row) => `| ${row.map((cell) => clean(cell)).join(' | ')} |`).join('\n');
}

function clean(cell) {
  return String(cell).replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;');
}

function escapeHtml(content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
