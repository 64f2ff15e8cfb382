/**
 * Reads the command line of `fulmar build`. Touches no file.
 */
import { CommandError } from '../errors.ts';
import { type OptionTable, takeOption } from '../option-table.ts';

/** Platforms that call an application, and that a folder or worker is made for. */
export type Platform = 'lambda' | 'vercel' | 'cloudflare';
const PLATFORMS: readonly string[] = ['lambda', 'vercel', 'cloudflare'];

export interface BuildOptions {
  /** `undefined`: what `package.json` of this folder starts. */
  readonly file: string | undefined;
  readonly out: string | undefined;
  readonly include: readonly string[];
  readonly require: readonly string[];
  readonly minify: boolean;
  readonly sourcemap: boolean;
  readonly alias: boolean;
  readonly allowMissing: boolean;
  /** An executable instead of a file for Node. */
  readonly native: boolean;
  readonly stripDebug: boolean;
  /** `undefined`: it runs by itself. */
  readonly target: Platform | undefined;
}

interface Draft {
  file: string | undefined;
  out: string | undefined;
  include: string[];
  require: string[];
  minify: boolean;
  sourcemap: boolean;
  alias: boolean;
  allowMissing: boolean;
  native: boolean;
  stripDebug: boolean;
  target: Platform | undefined;
  help: boolean;
}

const rules: OptionTable<Draft>['rules'] = {
  '--out': { take: (draft, value) => void (draft.out = value), value: 'a file' },
  '--include': { take: (draft, value) => void draft.include.push(value), value: 'a file or folder' },
  '--require': { take: (draft, value) => void draft.require.push(value), value: 'a file, folder or package' },
  '--minify': { set: (draft) => void (draft.minify = true) },
  '--sourcemap': { set: (draft) => void (draft.sourcemap = true) },
  '--no-alias': { set: (draft) => void (draft.alias = false) },
  '--allow-missing': { set: (draft) => void (draft.allowMissing = true) },
  '--target': { take: (draft, value) => void (draft.target = toPlatform(value)), value: PLATFORMS.join(', ') },
  '--native': { set: (draft) => void (draft.native = true) },
  '--strip-debug': { set: (draft) => void (draft.stripDebug = true) },
  '--help': { set: (draft) => void (draft.help = true) },
};
const shortNames: Readonly<Record<string, string>> = { '-o': '--out', '-h': '--help' };
const table: OptionTable<Draft> = { command: 'build', rules, shortNames };

/** `'help'` when that is asked for. Throws a `CommandError` for what it does not know. */
export function parseBuildArguments(argv: readonly string[]): BuildOptions | 'help' {
  const draft: Draft = {
    file: undefined,
    out: undefined,
    include: [],
    require: [],
    minify: false,
    sourcemap: false,
    alias: true,
    allowMissing: false,
    native: false,
    stripDebug: false,
    target: undefined,
    help: false,
  };
  let onlyFiles = false;
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (onlyFiles || !word.startsWith('-') || word === '-') takeFile(draft, word);
    else if (word === '--') onlyFiles = true;
    else if (takeOption(table, draft, word, argv[index + 1])) index += 1;
  }
  if (draft.help) return 'help';
  const { help: _help, ...options } = draft;
  checkTogether(options);
  return options;
}

/** @throws CommandError for options of which one leaves nothing for another */
function checkTogether(options: BuildOptions): void {
  if (options.target !== undefined && options.native) {
    throw new CommandError(
      'FULMAR_CLI_INVALID_VALUE',
      `--native makes an executable, which ${options.target} does not run: give one of them`,
    );
  }
  if (options.target !== undefined && options.target !== 'cloudflare' && !options.alias) {
    throw new CommandError(
      'FULMAR_CLI_INVALID_VALUE',
      `--target ${options.target} needs Fulmar in the place of http, which --no-alias leaves out`,
    );
  }
  if (options.stripDebug && !options.native) {
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', '--strip-debug is for executables: it needs --native');
  }
  if (options.stripDebug && options.sourcemap) {
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', '--strip-debug leaves nothing for --sourcemap to map: give one of them');
  }
}

function toPlatform(value: string): Platform {
  if (PLATFORMS.includes(value)) return value as Platform;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--target is one of ${PLATFORMS.join(', ')}, got ${value}`);
}

function takeFile(draft: Draft, word: string): void {
  if (draft.file !== undefined) {
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', `fulmar build takes one file, got ${draft.file} and ${word}`);
  }
  draft.file = word;
}
