/**
 * Reads the command line of `fulmar new`. Options may stand before and after the folder. Touches no file and
 * asks nobody.
 */
import { CommandError } from '../errors.ts';
import { type OptionTable, takeOption } from '../option-table.ts';
import { type Manager, toManager } from './managers.ts';
import { toPackageName } from './names.ts';
import { findTemplate, type Language, type Template } from './templates.ts';

export interface NewOptions {
  readonly folder: string | undefined;
  readonly template: Template | undefined;
  readonly name: string | undefined;
  /** `undefined`: the one that runs the command. */
  readonly manager: Manager | undefined;
  readonly language: Language | undefined;
  readonly install: boolean;
  readonly git: boolean;
}

type Draft = { -readonly [Key in keyof NewOptions]: NewOptions[Key] } & { help: boolean };

const table: OptionTable<Draft> = {
  command: 'new',
  rules: {
    '--template': { take: (draft, value) => void (draft.template = findTemplate(value)), value: 'the name of a template, as app' },
    '--name': { take: (draft, value) => void (draft.name = toPackageName(value)), value: 'a name for package.json' },
    '--package-manager': { take: (draft, value) => void (draft.manager = toManager(value)), value: 'npm, pnpm, yarn or bun' },
    '--typescript': { set: (draft) => setLanguage(draft, 'typescript') },
    '--javascript': { set: (draft) => setLanguage(draft, 'javascript') },
    '--no-install': { set: (draft) => void (draft.install = false) },
    '--no-git': { set: (draft) => void (draft.git = false) },
    '--help': { set: (draft) => void (draft.help = true) },
  },
  shortNames: { '-h': '--help', '-t': '--template' },
  mayBeEmpty: ['--name'],
};

function setLanguage(draft: Draft, language: Language): void {
  if (draft.language !== undefined && draft.language !== language)
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', 'one of --typescript and --javascript, not both');
  draft.language = language;
}

/** `'help'` when that is asked for. Throws a `CommandError` for anything it does not understand. */
export function parseNewArguments(argv: readonly string[]): NewOptions | 'help' {
  const draft: Draft = {
    folder: undefined,
    template: undefined,
    name: undefined,
    manager: undefined,
    language: undefined,
    install: true,
    git: true,
    help: false,
  };
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (!word.startsWith('-')) takeFolder(draft, word);
    else if (takeOption(table, draft, word, argv[index + 1])) index += 1;
  }
  const { help, ...options } = draft;
  return help ? 'help' : options;
}

function takeFolder(draft: Draft, word: string): void {
  if (word === '') throw new CommandError('FULMAR_CLI_INVALID_VALUE', 'the name of the folder is empty');
  if (draft.folder !== undefined)
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', `one folder at a time; got "${word}" as well. A name with blanks goes in quotes`);
  draft.folder = word;
}
