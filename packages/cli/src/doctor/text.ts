/**
 * A report as a page of text: what was started, imports, routes, middleware, replies, findings. Pure
 * functions.
 */
import { basename, relative } from 'node:path';
import type { Paint } from '../../../fulmar/src/launch/terminal/paint.ts';
import { describeGuest } from '../guests.ts';
import { costOf, describeEffects } from './effects.ts';
import { titleOf } from './findings.ts';
import { IMPORTERS_TOLD_MAX, ROUTES_TOLD_MAX } from './limits.ts';
import { type ApplicationReport, type HandlerReport, reasonsOf, type Report, type RequestReport, type ServerReport } from './report.ts';

export interface PageOptions {
  readonly width: number;
  readonly verbose: boolean;
}

/** Columns of a table that may be long are cut at this width. */
const COLUMN_WIDTH_MAX = 44;
/** What is left to the last column, even where the others are wide. */
const LAST_COLUMN_MIN = 30;
/** Text is folded at this width at most. */
const TEXT_WIDTH_MAX = 110;

export function toText(report: Report, options: PageOptions): string {
  const blocks = [
    started(report, options),
    imports(report, options),
    guestsBlock(report, options),
    ...report.applications.flatMap((application, index) => [
      routesBlock(application, titleOfApplication(report, index), options),
      middlewareBlock(application, titleOfApplication(report, index), options),
    ]),
    listenersBlock(report, options),
    requestsBlock(report, options),
    findingsBlock(report, options),
    verdict(report, options),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** The page with its titles in colours; what is wrong is red, what is slow yellow. Changes no text. */
export function paintPage(page: string, paint: Paint): string {
  const blocks = page.split('\n\n').map((block) => {
    const end = block.indexOf('\n');
    if (block.startsWith(' ')) return block;
    // What is one line is a sentence.
    if (end < 0 || end === block.length - 1) return paint.bold(block.trimEnd()) + block.slice(block.trimEnd().length);
    const title = block.slice(0, end);
    const style = title === headings.problem ? paint.red : title === headings.slow ? paint.yellow : paint.bold;
    return style(title) + block.slice(end);
  });
  return blocks.join('\n\n');
}

function started(report: Report, options: PageOptions): string {
  const { target, version, node, platform, engine, startMs, servers } = report;
  const head = `fulmar doctor: ${target.file}, Fulmar ${version}, Node ${node}, ${platform}`;
  const rows = [
    ['started', `fulmar run ${target.file} (${target.format}; from ${target.source}), NODE_ENV=${target.nodeEnv}`],
    ['listening', `after ${Math.round(startMs)} ms`],
    ['engine', engine.isLoaded ? `loaded, ${basename(engine.file ?? '')}` : 'not loaded: no server of this application runs on Fulmar'],
    ...servers.map((server) => ['server', describeServer(server, report)]),
  ];
  return `${head}\n\n${table(rows, options)}`;
}

function describeServer(server: ServerReport, report: Report): string {
  const { kind, host, address, process: owner, processes, listeners } = server;
  const where =
    address === null
      ? 'closed'
      : 'path' in address
        ? address.path
        : `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
  const whose =
    owner === 'main'
      ? ''
      : ` in ${processes > 1 ? `${processes} ${owner === 'forked' ? 'forked processes' : `${owner}s`}` : `a ${owner === 'forked' ? 'forked process' : owner}`}`;
  const request = listeners.find(({ event }) => event === 'request')?.names ?? [];
  const others = listeners.filter(({ event }) => !['request', 'connection', 'secureConnection'].includes(event)).map(({ event }) => event);
  const taker = server.application === null ? request.join(', ') || 'nobody' : titleOfApplication(report, server.application);
  const more = others.length === 0 ? '' : `, listens for ${others.join(', ')}`;
  return `${kind} on ${where}${whose}, ${host === 'Fulmar' ? 'on Fulmar' : 'on Node’s own server'}; requests go to ${taker}${more}`;
}

function titleOfApplication({ applications }: Report, index: number): string {
  const { framework = '', mountPath = '' } = applications[index] ?? {};
  const alone = applications.filter((one) => one.framework === framework).length === 1;
  return alone
    ? `the ${framework} application`
    : `${framework} application ${index + 1}${mountPath === '' ? '' : ` (mounted at ${mountPath})`}`;
}

function imports({ imports: { aliased, kept, packages } }: Report, options: PageOptions): string {
  const rows = [
    ...aliased.map(({ specifier, leadsTo, found, importers }) => [
      named(specifier, found),
      `→ ${leadsTo}`,
      `${found === null ? '' : `${shown(found.folder)}, `}for ${some(importers, options)}`,
    ]),
    ...kept.map(({ specifier, found, importers, reason }) => [
      named(specifier, found),
      'stays',
      `for ${some(importers, options)}; ${reason}`,
    ]),
  ];
  return rows.length === 0 ? '' : `Imports (${packages} ${packages === 1 ? 'package is' : 'packages are'} used)\n${table(rows, options)}`;
}

function guestsBlock({ guests }: Report, options: PageOptions): string {
  const rows = guests.map((guest) => [guest.language, describeGuest(guest)]);
  return rows.length === 0 ? '' : `Other languages\n${table(rows, options)}`;
}

function named(specifier: string, found: { readonly version: string | null } | null): string {
  return found?.version == null ? specifier : `${specifier} ${found.version}`;
}

function some(importers: readonly string[], { verbose }: PageOptions): string {
  const told = verbose ? importers : importers.slice(0, IMPORTERS_TOLD_MAX);
  const more = importers.length - told.length;
  return told.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function routesBlock(application: ApplicationReport, title: string, options: PageOptions): string {
  const { routes } = application;
  const isCompiled = application.framework === 'Express' && application.implementation === 'Fulmar';
  if (routes.length === 0) return '';
  const inTree = routes.filter(({ matching }) => matching.way === 'tree').length;
  const sum = isCompiled ? `${inTree} of ${routes.length} found in the tree` : `${routes.length}, matched by npm’s router`;
  const order = [...routes.filter(({ matching }) => matching.way !== 'tree'), ...routes.filter(({ matching }) => matching.way === 'tree')];
  const told = options.verbose || !isCompiled ? order : order.slice(0, ROUTES_TOLD_MAX);
  const rows = told.map(({ methods, path, matching }) => [
    methods.join(','),
    path,
    isCompiled ? matching.way : '',
    isCompiled ? (matching.reason ?? '') : '',
  ]);
  const rest = routes.length - told.length;
  const kinds = order.slice(told.length).every(({ matching }) => matching.way === 'tree') ? ', all in the tree' : '';
  const more = rest > 0 ? `\n  … ${rest} more${kinds} (--verbose)` : '';
  return `Routes of ${title}: ${sum}\n${table(rows, options)}${more}`;
}

function middlewareBlock({ middleware }: ApplicationReport, title: string, options: PageOptions): string {
  if (middleware.length === 0) return '';
  const rows = middleware.map((handler) => [
    handler.path,
    titleOf(handler) + (handler.kind === 'middleware' ? '' : ` [${handler.kind}]`),
    handler.kind === 'router' && handler.requests === 0 ? '' : handler.requests === 0 ? 'not seen' : handler.cost,
    [visible(handler, options), placeOf(handler), testedBy(handler.matching)].filter((part) => part !== '').join('; '),
  ]);
  return `Middleware of ${title}, in order\n${table(rows, options)}`;
}

function testedBy({ way, reason }: { readonly way: string; readonly reason?: string }): string {
  return way === 'tested' ? `tested for every path: ${reason ?? ''}` : '';
}

/** Effects that cost something; with `--verbose` all. */
function visible({ effects }: Pick<HandlerReport, 'effects'>, { verbose }: PageOptions): string {
  return describeEffects(verbose ? effects : effects.filter((effect) => costOf(effect) !== 'little'));
}

function placeOf({ name, from, place }: HandlerReport): string {
  return place !== null && from === 'application' && (name === 'anonymous' || name === 'handler')
    ? `${shown(place.file)}:${place.line}`
    : '';
}

function listenersBlock({ servers }: Report, options: PageOptions): string {
  const handlers = servers.flatMap((server) => server.handlers.filter(({ requests }) => requests > 0));
  const rows = handlers.map((handler) => [
    titleOf(handler),
    handler.cost,
    visible(handler, options) || 'nothing that costs',
    placeOf(handler),
  ]);
  return rows.length === 0 ? '' : `Request listeners\n${table(rows, options)}`;
}

const ways: Readonly<Record<RequestReport['way'], string>> = {
  'packed with engine ETag': 'in one piece, ETag by the engine',
  packed: 'in one piece',
  streamed: 'streamed',
  none: 'not ended yet',
  'outside Fulmar': 'not seen by Fulmar',
  unknown: '',
};

function requestsBlock({ requests }: Report, options: PageOptions): string {
  if (requests.length === 0) return '';
  const rows = requests.map((request) => [
    `${request.method} ${request.path}`,
    request.status === null ? 'no reply' : String(request.status),
    request.error ?? ways[request.way],
    request.error === null ? reasonsOf(request).join('; ') : '',
  ]);
  return `Replies\n${table(rows, options)}`;
}

const headings = { problem: 'Problems', slow: 'What makes it slower', note: 'Good to know' } as const;

function findingsBlock({ findings }: Report, { width }: PageOptions): string {
  const blocks = (['problem', 'slow', 'note'] as const).map((severity) => {
    const those = findings.filter((finding) => finding.severity === severity);
    const lines = those.map(({ what, advice }) => fold(`- ${what}. ${advice}.`, width));
    return lines.length === 0 ? '' : `${headings[severity]}\n${lines.join('\n')}`;
  });
  return blocks.filter((block) => block !== '').join('\n\n');
}

function verdict({ findings, requests: asked, engine, applications }: Report, { width }: PageOptions): string {
  const problems = findings.filter(({ severity }) => severity === 'problem').length;
  const found = problems === 0 ? 'No problem found' : `${problems} ${problems === 1 ? 'problem' : 'problems'} found`;
  if (!engine.isLoaded) return `${found}, but nothing runs on Fulmar.`;
  if (asked.length === 0) return `${found}; no request was sent.`;
  const requests = asked.filter(({ error }) => error === null);
  if (requests.length === 0) return `${found}; no reply came.`;
  // Where entity tags are not the engine's, JavaScript computes them.
  const isTagged = applications.some(({ settings }) => settings.length > 0);
  const isShort = (request: RequestReport): boolean =>
    reasonsOf(request).length === 0 && (isTagged ? request.way === 'packed with engine ETag' : request.way.startsWith('packed'));
  const short = requests.filter(isShort).length;
  const whole = requests.filter(({ way }) => way.startsWith('packed')).length - short;
  const streamed = requests.filter(({ way }) => way === 'streamed').length;
  const unknown = requests.filter(({ way }) => way === 'unknown').length;
  const counts = [
    `${short} took the short way`,
    `${whole} left in one piece, but not the short way`,
    `${streamed} streamed`,
    `${unknown} came before the application ended, in a way that is not known`,
  ];
  const told = counts.filter((count) => !count.startsWith('0 '));
  return fold(
    `${found}. Of ${requests.length} ${requests.length === 1 ? 'reply' : 'replies'}, ${told.join(', ') || 'none came from Fulmar'}.`,
    width,
  );
}

/** Aligned columns; the last one is folded. */
function table(rows: readonly (readonly string[])[], { width }: PageOptions): string {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count - 1 }, (_, column) =>
    Math.min(COLUMN_WIDTH_MAX, Math.max(...rows.map((row) => [...(row[column] ?? '')].length))),
  );
  return rows
    .map((row) => {
      const cells = widths.map((size, column) => (row[column] ?? '').padEnd(size));
      const start = `  ${cells.join('  ')}  `;
      return fold(
        (start + (row[count - 1] ?? '')).trimEnd(),
        width,
        ' '.repeat(Math.min(start.length, Math.max(0, width - LAST_COLUMN_MIN))),
      );
    })
    .join('\n');
}

/** Breaks a text between words; lines after the first begin with `indent`. */
function fold(text: string, width: number, indent = '  '): string {
  const limit = Math.min(Math.max(width, indent.length + 20), TEXT_WIDTH_MAX);
  const lines: string[] = [];
  let line = text;
  while (line.length > limit) {
    const at = line.lastIndexOf(' ', limit);
    if (at <= indent.length + 2) break;
    lines.push(line.slice(0, at).trimEnd());
    line = indent + line.slice(at + 1);
  }
  return [...lines, line].join('\n');
}

/** A path as it is seen from here. */
function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') ? path : short;
}
