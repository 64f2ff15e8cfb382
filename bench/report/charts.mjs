/**
 * Charts as SVG text, drawn ahead by Vega without a DOM: bars with spread, ranges of percentiles, lines.
 * Colours are CSS variables of the page (style.css), so that one SVG serves light and dark. Each chart is
 * drawn twice, for a wide and for a narrow screen.
 */
import { seriesColour, seriesShape } from './series.mjs';

const widths = { wide: 860, narrow: 330 };
const ink = 'var(--ink)';
const quiet = 'var(--quiet)';
const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
/** Room for labels left of the bars, in px: the least, the most, and what a letter takes in bold. */
const labelWidths = { least: 160, most: 345, letter: 7 };
/** Room for the number right of the longest bar. */
const valueWidth = 62;
/** Lines whose highest value is this many times the lowest get a logarithmic axis. */
const logFrom = 12;

/** Draws `spec(width)` for both screens: `{ wide, narrow }`. */
async function drawBoth(spec) {
  const vega = await loadVega();
  const draw = async (size) => {
    const view = new vega.View(vega.parse({ ...base(widths[size]), ...spec(widths[size]) }), { renderer: 'none', logLevel: vega.Error });
    try {
      return accessible(await view.toSVG());
    } finally {
      view.finalize();
    }
  };
  return { wide: await draw('wide'), narrow: await draw('narrow') };
}

/** Loaded when the first chart is drawn: figures without charts (README, tests) need nothing installed. */
async function loadVega() {
  try {
    return await import('vega');
  } catch (cause) {
    throw new Error('vega, which draws the charts, is not installed: run `npm ci` in bench/', { cause });
  }
}

/**
 * The figure has a title and a table: its inner marks are decoration to a screen reader. Scales with the
 * page, which also sets the font.
 */
function accessible(svg) {
  return svg
    .replace(/ (?:role|aria-[a-z]+|class|pointer-events)="[^"]*"/g, '')
    .replace(/ xmlns:xlink="[^"]*"/, '')
    .replace(/ font-(?:family|size)="[^"]*"/g, '')
    .replace(/ (?:stroke-miterlimit="4"|opacity="1"|transform="translate\(0,0\)"|version="1.1")/g, '')
    .replace(/<path aria-hidden="true" d="[^"]*"(?: display="none")?\/>/g, '')
    .replace(/<path d="(?:M0,0h[\d.]+v[\d.]+h-[\d.]+Z)?"(?: display="none")?\/>/g, '')
    .replace(/<(?:path|g|rect|line|text)[^>]*>/g, (tag) => tag.replace(/(\d+\.\d)\d+/g, '$1'))
    .replace(/<svg([^>]*?) width="(\d+)" height="\d+"/, '<svg$1 aria-hidden="true" focusable="false" style="max-width:$2px"');
}

function base(width) {
  const axis = {
    labelColor: quiet,
    titleColor: quiet,
    labelFont: font,
    titleFont: font,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 400,
  };
  const lines = { domain: false, ticks: false, gridColor: 'var(--line)', gridWidth: 1, labelPadding: 6 };
  return { padding: 2, width, autosize: { type: 'fit', contains: 'padding' }, config: { axis: { ...axis, ...lines } } };
}

const text = (extra) => ({ fill: { value: ink }, font: { value: font }, fontSize: { value: 12 }, baseline: { value: 'middle' }, ...extra });

/** Room for the longest label, by an average of its letters in bold: nothing here can measure text. */
function labelWidth(rows) {
  const { least, most, letter } = labelWidths;
  return Math.min(most, Math.max(least, letter * Math.max(...rows.map(({ label }) => label.length)) + 12));
}

/**
 * Horizontal bars, one a row: `{ label, value, low, high, shown, group }`; the thin line is the spread, the
 * dashed one stands at `mark`. Ours are bold unless `isPlain`.
 */
export function bars({ rows, mark }) {
  const reach = Math.max(mark ?? 0, ...rows.map((row) => Math.max(row.value, row.high ?? 0)));
  return drawBoth((width) => {
    const narrow = width < 500;
    const left = narrow ? 0 : labelWidth(rows);
    const step = narrow ? 40 : 27;
    const top = narrow ? 18 : 4;
    return {
      autosize: 'none',
      height: rows.length * step + 4,
      data: [
        {
          name: 'rows',
          values: rows.map((row, at) => ({ ...row, y: at * step + top, high: row.high ?? row.value, low: row.low ?? row.value })),
        },
      ],
      scales: [{ name: 'x', type: 'linear', domain: [0, reach], range: [left, width - valueWidth] }],
      marks: [labelMark({ narrow, left }), ...barMarks(narrow ? 16 : 19), ...(mark === undefined ? [] : [lineAt(mark, narrow ? 16 : 19)])],
    };
  });
}

function labelMark({ narrow, left }) {
  const place = narrow ? { x: { value: 0 }, align: { value: 'left' } } : { x: { value: left - 8 }, align: { value: 'right' } };
  const y = { field: 'y', offset: narrow ? -9 : 10 };
  const weight = { signal: "datum.group === 'fulmar' && !datum.isPlain ? 600 : 400" };
  return { type: 'text', from: { data: 'rows' }, encode: { enter: text({ ...place, y, text: { field: 'label' }, fontWeight: weight }) } };
}

