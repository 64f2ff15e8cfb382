/**
 * Before any load of a file: finds its port and routes, and compares the replies of both hosts.
 *
 * Starts the application twice on Node's own server, which shows what changes by itself, and once under
 * Fulmar and on the QuickJS host.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../../../fulmar/src/launch/errors.ts';
import { CommandError } from '../errors.ts';
import { type Answer, type Expectation, judge, type LeftOut } from './answers.ts';
import { freePort } from '../free-port.ts';
import { type Ports } from './application.ts';
import { canLoad, compiledHost, fulmarHost, type Host, isTypeScript, quickjsHost, stockHost } from './hosts.ts';
import { CANDIDATES_PER_ROUTE, VOLATILE_GAP_MS } from './limits.ts';
import { patternsOf, plainPaths, type ProbeResult } from './probe-result.ts';
import type { Origin } from './request.ts';
import { type Context, questionOf, type Visit, visit } from './visit.ts';

/** Everything that is needed to measure. */
export interface Prepared {
  readonly hosts: readonly Host[];
  /** Why stock Node is not among them. */
  readonly withoutStock: string | undefined;
  readonly ports: Ports;
  /** Where it always listens; `undefined`: on another port each time. */
  readonly origin: Origin | undefined;
  readonly expectations: readonly Expectation[];
  readonly leftOut: readonly LeftOut[];
  readonly frameworks: readonly string[];
  /** Paths that could be measured as well, and patterns that need values. */
  readonly others: { readonly plain: readonly string[]; readonly patterns: readonly string[] };
  /** The longest time the application took from its start to listening. */
  readonly startMs: number;
}

interface Reference {
  readonly visits: readonly Visit[];
  readonly withoutStock: string | undefined;
}

export async function prepare(context: Context): Promise<Prepared> {
  const { options, program } = context;
  const offered = options.port ?? (await freePort());
  const ports: Ports = { offered, expected: offered, others: options.port === undefined ? 'after a while' : 'never' };
  const { visits, withoutStock } = await visitReference(context, ports);
  const [first] = visits;
  if (first === undefined) throw new Error('a reference was visited');
  const known = knownPorts(ports, visits);
  const last = await visit(fulmarHost(program), context, { ports: known, earlier: first, choose: () => first.paths });
  const native = context.executable === undefined ? undefined : quickjsHost(context.executable, program);
  const more = native === undefined ? [] : [await visit(native, context, { ports: known, earlier: first, choose: () => first.paths })];
  const isNamed = options.paths.length > 0;
  const answersTo = (path: string, index: number): Parameters<typeof judge>[0] => {
    const pick = ({ answers }: Visit): Answer => answers[index] ?? 'nobody asked';
    return { path, isNamed, stock: visits.map(pick), fulmar: [last, ...more].map(pick) };
  };
  const judged = first.paths.map((path, index) => judge(answersTo(path, index), questionOf(options)));
  const right = judged.filter((one): one is Expectation => 'status' in one);
  const leftOut = judged.filter((one): one is LeftOut => 'reason' in one);
  if (right.length === 0) throw nothingToMeasure(leftOut, patternsOf(first.routes));
  const count = isNamed ? right.length : options.routes;
  const others = { plain: remaining(first, right.slice(0, count), leftOut), patterns: patternsOf(first.routes) };
  return {
    hosts: [...(withoutStock === undefined ? [stockHost(program)] : []), fulmarHost(program), ...(native === undefined ? [] : [native])],
    withoutStock,
    ports: known,
    origin: known.others === 'never' ? last.origin : undefined,
    expectations: right.slice(0, count),
    leftOut,
    frameworks: first.routes.frameworks,
    others: isNamed ? { plain: [], patterns: [] } : others,
    startMs: Math.max(...[...visits, last, ...more].map(({ startMs }) => startMs)),
  };
}

/** On stock Node; where that cannot load the source, on Node's own server all the same. */
async function visitReference(context: Context, ports: Ports): Promise<Reference> {
  const { file } = context.program;
  if (canLoad(file)) {
    try {
      return { visits: await visitTwice(context, stockHost, ports), withoutStock: undefined };
    } catch (error) {
      if (!isTypeScript(file) || !(error instanceof CliError)) throw error;
    }
  }
  const withoutStock = `Node ${process.versions.node} cannot run this file by itself (its TypeScript or JSX), so there is nothing to compare with`;
  return { visits: await visitTwice(context, compiledHost, ports), withoutStock };
}

async function visitTwice(context: Context, toHost: typeof stockHost, ports: Ports): Promise<Visit[]> {
  const { options, program, distFolder } = context;
  const isProbed = options.paths.length === 0;
  const flags = isProbed ? ['--require', join(distFolder, 'bench-probe.cjs')] : [];
  const choose = (routes: ProbeResult): readonly string[] => choosePaths(context, routes);
  const first = await visit(toHost(program, flags), context, { ports, isProbed, choose });
  const likely: Ports = { ...ports, expected: portOf(first) };
  await sleep(VOLATILE_GAP_MS);
  return [first, await visit(toHost(program), context, { ports: likely, earlier: first, choose: () => first.paths })];
}

const portOf = ({ origin }: Visit): number => Number(new URL(origin).port);

/**
 * Where an application listens that has been started before: always there, or, as with `listen(0)`, on
 * another port each time.
 */
function knownPorts(ports: Ports, visits: readonly Visit[]): Ports {
  const [port = ports.expected, ...more] = [...new Set(visits.map(portOf))];
  return { ...ports, expected: port, others: more.length === 0 ? 'never' : 'at once' };
}

function choosePaths({ options }: Context, routes: ProbeResult): readonly string[] {
  if (options.paths.length > 0) return [...new Set(options.paths)];
  const found = plainPaths(routes);
  return found.length === 0 ? ['/'] : found.slice(0, options.routes * CANDIDATES_PER_ROUTE);
}

/** Paths that were found and neither are measured nor left out. */
function remaining(first: Visit, measured: readonly Expectation[], leftOut: readonly LeftOut[]): string[] {
  const known = new Set([...measured, ...leftOut].map(({ path }) => path));
  return plainPaths(first.routes).filter((path) => !known.has(path));
}

function nothingToMeasure(leftOut: readonly LeftOut[], patterns: readonly string[]): CommandError {
  const reasons = leftOut.map(({ path, reason }) => `\n  ${path}: ${reason}`).join('');
  const hint = patterns.length === 0 ? '' : ` (routes that need values: ${patterns.join(', ')})`;
  return new CommandError('FULMAR_CLI_BENCH_ANSWERS', `nothing to measure:${reasons}\nName a path that answers with --path${hint}.`);
}
