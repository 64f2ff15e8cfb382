/**
 * Reads the command line: `fulmar <command> [options] <file> [arguments of the application]`.
 *
 * By hand, because it runs before every application and `node:util`'s parser costs more than it saves here.
 * Touches no file.
 */
import { CommandError } from './errors.ts';
import { moreNodeFlags } from './run/node-flags.ts';
import { WORKERS_MAX } from './settings.ts';
import { applyRule, findRule, type OptionTable, splitOption, unknownOption } from './option-table.ts';
import { nearest } from './suggest.ts';

export interface RunOptions {
  readonly kind: 'run';
  readonly file: string;
  /** What the application finds in `process.argv` from index 2. */
  readonly args: readonly string[];
  readonly alias: boolean;
  /** On the QuickJS host instead of Node. */
  readonly native: boolean;
  /** With the global `Polyglot`. */
  readonly polyglot: boolean;
  /** `undefined`: this process alone. `'auto'`: as many as there are cores. */
  readonly workers: number | 'auto' | undefined;
  readonly watch: boolean;
  readonly envFiles: readonly string[];
  readonly verbose: boolean;
  /** `undefined`: the default, which depends on the signal. */
  readonly drainTimeoutMs: number | undefined;
  /** Options of Node itself, in order. */
  readonly nodeFlags: readonly string[];
}

/** Without a file: what `package.json` of this folder starts. */
export type UnnamedRun = Omit<RunOptions, 'file'> & { readonly file: undefined };

/** Commands whose arguments are read by the part that only they load. */
export type PartCommand = (typeof partCommands)[number];

export type HelpTopic = 'run' | PartCommand;

export type Command =
  | RunOptions
  | UnnamedRun
  | { readonly kind: Exclude<PartCommand, 'start'>; readonly argv: readonly string[] }
  | { readonly kind: 'start'; readonly argv: readonly string[] }
  | { readonly kind: 'help'; readonly topic: HelpTopic | undefined }
  | { readonly kind: 'version' };

const partCommands = ['dev', 'build', 'start', 'bench', 'doctor', 'routes', 'info', 'new', 'generate', 'polyglot'] as const;
/** As users of Nest type it. */
const aliases: Readonly<Record<string, PartCommand>> = { g: 'generate' };
const commands = ['run', ...partCommands, 'help', 'version'] as const;

interface Draft {
  alias: boolean;
  native: boolean;
  polyglot: boolean;
  workers: number | 'auto' | undefined;
  watch: boolean;
  envFiles: string[];
  verbose: boolean;
  drainTimeoutMs: number | undefined;
  nodeFlags: string[];
  help: boolean;
}

const MS_PER_S = 1_000;

/** Our options; what is not here may be one of Node's. */
const rules: OptionTable<Draft>['rules'] = {
  '--no-alias': { set: (draft) => void (draft.alias = false) },
  '--native': { set: (draft) => void (draft.native = true) },
  '--polyglot': { set: (draft) => void (draft.polyglot = true) },
  '--workers': { take: (draft, value) => void (draft.workers = toWorkers(value)), value: 'a number of processes, or auto' },
  '--watch': { set: (draft) => void (draft.watch = true) },
  '--env-file': { take: (draft, value) => void draft.envFiles.push(value), value: 'a file' },
  '--verbose': { set: (draft) => void (draft.verbose = true) },
  '--drain-timeout': { take: (draft, value) => void (draft.drainTimeoutMs = toDrainTimeout(value)), value: 'a number of seconds' },
  '--help': { set: (draft) => void (draft.help = true) },
};

const shortNames: Readonly<Record<string, string>> = { '-w': '--workers', '-h': '--help' };
const table: OptionTable<Draft> = { command: 'run', rules, shortNames };

/** Options of Node whose value may be an argument of its own. */
const nodeFlagsWithValue: ReadonlySet<string> = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '-C',
  '--conditions',
  '--cpu-prof-dir',
  '--cpu-prof-interval',
  '--cpu-prof-name',
  '--title',
  '--env-file-if-exists',
  '--diagnostic-dir',
  '--dns-result-order',
  '--icu-data-dir',
  '--inspect-port',
  '--max-http-header-size',
  '--openssl-config',
  '--redirect-warnings',
  '--report-dir',
  '--report-directory',
  '--trace-event-categories',
  '--unhandled-rejections',
  '--watch-path',
]);

