/**
 * A report as text: a block for each route, one for the process, then what was left out and notes. Pure
 * functions.
 *
 * Fits the width it is given; where that is too small, each figure takes lines of its own.
 */
import { type Paint, plain } from '../../../fulmar/src/launch/terminal/paint.ts';
import type { Report, RouteReport } from './report.ts';
import type { Comparison, Figure } from './statistics.ts';

const LABEL_WIDTH = 15;
const VALUE_WIDTH = 9;
const RATIO_WIDTH = 15;
const WORDS_WIDTH = ' is better'.length;
const BYTES_PER_MB = 1_000_000;
/** Values below these are shown with two digits and one digit behind the point. */
const TWO_DIGITS_BELOW = 10;
const ONE_DIGIT_BELOW = 100;
/** Text is folded at this width at most. */
const TEXT_WIDTH_MAX = 100;

interface Row {
  readonly label: string;
  readonly figure: Figure;
  readonly scale?: number;
}

interface Page {
  readonly width: number;
  readonly paint: Paint;
}

export function toText(report: Report, width: number, paint = plain): string {
  const page = { width, paint };
  const blocks = [
    heading(report, width),
    ...report.routes.map((route) => routeBlock(report, route, page)),
    processBlock(report, page),
    notesBlock(report, width),
    `${fold('To repeat:', width)}\n  ${report.repeat}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function heading({ target, node, frameworks, columns, settings, version }: Report, width: number): string {
  const what = frameworks.length === 0 ? target : `${target} (${frameworks.join(', ')})`;
  const hosts = columns.includes('server') ? `Fulmar ${version}` : `Node ${node}, Fulmar ${version}`;
  const rounds = settings.rounds === 1 ? 'one round' : `medians of ${settings.rounds} rounds`;
  const [first = '', ...others] = columns;
  const ratio = others.length === 0 ? '' : others.length === 1 ? ` Ratio: ${others[0]} ÷ ${first}.` : ` Ratios: ÷ ${first}.`;
  return fold(`${what} · ${hosts} · ${settings.connections} connections, ${settings.durationS} s each, ${rounds}.${ratio}`, width);
}

function routeBlock(report: Report, route: RouteReport, page: Page): string {
  const { paint, width } = page;
  const checked = route.verified === 'status' ? `${route.status}, content varies` : String(route.status);
  const name = paint.bold(`${route.method} ${route.path} → ${checked}`);
  const title = route.disturbed === 0 ? name : `${name}\n${paint.yellow(fold(describeBusy(route), width))}`;
  if (route.void !== null) return `${title}\n${paint.yellow(fold(`void: ${route.void}`, width, '  '))}`;
  const rows: Row[] = [
    { label: 'CPU µs/request', figure: route.cpuUs },
    { label: 'requests/s', figure: route.rate },
    { label: 'p50 ms', figure: route.p50Ms },
    { label: 'p99 ms', figure: route.p99Ms },
  ];
  return toTable(title, { rows, columns: report.columns, page });
}

/** A row whose figures others may have made. */
function describeBusy({ disturbed, measurements }: RouteReport): string {
  return `busy: other processes used the machine in ${disturbed} of ${measurements} measurements`;
}

function processBlock(report: Report, page: Page): string {
  const rows: Row[] = [
    { label: 'cold start ms', figure: report.process.coldStartMs },
    { label: 'RSS idle MB', figure: report.process.idleBytes, scale: 1 / BYTES_PER_MB },
    { label: 'RSS loaded MB', figure: report.process.loadedBytes, scale: 1 / BYTES_PER_MB },
  ];
  const known = rows.filter(({ figure }) => figure.values.some((value) => value !== null));
  return known.length === 0 ? '' : toTable(page.paint.bold('The process'), { rows: known, columns: report.columns, page });
}

function toTable(
  title: string,
  { rows, columns, page: { width, paint } }: { rows: readonly Row[]; columns: readonly string[]; page: Page },
): string {
  const [, ...others] = columns;
  const narrow = LABEL_WIDTH + columns.length * VALUE_WIDTH + others.length * RATIO_WIDTH + 2 + 'higher'.length;
  if (width < narrow) return [title, ...rows.map((row) => stacked(row, columns, paint))].join('\n');
  const words = width >= narrow + WORDS_WIDTH ? ' is better' : '';
  const ratios = others.length === 1 ? ['ratio'] : others.map((name) => `${name} ratio`);
  const head = `${''.padEnd(LABEL_WIDTH)}${columns.map((name) => name.padStart(VALUE_WIDTH)).join('')}${toCells(ratios)}`;
  const lines = rows.map((row) => {
    const values = row.figure.values.map((value) => show(value, row.scale).padStart(VALUE_WIDTH)).join('');
    return `${row.label.padEnd(LABEL_WIDTH)}${values}${comparisons(row.figure, others)
      .map((one) => paintRatio(one, showRatio(one).padStart(RATIO_WIDTH), paint))
      .join('')}  ${row.figure.better}${words}`;
  });
  return [title, head, ...lines].join('\n');
}

const toCells = (texts: readonly string[]): string => texts.map((text) => text.padStart(RATIO_WIDTH)).join('');

/** What is said about each column after the first. */
const comparisons = (figure: Figure, others: readonly string[]): Comparison[] => [figure, ...figure.more].slice(0, others.length);

function stacked({ label, figure, scale }: Row, columns: readonly string[], paint: Paint): string {
  const [, ...others] = columns;
  const values = figure.values.map((value, index) => `  ${columns[index]} ${show(value, scale)}`);
  const ratios = comparisons(figure, others).map(
    (one, index) => `  ratio${others.length === 1 ? '' : ` of ${others[index]}`} ${paintRatio(one, showRatio(one), paint)}`,
  );
  return [`${label} (${figure.better} is better)`, ...values, ...ratios].join('\n');
}

function show(value: number | null, scale = 1): string {
  if (value === null) return '–';
  const scaled = value * scale;
  if (scaled < TWO_DIGITS_BELOW) return scaled.toFixed(2);
  return scaled < ONE_DIGIT_BELOW ? scaled.toFixed(1) : group(Math.round(scaled));
}

/** 12345 → 12 345. */
function group(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');
}

function showRatio({ ratio, verdict }: Comparison): string {
  if (ratio === null) return '–';
  return verdict === 'no difference' ? verdict : ratio.toFixed(2);
}

function paintRatio({ verdict }: Comparison, text: string, paint: Paint): string {
  if (verdict === 'better') return paint.green(text);
  return verdict === 'worse' ? paint.red(text) : text;
}

function notesBlock({ leftOut, notes }: Report, width: number): string {
  const left = leftOut.map(({ path, reason }) => fold(`- ${path}: ${reason}`, width, '  '));
  const parts = [
    ...(left.length === 0 ? [] : [`Not measured\n${left.join('\n')}`]),
    ...(notes.length === 0 ? [] : [`Notes\n${notes.map((note) => fold(`- ${note}`, width, '  ')).join('\n')}`]),
  ];
  return parts.join('\n\n');
}

/** Breaks a text between words; lines after the first begin with `indent`. */
function fold(text: string, width: number, indent = ''): string {
  const limit = Math.min(width, TEXT_WIDTH_MAX);
  const lines: string[] = [];
  let line = text.startsWith('-') ? '' : indent;
  for (const word of text.split(' ')) {
    const longer = line.trim() === '' ? line + word : `${line} ${word}`;
    if (longer.length <= limit || line.trim() === '') line = longer;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line].join('\n');
}
