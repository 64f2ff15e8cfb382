/**
 * What the figures stand on: machine, versions, commit, commands, contestants, the generator's validation,
 * failures and what is not there.
 */
import { code, details, heading, list, table, text } from '../blocks.mjs';
import { percent, megabytes, number } from '../format.mjs';
import { twinPlaces, twinRatios } from '../data.mjs';
import { noiseFloor, summarise } from '../maths.mjs';
import { notBuilt } from './claims.mjs';
import { labelOf } from '../entrants.mjs';
import { titleOf } from './scenarios.mjs';
import { withSpread } from '../format.mjs';

export function machineSection(data) {
  const { machine = {}, versions = {}, plan = {}, command, commit, date, finished, parts } = data.run;
  const facts = [
    ['machine', machine.name ?? '–'],
    ['processor', `${machine.cpu ?? '–'}, ${machine.cores ?? '–'} cores`],
    ['memory', megabytes(machine.memory_bytes)],
    ['kernel', machine.kernel ?? '–'],
    ...Object.entries(versions).map(([name, version]) => [name, version ?? 'not installed']),
    ['commit', `\`${commit}\``],
    ['begun', date ?? '–'],
    ['finished', finished ?? 'not finished: parts of the plan are missing'],
    ...(parts?.length > 1 ? [['resumed', `${parts.length - 1} times`]] : []),
  ];
  return [
    heading(2, 'Machine, versions, commands'),
    table('Machine and versions', ['what', 'value'], facts),
    text('Measured with, and this report made with:'),
    code(`${command}\nnode bench/report/build.mjs bench/results/${data.name}`),
    details('The plan: rounds and durations', JSON.stringify(plan, null, 1)),
  ];
}

export function noiseSection(data) {
  const rows = [
    ['cpu_us', 'CPU per reply'],
    ['rate', 'requests/s'],
    ['latency_p99', 'p99 at a fixed rate'],
    ['connections_rate', 'rate by connections'],
    ['first_reply_ms', 'cold start'],
    ['rss_idle', 'idle RSS'],
    ['rss_loaded', 'loaded RSS'],
  ].flatMap(([metric, title]) => twinPlaces(data, metric).map((place) => ({ title, place, ratios: twinRatios(data, place) })));
  const cells = rows
    .filter(({ ratios }) => ratios.length > 0)
    .map(({ title, place, ratios }) => [title, placeTitle(data, place), withSpread(summarise(ratios)), percent(noiseFloor(ratios), 1)]);
  const intro =
    'One server was measured twice under two names in every round. The noise floor is the largest distance from 1 of its ratio to itself; a difference below twice that is called none.';
  if (cells.length === 0) return [heading(2, 'Noise'), text('No server was measured twice in this run: nothing can be judged.')];
  return [
    heading(2, 'Noise'),
    text(intro),
    table('The same server against itself (A/A)', ['figure', 'where', '>ratio', '>noise floor'], cells),
  ];
}

function placeTitle(data, { scenario, connections, pool, routes, target_rate }) {
  const parts = [scenario === undefined ? undefined : titleOf(data, scenario)];
  if (pool !== undefined || (connections !== undefined && scenario === undefined)) parts.push(`${connections} connections`);
  if (pool !== undefined) parts.push(`${pool} pool`);
  if (routes !== undefined) parts.push(routes === 0 ? 'hello' : `${routes} routes`);
  if (target_rate !== undefined) parts.push(`${target_rate} requests/s`);
  return parts.filter((part) => part !== undefined).join(', ') || '–';
}

export function validationSection(data) {
  const { validation } = data.run;
  const blocks = [heading(2, 'The load generator, validated')];
  if (validation === null || validation === undefined)
    return [...blocks, text('Not validated in this run: rates and percentiles rest on the generator’s own tests alone.')];
  return [
    ...blocks,
    text(
      'Rules: throughput within 3 % of wrk, percentiles beside those of oha, and a server stopped for 2 s in a 30 s run shows a p99.9 of about 2 s.',
    ),
    ...validationTables(validation),
  ];
}

/** Plain values as one table; a list of objects as a table of its own. */
function validationTables(validation) {
  const plain = [];
  const tables = [];
  const walk = (path, value) => {
    const rows = Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row !== null);
    if (rows) tables.push(objectsTable(path, value));
    else if (Array.isArray(value)) plain.push([path, value.map((item) => shown(item)).join(', ')]);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) walk(path === '' ? name : `${path}, ${name}`, inner);
    else plain.push([path, shown(value)]);
  };
  walk('', validation);
  return [
    ...(plain.length > 0
      ? [
          table(
            'Validation',
            ['what', '>found'],
            plain.map(([path, value]) => [readable(path), value]),
          ),
        ]
      : []),
    ...tables,
  ];
}

function objectsTable(path, rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : shown(value));
  return table(
    `Validation: ${readable(path)}`,
    columns.map(readable),
    rows.map((row) => columns.map((name) => cell(row[name]))),
  );
}

const readable = (path) => path.replaceAll('_', ' ');

function shown(value) {
  if (typeof value === 'number') return Number.isInteger(value) ? value.toLocaleString('en-US') : number(value, 4);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === undefined || value === null ? '–' : String(value);
}

export function contestantsSection(data) {
  const rows = Object.entries(data.run.contestants ?? {}).map(([name, one]) => [
    one.title ?? name,
    one.package ? `\`${one.package}\`` : '–',
    one.version ?? '–',
    (one.runtimes ?? []).join(', '),
    one.style ?? '',
    Object.entries(one.leftOut ?? {})
      .map(([scenario, reason]) => `${scenario}: ${reason}`)
      .join('; '),
  ]);
  return [
    heading(2, 'Contestants'),
    text(
      'Each is the smallest honest program in the documented production style of its framework, under `bench/contestants/`. A runtime called `fulmar-…` runs the same unmodified file with `fulmar run`.',
    ),
    table('Contestants', ['contestant', 'package', 'version', 'runtimes', 'style', 'left out'], rows),
  ];
}

export function failuresSection(data) {
  const blocks = [heading(2, 'Failures and what is not measured')];
  const { failures } = data;
  if (failures.length === 0) blocks.push(text('No contestant failed.'));
  for (const { entrant, scenario, stage, log } of failures) {
    const name = entrant.includes('@') ? labelOf(data, entrant) : (data.run.contestants?.[entrant]?.title ?? entrant);
    blocks.push(details(`${name}${scenario ? `, ${scenario}` : ''}: failed to ${stage}`, String(log ?? '').trim() || 'no output'));
  }
  const missing = Object.entries(data.run.notMeasured ?? {}).map(([name, reason]) => `**${name}**: ${reason}`);
  if (missing.length > 0) blocks.push(text('Contestants that are not measured:'), list(missing));
  blocks.push(
    text('Parts of Fulmar that are not built yet, and so have no row anywhere:'),
    list(notBuilt.map(({ name, note }) => `**${name}**: ${note}`)),
  );
  return blocks;
}
