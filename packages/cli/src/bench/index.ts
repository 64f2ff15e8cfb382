/**
 * `fulmar bench`: measures the user's own application on stock Node and on Fulmar, or a server that runs.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../errors.ts';
import { printHelp } from '../help-text.ts';
import { findEntry } from '../entry.ts';
import { benchHelp } from './help.ts';
import { paintFor } from '../../../fulmar/src/launch/terminal/paint.ts';
import { distFolder } from '../../../fulmar/src/launch/settings.ts';
import { findTarget } from '../target.ts';
import { widthOf } from '../text-width.ts';
import { benchAddress, findServer } from './address.ts';
import { type BenchOptions, isAddress, parseBenchArguments } from './arguments.ts';
import { installCleanUp } from './children.ts';
import { benchFile } from './file.ts';
import { findLoadGenerator } from './load.ts';
import { pin, unpinned, waitForQuiet } from './machine.ts';
import { QUIET_WAIT_MS, MS_PER_S } from './limits.ts';
import { createProgress } from './progress.ts';
import type { Report } from './report.ts';
import type { Setting } from './setting-types.ts';
import { toText } from './table.ts';

/** Resolves to the exit code. Rejects with a `CommandError` for what the user can do something about. */
export async function bench(argv: readonly string[], binFile: string): Promise<number> {
  const parsed = parseBenchArguments(argv);
  if (parsed === 'help') {
    printHelp(benchHelp);
    return 0;
  }
  const options = parsed.target === '' ? { ...parsed, target: unnamedTarget() } : parsed;
  const report = await measureTarget(options, binFile);
  const { stdout } = process;
  stdout.write(options.json ? `${JSON.stringify(report, undefined, 2)}\n` : toText(report, widthOf(stdout), paintFor(stdout)));
  return report.routes.some((route) => route.void === null) ? 0 : 1;
}

function unnamedTarget(): string {
  const { name, project } = findTarget(undefined, { name: 'bench', doing: 'measuring' });
  if (project === undefined) return name;
  throw new CommandError(
    'FULMAR_CLI_BENCH_PROJECT',
    'a folder of routes runs on Fulmar alone, and bench compares with stock Node. Start it (fulmar run) and name its address: fulmar bench http://localhost:3000/',
  );
}

async function measureTarget(options: BenchOptions, binFile: string): Promise<Report> {
  if (process.platform !== 'linux' || !existsSync('/proc/self/stat')) {
    throw new CommandError(
      'FULMAR_CLI_BENCH_PLATFORM',
      `fulmar bench reads CPU time, memory and ports from /proc, which ${process.platform} does not have here; run it on Linux, in a container for example`,
    );
  }
  // What cannot be measured is told before the machine is watched.
  const server = isAddress(options.target) ? await findServer(options) : undefined;
  const application = server === undefined ? findEntry(options.target) : undefined;
  const dist = distFolder(binFile);
  const loadProgram = findLoadGenerator(dist, application);
  installCleanUp();
  const progress = createProgress();
  try {
    progress.step('looking whether the machine is quiet …');
    const quiet = await waitForQuiet(options.wait ? QUIET_WAIT_MS : 0, (share) =>
      progress.say(
        `fulmar: other processes use ${Math.round(share * 100)} % of the CPU time; waiting for a quiet machine, ${QUIET_WAIT_MS / MS_PER_S} s at most.`,
      ),
    );
    const pinning = server === undefined ? pin() : unpinned('the server runs already');
    const setting: Setting = { binFile, distFolder: dist, loadProgram, version: readVersion(dist), pinning, quiet, progress };
    return await (server === undefined ? benchFile(options, setting) : benchAddress(options, setting, server));
  } finally {
    progress.end();
  }
}

function readVersion(dist: string): string {
  return (JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8')) as { version: string }).version;
}
