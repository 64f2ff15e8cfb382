/**
 * Tells of processes and threads that are started without our hooks: with `--verbose` alone, because nobody
 * else wants to know.
 *
 * Watches `child_process.fork`, `node:cluster` and, where `threads.ts` does not map them, `Worker`. Changes
 * nothing that they do.
 */
import { syncBuiltinESMExports } from 'node:module';
import { tell } from '../terminal/tell.ts';
import { toPreloadFile, toRegisterFile, toRegisterTypescriptFile } from '../settings.ts';
import { areThreadsMapped } from './threads.ts';
import { readGlobal, setGlobal } from '../../host/globals.ts';

export function watchEscapes(binFile: string): void {
  if (readGlobal('fulmar.cli.escapes') !== undefined) return;
  setGlobal('fulmar.cli.escapes', true);
  const ours: ReadonlySet<string> = new Set([
    toPreloadFile(binFile),
    toRegisterFile(binFile),
    toRegisterTypescriptFile(binFile),
    'fulmar/register',
    'fulmar/register/typescript',
  ]);
  const isHooked = (words: readonly string[]): boolean => words.some((word) => ours.has(word.replace(/^--(?:import|require)=/, '')));
  watchForks(isHooked);
  watchCluster(isHooked);
  if (!areThreadsMapped()) watchThreads(isHooked);
  syncBuiltinESMExports();
}

type IsHooked = (words: readonly string[]) => boolean;

const nodeOptions = (env: NodeJS.ProcessEnv | undefined): string[] => ((env ?? process.env)['NODE_OPTIONS'] ?? '').split(' ');

interface ForkOptions {
  readonly execArgv?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

function watchForks(isHooked: IsHooked): void {
  const childProcess = process.getBuiltinModule('node:child_process');
  const { fork } = childProcess;
  childProcess.fork = function (this: unknown, file: string | URL, ...rest: unknown[]) {
    const options = rest.find((value) => typeof value === 'object' && value !== null && !Array.isArray(value)) as ForkOptions | undefined;
    if (!isHooked([...(options?.execArgv ?? process.execArgv), ...nodeOptions(options?.env)]))
      tell(`the process forked for ${String(file)} has other execArgv, and sees Node's own modules`);
    return Reflect.apply(fork, this, [file, ...rest]) as ReturnType<typeof fork>;
  } as typeof fork;
}

/** Workers of a cluster are not forked by way of the module. */
function watchCluster(isHooked: IsHooked): void {
  const cluster = process.getBuiltinModule('node:cluster');
  if (!cluster.isPrimary) return;
  cluster.on('fork', () => {
    const { execArgv, exec } = cluster.settings;
    if (!isHooked([...(execArgv ?? process.execArgv), ...nodeOptions(undefined)]))
      tell(`the cluster's worker for ${String(exec)} has other execArgv, and sees Node's own modules`);
  });
}

function watchThreads(isHooked: IsHooked): void {
  const threads = process.getBuiltinModule('node:worker_threads');
  threads.Worker = new Proxy(threads.Worker, {
    construct(target, args: [string | URL, { eval?: boolean; execArgv?: string[] }?], newTarget) {
      const [file, options] = args;
      const name = options?.eval === true ? 'made of a text' : String(file);
      if (!isHooked(options?.execArgv ?? []))
        tell(
          `the worker thread ${name} sees Node's own modules; with \`fulmar run --import fulmar/register\` it gets what the application gets`,
        );
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
}
