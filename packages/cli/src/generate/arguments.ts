/**
 * Reads the command line of `fulmar generate`. Options may stand before, between and after the words. Touches
 * no file.
 */
import { CommandError } from '../errors.ts';
import { type OptionTable, takeOption } from '../option-table.ts';
import { findSchematic, type Schematic } from './schematics.ts';
import { type Names, toNames } from './names.ts';

export interface GenerateOptions {
  readonly schematic: Schematic;
  readonly names: Names;
  readonly flat: boolean;
  readonly spec: boolean;
  readonly skipImport: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
}

type Draft = { -readonly [Key in Exclude<keyof GenerateOptions, 'schematic' | 'names'>]: boolean } & { help: boolean };

const table: OptionTable<Draft> = {
  command: 'generate',
  rules: {
    '--flat': { set: (draft) => void (draft.flat = true) },
    '--no-spec': { set: (draft) => void (draft.spec = false) },
    '--skip-import': { set: (draft) => void (draft.skipImport = true) },
    '--force': { set: (draft) => void (draft.force = true) },
    '--dry-run': { set: (draft) => void (draft.dryRun = true) },
    '--help': { set: (draft) => void (draft.help = true) },
  },
  shortNames: { '-h': '--help', '-d': '--dry-run' },
};

/** `'help'` when that is asked for. Throws a `CommandError` for anything it does not understand. */
export function parseGenerateArguments(argv: readonly string[]): GenerateOptions | 'help' {
  const draft: Draft = { flat: false, spec: true, skipImport: false, force: false, dryRun: false, help: false };
  const words: string[] = [];
  for (const word of argv) {
    if (word.startsWith('-')) takeOption(table, draft, word, undefined);
    else words.push(word);
  }
  const { help, ...options } = draft;
  if (help) return 'help';
  const [what, name, ...others] = words;
  if (what === undefined) throw missing('needs what to make, and a name', 'controller');
  const schematic = findSchematic(what);
  if (name === undefined) throw missing(`${schematic.name} needs a name`, schematic.name);
  if (others.length > 0)
    throw new CommandError(
      'FULMAR_CLI_INVALID_VALUE',
      `one name at a time; got "${others.join('", "')}" as well. A path goes before the name: users/profiles`,
    );
  return { schematic, names: toNames(name), ...options };
}

const missing = (what: string, schematic: string): CommandError =>
  new CommandError(
    'FULMAR_CLI_MISSING_VALUE',
    `fulmar generate ${what}: fulmar generate ${schematic} birds. See \`fulmar help generate\`.`,
  );
