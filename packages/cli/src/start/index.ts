/**
 * `fulmar start`: runs what `fulmar build` made of a project, in production; a file for Node as `fulmar run` does, an executable
 * in a process below this one.
 */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type RunOptions, toDrainTimeout, toWorkers } from '../arguments.ts';
import { CommandError } from '../errors.ts';
import { printHelp } from '../help-text.ts';
import { type OptionTable, takeOption } from '../option-table.ts';
import { followChild, spawnChild } from '../run/wrapper.ts';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import { findBuilt, newerSource } from './find.ts';
import { startHelp } from './help.ts';

interface Draft {
  folder: string | undefined;
  native: boolean;
  workers: number | 'auto' | undefined;
  envFiles: string[];
  drainTimeoutMs: number | undefined;
  verbose: boolean;
  help: boolean;
}

const rules: OptionTable<Draft>['rules'] = {
  '--workers': { take: (draft, value) => void (draft.workers = toWorkers(value)), value: 'a number of processes, or auto' },
  '--native': { set: (draft) => void (draft.native = true) },
  '--env-file': { take: (draft, value) => void draft.envFiles.push(value), value: 'a file' },
  '--drain-timeout': { take: (draft, value) => void (draft.drainTimeoutMs = toDrainTimeout(value)), value: 'a number of seconds' },
  '--verbose': { set: (draft) => void (draft.verbose = true) },
  '--help': { set: (draft) => void (draft.help = true) },
};
const shortNames: Readonly<Record<string, string>> = { '-w': '--workers', '-h': '--help' };
const table: OptionTable<Draft> = { command: 'start', rules, shortNames };

/** What `fulmar run` has to do; `undefined`: that is done. Throws a `CommandError` where nothing is built. */
export function prepareStart(argv: readonly string[]): RunOptions | undefined {
  const draft = parse(argv);
  if (draft.help) {
    printHelp(startHelp);
    return undefined;
  }
  const { folder, native, workers, envFiles, drainTimeoutMs, verbose } = draft;
  const needsNode = workers !== undefined || drainTimeoutMs !== undefined;
  if (native && needsNode)
    throw new CommandError(
      'FULMAR_CLI_INVALID_VALUE',
      '--workers and --drain-timeout are for dist/server.mjs, and --native runs the executable: give one of them',
    );
  const built = findBuilt(folder, { native, needsNode });
  const newer = newerSource(built);
  if (newer !== undefined) tell(`${newer} is newer than what is started: fulmar build makes it anew`);
  if (!envFiles.some(namesNodeEnv)) process.env['NODE_ENV'] ??= 'production';
  if (built.native) {
    for (const file of envFiles) readEnv(file, () => process.loadEnvFile(file));
    become(built.file);
    return undefined;
  }
  return {
    kind: 'run',
    file: built.file,
    args: [],
    alias: true,
    native: false,
    polyglot: false,
    workers,
    watch: false,
    envFiles,
    verbose,
    drainTimeoutMs,
    nodeFlags: [],
  };
}

/** This process is the executable from here on; where Node cannot do that, one below it is. */
function become(file: string): void {
  const { execve } = process as { execve?: (file: string, argv: string[], env: NodeJS.ProcessEnv) => never };
  if (execve !== undefined && process.send === undefined) {
    // Node calls it experimental, on standard error, with each use.
    process.removeAllListeners('warning');
    execve.call(process, file, [file], process.env);
  }
  followChild(spawnChild(file, [], { channel: false, isWatcher: false }));
}

function parse(argv: readonly string[]): Draft {
  const draft: Draft = {
    folder: undefined,
    native: false,
    workers: undefined,
    envFiles: [],
    drainTimeoutMs: undefined,
    verbose: false,
    help: false,
  };
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word.startsWith('-')) {
      if (takeOption(table, draft, word, argv[index + 1])) index += 1;
    } else if (draft.folder === undefined && word !== '') draft.folder = word;
    else throw new CommandError('FULMAR_CLI_INVALID_VALUE', `fulmar start takes one folder, got "${draft.folder ?? ''}" and "${word}"`);
  }
  return draft;
}

/** What a file says goes before what is usual. */
const namesNodeEnv = (file: string): boolean => readEnv(file, () => Object.hasOwn(parseEnv(readFileSync(file, 'utf8')), 'NODE_ENV'));

function readEnv<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new CommandError('FULMAR_CLI_ENV_FILE', `cannot read the environment file ${file}: ${(cause as Error).message}`, { cause });
  }
}
