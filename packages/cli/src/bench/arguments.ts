/**
 * Reads the command line of `fulmar bench`. Options may stand before and after the file; what follows `--` is
 * the application's.
 *
 * Touches no file and starts nothing.
 */
import { CommandError } from '../errors.ts';
import { type OptionTable, takeWords } from '../option-table.ts';
import { toHeader, toMethod, toPath } from '../request-options.ts';
import {
  CONNECTIONS_DEFAULT,
  CONNECTIONS_MAX,
  DURATION_S_MAX,
  PORT_MAX,
  ROUNDS_DEFAULT,
  ROUNDS_MAX,
  ROUTES_DEFAULT,
  ROUTES_MAX,
  START_TIMEOUT_S_DEFAULT,
  STARTS_DEFAULT,
  STARTS_MAX,
} from './limits.ts';

export interface BenchOptions {
  /** A file to run, or `http://…` of a server that runs already. */
  readonly target: string;
  /** What the application finds in `process.argv` from index 2. */
  readonly args: readonly string[];
  readonly paths: readonly string[];
  readonly method: string;
  /** `name: value`. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
  /** Of one measurement; `undefined`: as long as fits the time of a default run. */
  readonly durationS: number | undefined;
  readonly rounds: number;
  readonly connections: number;
  readonly routes: number;
  readonly starts: number;
  readonly port: number | undefined;
  /** Measure the application as an executable too. */
  readonly native: boolean;
  readonly startTimeoutS: number;
  /** Wait for a quiet machine. */
  readonly wait: boolean;
  readonly json: boolean;
  readonly allowRemote: boolean;
}

type Draft = { -readonly [Key in keyof BenchOptions]: BenchOptions[Key] } & { help: boolean; paths: string[]; headers: string[] };

const rules: OptionTable<Draft>['rules'] = {
  '--path': { take: (draft, value) => void draft.paths.push(toPath(value)), value: 'a path, as /users?page=1' },
  '--method': { take: (draft, value) => void (draft.method = toMethod(value)), value: 'a method, as POST' },
  '--header': { take: (draft, value) => void draft.headers.push(toHeader(value)), value: 'a header, as "name: value"' },
  '--body': { take: (draft, value) => void (draft.body = value), value: 'a text' },
  '--duration': {
    take: (draft, value) => void (draft.durationS = toNumber('--duration', value, { min: 0.1, max: DURATION_S_MAX })),
    value: 'a number of seconds',
  },
  '--rounds': { take: (draft, value) => void (draft.rounds = toCount('--rounds', value, { min: 1, max: ROUNDS_MAX })), value: 'a number' },
  '--connections': {
    take: (draft, value) => void (draft.connections = toCount('--connections', value, { min: 1, max: CONNECTIONS_MAX })),
    value: 'a number',
  },
  '--routes': { take: (draft, value) => void (draft.routes = toCount('--routes', value, { min: 1, max: ROUTES_MAX })), value: 'a number' },
  '--starts': { take: (draft, value) => void (draft.starts = toCount('--starts', value, { min: 0, max: STARTS_MAX })), value: 'a number' },
  '--port': { take: (draft, value) => void (draft.port = toCount('--port', value, { min: 1, max: PORT_MAX })), value: 'a port' },
  '--start-timeout': {
    take: (draft, value) => void (draft.startTimeoutS = toNumber('--start-timeout', value, { min: 0.1, max: DURATION_S_MAX })),
    value: 'a number of seconds',
  },
  '--native': { set: (draft) => void (draft.native = true) },
  '--no-wait': { set: (draft) => void (draft.wait = false) },
  '--json': { set: (draft) => void (draft.json = true) },
  '--allow-remote': { set: (draft) => void (draft.allowRemote = true) },
  '--help': { set: (draft) => void (draft.help = true) },
};

const shortNames: Readonly<Record<string, string>> = {
  '-h': '--help',
  '-X': '--method',
  '-H': '--header',
  '-c': '--connections',
  '-d': '--duration',
};

const table: OptionTable<Draft> = {
  command: 'bench',
  rules,
  shortNames,
  mayBeEmpty: ['--body'],
  takesDashes: true,
  nodeAdvice: 'Options of Node go into NODE_OPTIONS, for both hosts.',
};

/**
 * `target` is empty where none was named. `'help'` when that is asked for. Throws a `CommandError` for
 * anything it does not understand.
 */
export function parseBenchArguments(argv: readonly string[]): BenchOptions | 'help' {
  const draft: Draft = {
    target: '',
    args: [],
    paths: [],
    method: '',
    headers: [],
    body: undefined,
    durationS: undefined,
    rounds: ROUNDS_DEFAULT,
    connections: CONNECTIONS_DEFAULT,
    routes: ROUTES_DEFAULT,
    starts: STARTS_DEFAULT,
    port: undefined,
    native: false,
    startTimeoutS: START_TIMEOUT_S_DEFAULT,
    wait: true,
    json: false,
    allowRemote: false,
    help: false,
  };
  takeWords(table, draft, argv, (word) => takeTarget(draft, word));
  const { help, ...options } = draft;
  if (help) return 'help';
  if (options.native && isAddress(options.target)) {
    throw new CommandError(
      'FULMAR_CLI_INVALID_VALUE',
      '--native builds an executable of a file, and the server at an address runs already',
    );
  }
  if (options.method === '') options.method = options.body === undefined ? 'GET' : 'POST';
  return options;
}

/** Is it a server's address rather than a file? */
export function isAddress(target: string): boolean {
  return /^[a-z][a-z+.-]*:\/\//i.test(target);
}

function takeTarget(draft: Draft, word: string): void {
  if (word === '') throw new CommandError('FULMAR_CLI_MISSING_FILE', 'the name of the file is empty');
  if (draft.target !== '') {
    throw new CommandError(
      'FULMAR_CLI_INVALID_VALUE',
      `one file or address at a time; got "${word}" as well. Arguments of the application go after --`,
    );
  }
  draft.target = word;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function toCount(option: string, value: string, { min, max }: Range): number {
  const count = Number(value);
  if (value.trim() !== '' && Number.isInteger(count) && count >= min && count <= max) return count;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `${option} needs a whole number from ${min} to ${max}; got "${value}"`);
}

function toNumber(option: string, value: string, { min, max }: Range): number {
  const number = Number(value);
  if (value.trim() !== '' && number >= min && number <= max) return number;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `${option} needs a number of seconds from ${min} to ${max}; got "${value}"`);
}