/** Throws a `CommandError` for anything it does not understand. */
export function parseArguments(argv: readonly string[]): Command {
  const [word, ...rest] = argv;
  const command = toCommand(word);
  switch (command) {
    case 'run':
      return parseRun(rest);
    case 'dev':
    case 'build':
    case 'start':
    case 'bench':
    case 'doctor':
    case 'routes':
    case 'info':
    case 'new':
    case 'generate':
    case 'polyglot':
      return { kind: command, argv: rest };
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      return parseHelp(rest[0]);
    case 'version':
    case '--version':
    case '-v':
      return { kind: 'version' };
    default:
      throw unknownCommand(command);
  }
}

const toCommand = (word: string | undefined): string | undefined =>
  word !== undefined && Object.hasOwn(aliases, word) ? aliases[word] : word;

function parseHelp(word: string | undefined): Command {
  const topic = toCommand(word);
  const topics: readonly (string | undefined)[] = [undefined, 'run', ...partCommands];
  if (!topics.includes(topic)) throw unknownCommand(String(topic));
  return { kind: 'help', topic: topic as HelpTopic | undefined };
}

function unknownCommand(word: string): CommandError {
  if (word.startsWith('-')) return unknownOption({ command: 'run', rules: { '--help': 'help', '--version': 'version' } }, word);
  if (/[./\\]/.test(word))
    return new CommandError('FULMAR_CLI_UNKNOWN_COMMAND', `unknown command "${word}". To run a file: fulmar run ${word}`);
  const near = nearest(word, commands);
  const hint = near === undefined ? 'See `fulmar --help`.' : `Did you mean "${near}"?`;
  return new CommandError('FULMAR_CLI_UNKNOWN_COMMAND', `unknown command "${word}". ${hint}`);
}

function parseRun(argv: readonly string[]): Command {
  const draft: Draft = {
    alias: true,
    native: false,
    polyglot: false,
    workers: undefined,
    watch: false,
    envFiles: [],
    verbose: false,
    drainTimeoutMs: undefined,
    nodeFlags: [],
    help: false,
  };
  let index = 0;
  for (; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') {
      index += 1;
      break;
    }
    if (word === '-' || !word.startsWith('-')) break;
    if (takeRunOption(draft, word, argv[index + 1])) index += 1;
  }
  if (draft.help) return { kind: 'help', topic: 'run' };
  const { help: _help, ...options } = draft;
  const file = argv[index];
  if (file === undefined) return { kind: 'run', file, args: [], ...options };
  // As of a variable that is not set: not the same as none.
  if (file === '') throw new CommandError('FULMAR_CLI_MISSING_FILE', 'the name of the file is empty');
  return { kind: 'run', file, args: argv.slice(index + 1), ...options };
}

/** Applies one option, ours or Node's. True when its value was the next word. */
function takeRunOption(draft: Draft, word: string, next: string | undefined): boolean {
  const workers = /^-w(\d+)$/.exec(word)?.[1];
  const written = workers === undefined ? splitOption(word) : { name: '-w', inline: workers };
  const rule = findRule(table, written.name);
  return rule === undefined ? takeNodeFlag(draft, word, written.name, next) : applyRule(table, rule, draft, { ...written, next });
}

function takeNodeFlag(draft: Draft, word: string, name: string, next: string | undefined): boolean {
  if (/^(?:--port$|-p\d*$)/.test(name)) throw portIsTheirs(name);
  if (!isNodeFlag(name)) throw unknownOption(table, name);
  draft.nodeFlags.push(word);
  if (!nodeFlagsWithValue.has(name) || word !== name) return false;
  if (next === undefined) throw new CommandError('FULMAR_CLI_MISSING_VALUE', `${name} needs a value`);
  draft.nodeFlags.push(next);
  return true;
}

/**
 * The application decides where it listens: an option that were taken and did nothing would be worse than
 * none.
 */
function portIsTheirs(name: string): CommandError {
  const text = `fulmar run has no ${name}: the application chooses its port, most by the variable PORT (PORT=8080 fulmar run app.js), and where it reads ${name} itself, that goes behind the file.`;
  return new CommandError('FULMAR_CLI_UNKNOWN_OPTION', text);
}

function isNodeFlag(name: string): boolean {
  return moreNodeFlags.includes(name) || nodeFlagsWithValue.has(name) || process.allowedNodeEnvironmentFlags.has(name);
}

export function toWorkers(value: string): number | 'auto' {
  if (value === 'auto' || value === '0') return 'auto';
  const count = Number(value);
  if (Number.isInteger(count) && count > 0 && count <= WORKERS_MAX) return count;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--workers needs a whole number from 0 to ${WORKERS_MAX}, or auto; got "${value}"`);
}

export function toDrainTimeout(value: string): number {
  const seconds = Number(value);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * MS_PER_S;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--drain-timeout needs a number of seconds, got "${value}"`);
}
