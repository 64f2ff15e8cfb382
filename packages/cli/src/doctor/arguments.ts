/**
 * Reads the command line of `fulmar doctor`. Options may stand before and after the file; what follows `--`
 * is the application's.
 *
 * Touches no file and starts nothing.
 */
import { CommandError } from '../errors.ts';
import { type OptionTable, takeWords } from '../option-table.ts';
import { toHeader, toMethod, toPath } from '../request-options.ts';
import { ROUTES_DEFAULT, ROUTES_MAX, START_TIMEOUT_S_DEFAULT } from './limits.ts';
import { takeFile, toStartTimeout } from '../probed.ts';

export interface DoctorOptions {
  /** `undefined`: what `package.json` of this folder starts. */
  readonly file: string | undefined;
  /** What the application finds in `process.argv` from index 2. */
  readonly args: readonly string[];
  /** Asked for besides the routes that are found. */
  readonly paths: readonly string[];
  /** Of those paths alone: routes that are found are asked for with GET. */
  readonly method: string;
  /** `name: value`. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
  readonly routes: number;
  /** Send requests at all. */
  readonly requests: boolean;
  readonly envFiles: readonly string[];
  readonly startTimeoutS: number;
  readonly json: boolean;
  readonly verbose: boolean;
}

type Draft = { -readonly [Key in keyof DoctorOptions]: DoctorOptions[Key] } & {
  help: boolean;
  paths: string[];
  headers: string[];
  envFiles: string[];
};

const rules: OptionTable<Draft>['rules'] = {
  '--path': { take: (draft, value) => void draft.paths.push(toPath(value)), value: 'a path, as /users/1?page=1' },
  '--method': { take: (draft, value) => void (draft.method = toMethod(value)), value: 'a method, as POST' },
  '--header': { take: (draft, value) => void draft.headers.push(toHeader(value)), value: 'a header, as "name: value"' },
  '--body': { take: (draft, value) => void (draft.body = value), value: 'a text' },
  '--routes': { take: (draft, value) => void (draft.routes = toRoutes(value)), value: 'a number' },
  '--no-requests': { set: (draft) => void (draft.requests = false) },
  '--env-file': { take: (draft, value) => void draft.envFiles.push(value), value: 'a file' },
  '--start-timeout': { take: (draft, value) => void (draft.startTimeoutS = toStartTimeout(value)), value: 'a number of seconds' },
  '--json': { set: (draft) => void (draft.json = true) },
  '--verbose': { set: (draft) => void (draft.verbose = true) },
  '--help': { set: (draft) => void (draft.help = true) },
};

const shortNames: Readonly<Record<string, string>> = { '-h': '--help', '-X': '--method', '-H': '--header' };

const table: OptionTable<Draft> = {
  command: 'doctor',
  rules,
  shortNames,
  mayBeEmpty: ['--body'],
  takesDashes: true,
  nodeAdvice: 'Options of Node go into NODE_OPTIONS.',
};

/** `'help'` when that is asked for. Throws a `CommandError` for anything it does not understand. */
export function parseDoctorArguments(argv: readonly string[]): DoctorOptions | 'help' {
  const draft: Draft = {
    file: undefined,
    args: [],
    paths: [],
    method: '',
    headers: [],
    body: undefined,
    routes: ROUTES_DEFAULT,
    requests: true,
    envFiles: [],
    startTimeoutS: START_TIMEOUT_S_DEFAULT,
    json: false,
    verbose: false,
    help: false,
  };
  takeWords(table, draft, argv, (word) => takeFile(draft, word, 'doctor starts a file'));
  const { help, ...options } = draft;
  if (help) return 'help';
  requirePath(options);
  if (options.method === '') options.method = options.body === undefined ? 'GET' : 'POST';
  return options;
}

/** A method or a content without a path would go to every route that is found. */
function requirePath({ method, body, paths, requests }: DoctorOptions): void {
  const option = method !== '' ? '--method' : body === undefined ? undefined : '--body';
  if (option !== undefined && paths.length === 0) {
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', `${option} needs a --path: routes that are found are only asked for with GET`);
  }
  if (!requests && paths.length > 0) throw new CommandError('FULMAR_CLI_INVALID_VALUE', '--path and --no-requests exclude each other');
}

function toRoutes(value: string): number {
  const count = Number(value);
  if (value.trim() !== '' && Number.isInteger(count) && count >= 0 && count <= ROUTES_MAX) return count;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--routes needs a whole number from 0 to ${ROUTES_MAX}; got "${value}"`);
}
