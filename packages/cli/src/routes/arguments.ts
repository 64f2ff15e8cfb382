/**
 * Reads the command line of `fulmar routes`. Options may stand before and after the file; what follows `--` is
 * the application's.
 *
 * Touches no file and starts nothing.
 */
import { CommandError } from '../errors.ts';
import { type OptionTable, takeWords } from '../option-table.ts';
import { toMethod, toPath } from '../request-options.ts';
import { START_TIMEOUT_S_DEFAULT } from './limits.ts';
import { takeFile, toStartTimeout } from '../probed.ts';

export interface RoutesOptions {
  /** `undefined`: what `package.json` of this folder starts. */
  readonly file: string | undefined;
  /** What the application finds in `process.argv` from index 2. */
  readonly args: readonly string[];
  /** In upper case. */
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly envFiles: readonly string[];
  readonly startTimeoutS: number;
  readonly openapi: boolean;
  readonly json: boolean;
}

type Draft = { -readonly [Key in keyof RoutesOptions]: RoutesOptions[Key] } & { help: boolean; envFiles: string[] };

const rules: OptionTable<Draft>['rules'] = {
  '--method': { take: (draft, value) => void (draft.method = toMethod(value).toUpperCase()), value: 'a method, as POST' },
  '--path': { take: (draft, value) => void (draft.path = toPath(value)), value: 'the begin of a path, as /users' },
  '--env-file': { take: (draft, value) => void draft.envFiles.push(value), value: 'a file' },
  '--start-timeout': { take: (draft, value) => void (draft.startTimeoutS = toStartTimeout(value)), value: 'a number of seconds' },
  '--openapi': { set: (draft) => void (draft.openapi = true) },
  '--json': { set: (draft) => void (draft.json = true) },
  '--help': { set: (draft) => void (draft.help = true) },
};

const table: OptionTable<Draft> = {
  command: 'routes',
  rules,
  shortNames: { '-h': '--help', '-X': '--method' },
  nodeAdvice: 'Options of Node go into NODE_OPTIONS.',
};

/** `'help'` when that is asked for. Throws a `CommandError` for anything it does not understand. */
export function parseRoutesArguments(argv: readonly string[]): RoutesOptions | 'help' {
  const draft: Draft = {
    file: undefined,
    args: [],
    method: undefined,
    path: undefined,
    envFiles: [],
    startTimeoutS: START_TIMEOUT_S_DEFAULT,
    openapi: false,
    json: false,
    help: false,
  };
  takeWords(table, draft, argv, (word) => takeFile(draft, word, 'routes loads a file'));
  const { help, ...options } = draft;
  if (help) return 'help';
  const filter = options.method === undefined ? (options.path === undefined ? undefined : '--path') : '--method';
  if (options.openapi && filter !== undefined)
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--openapi prints the whole document: it takes no ${filter}`);
  return options;
}
