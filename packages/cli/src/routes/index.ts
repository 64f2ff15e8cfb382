/**
 * `fulmar routes`: loads an application under `fulmar run` with a probe in it that lets no server listen, and prints
 * its routes.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { resolve } from 'node:path';
import { distFolder } from '../../../fulmar/src/launch/settings.ts';
import { readVersion } from '../../../fulmar/src/launch/installed/version.ts';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import type { ListedRoute } from '../../../fulmar/src/app/registry/index.ts';
import { CommandError } from '../errors.ts';
import { printHelp } from '../help-text.ts';
import { checkEnvFiles } from '../probed.ts';
import { findTarget } from '../target.ts';
import { parseRoutesArguments, type RoutesOptions } from './arguments.ts';
import { routesHelp } from './help.ts';
import { MS_PER_S } from './limits.ts';
import type { ProbeReport } from './report-types.ts';
import { Session } from './session.ts';
import { placeIn, toTable } from './text.ts';

/** Resolves to the exit code. Rejects with a `CommandError` when the application does not get so far. */
export async function routes(argv: readonly string[], binFile: string): Promise<number> {
  const options = parseRoutesArguments(argv);
  if (options === 'help') {
    printHelp(routesHelp);
    return 0;
  }
  const target = findTarget(options.file, { name: 'routes', doing: 'listing the routes of' });
  checkEnvFiles(options.envFiles);
  const session = new Session({
    file: target.file,
    args: [...(target.args ?? []), ...options.args],
    envFiles: options.envFiles,
    binFile: resolve(binFile),
    dist: distFolder(resolve(binFile)),
    timeoutMs: options.startTimeoutS * MS_PER_S,
    openapi: options.openapi,
  });
  try {
    const report = await session.report();
    const problem = problemOf(report, options);
    if (report !== undefined)
      await print(report, options, { version: readVersion(binFile), file: target.name, isComplete: problem === undefined });
    if (problem !== undefined) throw new CommandError('FULMAR_CLI_ROUTES_START', `the application ${problem}. ${session.lastOutput()}`);
    return 0;
  } finally {
    await session.stop();
  }
}

/** What keeps the list from being all of it. */
function problemOf(report: ProbeReport | undefined, { startTimeoutS }: RoutesOptions): string | undefined {
  if (report === undefined) return `did nothing more within ${startTimeoutS} s and cannot be asked: it is busy, or was killed`;
  const { occasion, code, routes: found } = report;
  const listed = found.length === 0 ? 'It had registered no route by then' : `Routes that it had registered by then are listed`;
  if (occasion === 'timeout') return `did not want to listen within ${startTimeoutS} s; it may wait for a database. ${listed}`;
  return occasion === 'exit' && code !== 0 ? `ended before it listened (exit code ${code}). ${listed}` : undefined;
}

interface About {
  readonly version: string;
  readonly file: string;
  readonly isComplete: boolean;
}

async function print(report: ProbeReport, options: RoutesOptions, about: About): Promise<void> {
  if (report.openapi !== undefined) {
    // Half a document is none.
    if (!about.isComplete) return;
    if ('problem' in report.openapi)
      throw new CommandError('FULMAR_CLI_ROUTES_OPENAPI', `there is no document of this application: ${report.openapi.problem}`);
    return write(`${JSON.stringify(JSON.parse(report.openapi.text), undefined, 2)}\n`);
  }
  const found = report.routes.filter((route) => isWanted(route, options));
  if (options.json) return write(`${JSON.stringify(toJson(found, about), undefined, 2)}\n`);
  if (found.length > 0) return write(toTable(found, process.cwd()));
  if (about.isComplete) tell(report.routes.length === 0 ? 'no route was found' : `none of ${report.routes.length} routes is like that`);
}

function isWanted({ method, path }: ListedRoute, options: RoutesOptions): boolean {
  if (options.method !== undefined && method !== '*' && method !== options.method) return false;
  return options.path === undefined || path.startsWith(options.path);
}

function toJson(found: readonly ListedRoute[], { version, file, isComplete }: About): object {
  const listed = found.map((route) => ({ ...route, place: route.place === undefined ? null : placeIn(process.cwd(), route.place) }));
  return { tool: 'fulmar routes', schema: 1, version, target: file, isComplete, routes: listed };
}

function write(text: string): Promise<void> {
  return new Promise((done) => process.stdout.write(text, () => done()));
}