function barMarks(height) {
  const x = (field) => ({ scale: 'x', field });
  const middle = { field: 'y', offset: height / 2 };
  const fill = { signal: "'var(--' + datum.group + ')'" };
  const mark = (type, enter) => ({ type, from: { data: 'rows' }, encode: { enter } });
  const spread = { stroke: { value: ink }, strokeWidth: { value: 1.5 }, opacity: { value: 0.75 } };
  return [
    mark('rect', {
      x: { scale: 'x', value: 0 },
      x2: x('value'),
      y: { field: 'y' },
      height: { value: height },
      fill,
      cornerRadius: { value: 2 },
    }),
    mark('rule', { x: x('low'), x2: x('high'), y: middle, ...spread }),
    ...['low', 'high'].map((end) =>
      mark('rule', { x: x(end), y: { field: 'y', offset: height / 2 - 4 }, y2: { field: 'y', offset: height / 2 + 4 }, ...spread }),
    ),
    mark('text', text({ x: { ...x('high'), offset: 7 }, y: middle, text: { field: 'shown' } })),
  ];
}

/** A dashed line through each bar and a little beyond, so that it crosses no label. */
function lineAt(value, height) {
  const x = { scale: 'x', value };
  const place = { x, x2: x, y: { field: 'y', offset: -3 }, y2: { field: 'y', offset: height + 3 } };
  return { type: 'rule', from: { data: 'rows' }, encode: { enter: { ...place, stroke: { value: ink }, strokeDash: { value: [3, 2] } } } };
}

/** One row of dots per entrant on a logarithmic axis: `{ label, group, dots: [{ name, value }] }`. */
export function ranges({ rows, xTitle }) {
  return drawBoth((width) => {
    const narrow = width < 500;
    const left = narrow ? 4 : labelWidth(rows);
    const step = narrow ? 40 : 27;
    const placed = rows.map((row, at) => ({
      ...row,
      y: at * step + (narrow ? 18 : 4),
      low: row.dots[0].value,
      high: row.dots.at(-1).value,
    }));
    const dots = placed.flatMap((row) => row.dots.map((dot, at) => ({ ...dot, y: row.y, group: row.group, shape: seriesShape(at) })));
    const domain = [Math.min(...dots.map((d) => d.value)) * 0.9, Math.max(...dots.map((d) => d.value)) * 1.1];
    return {
      padding: { left: 2, right: 2, top: 2, bottom: 40 },
      autosize: 'none',
      height: rows.length * step + 4,
      data: [
        { name: 'rows', values: placed },
        { name: 'dots', values: dots },
      ],
      scales: [{ name: 'x', type: 'log', domain, range: [left, width - 14] }],
      axes: [
        { orient: 'bottom', scale: 'x', grid: true, title: xTitle, tickCount: narrow ? 3 : 6, format: '~s', labelOverlap: true, zindex: 0 },
      ],
      marks: [labelMark({ narrow, left }), ...dotMarks()],
    };
  });
}

function dotMarks() {
  const middle = { field: 'y', offset: 9 };
  const colour = { signal: "'var(--' + datum.group + ')'" };
  const line = {
    x: { scale: 'x', field: 'low' },
    x2: { scale: 'x', field: 'high' },
    y: middle,
    stroke: colour,
    strokeWidth: { value: 3 },
    opacity: { value: 0.45 },
  };
  const dot = { x: { scale: 'x', field: 'value' }, y: middle, shape: { field: 'shape' }, size: { value: 70 }, fill: colour };
  return [
    { type: 'rule', from: { data: 'rows' }, encode: { enter: line } },
    { type: 'symbol', from: { data: 'dots' }, encode: { enter: { ...dot, stroke: { value: 'var(--page)' }, strokeWidth: { value: 1 } } } },
  ];
}

/**
 * Lines with a symbol at each point: series `{ name, points: [{ x, y }] }`, at most eight; x is an ordinal
 * axis.
 */
export function lines({ series, xTitle, yTitle, yFormat = '~s' }) {
  const points = series.flatMap((one, at) =>
    one.points.map((p) => ({ ...p, name: one.name, colour: seriesColour(at), shape: seriesShape(at) })),
  );
  const xs = [...new Set(points.map((p) => p.x))].toSorted((a, b) => a - b);
  const ys = points.map((p) => p.y).filter((y) => y > 0);
  const isLog = Math.max(...ys) > Math.min(...ys) * logFrom;
  const y = {
    name: 'y',
    domain: { data: 'points', field: 'y' },
    range: 'height',
    nice: true,
    ...(isLog ? { type: 'log' } : { type: 'linear', zero: true }),
  };
  return drawBoth((width) => ({
    height: width < 500 ? 260 : 320,
    data: [{ name: 'points', values: points }],
    scales: [{ name: 'x', type: 'point', domain: xs, range: 'width', padding: 0.3 }, y],
    axes: [
      { orient: 'bottom', scale: 'x', title: xTitle, format: ',' },
      {
        orient: 'left',
        scale: 'y',
        title: `${yTitle}${isLog ? ' (logarithmic)' : ''}`,
        grid: true,
        tickCount: 5,
        labelOverlap: true,
        format: yFormat,
      },
    ],
    marks: [
      {
        type: 'group',
        from: { facet: { name: 'one', data: 'points', groupby: 'name' } },
        marks: lineMarks(),
      },
    ],
  }));
}

function lineMarks() {
  const place = { x: { scale: 'x', field: 'x' }, y: { scale: 'y', field: 'y' } };
  const symbol = { ...place, fill: { field: 'colour' }, shape: { field: 'shape' }, size: { value: 64 }, stroke: { value: 'var(--page)' } };
  return [
    { type: 'line', from: { data: 'one' }, encode: { enter: { ...place, stroke: { field: 'colour' }, strokeWidth: { value: 2 } } } },
    { type: 'symbol', from: { data: 'one' }, encode: { enter: symbol } },
  ];
}
