/**
 * Reads the command line of `fulmar dev`. Touches no file.
 */
import { CommandError } from '../errors.ts';
import { type OptionTable, takeWords } from '../option-table.ts';

const PORT_MAX = 65_535;

export interface DevOptions {
  /** `undefined`: what `package.json` of this folder starts, or the folder itself. */
  readonly file: string | undefined;
  readonly port: number | undefined;
  readonly host: string | undefined;
  readonly envFiles: readonly string[];
  readonly open: boolean;
  readonly alias: boolean;
  /** With the global `Polyglot`. */
  readonly polyglot: boolean;
  /** Pages of the application get the script that reloads them. */
  readonly inject: boolean;
  /** Other machines see errors and `/_fulmar` too. */
  readonly remote: boolean;
  /** Names of this machine under which they are seen besides `localhost`. */
  readonly hosts: readonly string[];
  /** Of the application. */
  readonly args: readonly string[];
}

interface Draft {
  file: string | undefined;
  port: number | undefined;
  host: string | undefined;
  envFiles: string[];
  open: boolean;
  alias: boolean;
  polyglot: boolean;
  inject: boolean;
  remote: boolean;
  hosts: string[];
  args: readonly string[];
  help: boolean;
}

const rules: OptionTable<Draft>['rules'] = {
  '--port': { take: (draft, value) => void (draft.port = toPort(value)), value: 'a port' },
  '--host': { take: (draft, value) => void (draft.host = value), value: 'an address or a name of this machine' },
  '--env-file': { take: (draft, value) => void draft.envFiles.push(value), value: 'a file' },
  '--open': { set: (draft) => void (draft.open = true) },
  '--polyglot': { set: (draft) => void (draft.polyglot = true) },
  '--no-alias': { set: (draft) => void (draft.alias = false) },
  '--no-inject': { set: (draft) => void (draft.inject = false) },
  '--remote': { set: (draft) => void (draft.remote = true) },
  '--allowed-host': { take: (draft, value) => void draft.hosts.push(value), value: 'a name of this machine' },
  '--help': { set: (draft) => void (draft.help = true) },
};
const shortNames: Readonly<Record<string, string>> = { '-p': '--port', '-h': '--help' };
const table: OptionTable<Draft> = { command: 'dev', rules, shortNames };

/** `'help'` when that is asked for. Throws a `CommandError` for what it does not know. */
export function parseDevArguments(argv: readonly string[]): DevOptions | 'help' {
  const draft: Draft = {
    file: undefined,
    port: undefined,
    host: undefined,
    envFiles: [],
    open: false,
    alias: true,
    polyglot: false,
    inject: true,
    remote: false,
    hosts: [],
    args: [],
    help: false,
  };
  takeWords(table, draft, argv, (word) => {
    if (draft.file !== undefined)
      throw new CommandError(
        'FULMAR_CLI_INVALID_VALUE',
        `fulmar dev runs one file or folder, and got "${draft.file}" and "${word}". Arguments of the application go behind --.`,
      );
    draft.file = word;
  });
  if (draft.help) return 'help';
  const { help: _help, ...options } = draft;
  return options;
}

function toPort(value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= PORT_MAX) return port;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--port needs a whole number from 0 to ${PORT_MAX}, got "${value}"`);
}
