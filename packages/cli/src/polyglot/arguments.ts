/** Reads the command line of `fulmar polyglot`. Touches no file. */
import { extname } from 'node:path';
import { guestEnding } from '../../../fulmar/src/host/guest-files.ts';
import { CommandError } from '../errors.ts';
import { type OptionTable, takeOption } from '../option-table.ts';
import { nearest } from '../suggest.ts';

export interface TypesOptions {
  /** Files of other languages, and classes of Java by their names. */
  readonly files: readonly string[];
  /** Jars and folders of classes, as they were written. */
  readonly classPath: readonly string[];
  /** Files of RBS; empty: they are looked for. */
  readonly rbs: readonly string[];
  /** `undefined`: beside each file. */
  readonly out: string | undefined;
}

interface Draft {
  files: string[];
  out: string | undefined;
  classPath: string[];
  rbs: string[];
  help: boolean;
}

const table: OptionTable<Draft> = {
  command: 'polyglot',
  rules: {
    '--out': { take: (draft, value) => void (draft.out = value), value: 'a file' },
    '--class-path': {
      take: (draft, value) => void draft.classPath.push(...value.split(':').filter((one) => one !== '')),
      value: 'jars, or folders',
    },
    '--rbs': { take: (draft, value) => void draft.rbs.push(value), value: 'a file of RBS' },
    '--help': { set: (draft) => void (draft.help = true) },
  },
  shortNames: { '-o': '--out', '-h': '--help' },
};

/** `'help'` when that is asked for. Throws a `CommandError` for anything it does not understand. */
export function parsePolyglotArguments(argv: readonly string[]): TypesOptions | 'help' {
  const draft: Draft = { files: [], out: undefined, classPath: [], rbs: [], help: false };
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (!word.startsWith('-')) draft.files.push(word);
    else if (takeOption(table, draft, word, argv[index + 1])) index += 1;
  }
  if (draft.help) return 'help';
  const [action, ...files] = draft.files;
  if (action === undefined)
    throw new CommandError('FULMAR_CLI_MISSING_VALUE', 'fulmar polyglot needs what to do: fulmar polyglot types model.py');
  if (action !== 'types') throw unknownAction(action);
  if (files.length === 0)
    throw new CommandError('FULMAR_CLI_MISSING_FILE', 'fulmar polyglot types needs a file: fulmar polyglot types model.py');
  for (const file of files) checkFile(file);
  checkOptions(draft, files);
  return { files, out: draft.out, classPath: draft.classPath, rbs: draft.rbs };
}

function checkOptions({ out, classPath, rbs }: Draft, files: readonly string[]): void {
  if (out !== undefined && files.length > 1)
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--out is for one file, and ${files.length} are named: without it each has its own`);
  const isJava = (file: string): boolean => isClassName(file) || guestEnding(file) === '.java';
  if (classPath.length > 0 && !files.some(isJava))
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--class-path is for Java, and ${files.join(', ')} is none of it`);
  if (rbs.length > 0 && files.some((file) => guestEnding(file) !== '.rb'))
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--rbs is for files of Ruby (.rb), and ${files.join(', ')} are named`);
}

function unknownAction(action: string): CommandError {
  const hint =
    guestEnding(action) !== undefined
      ? `Did you mean \`fulmar polyglot types ${action}\`?`
      : nearest(action, ['types']) === undefined
        ? 'See `fulmar help polyglot`.'
        : 'Did you mean "types"?';
  return new CommandError('FULMAR_CLI_INVALID_VALUE', `fulmar polyglot knows no "${action}". ${hint}`);
}

/** `com.acme.Model`: what is written with a capital at last. */
const isClassName = (name: string): boolean => /^(?:[\p{L}_$][\w$]*\.)*\p{Lu}[\w$]*$/u.test(name);

function checkFile(file: string): void {
  if (guestEnding(file) !== undefined || isClassName(file)) return;
  if (file.endsWith('.jar'))
    throw new CommandError(
      'FULMAR_CLI_INVALID_VALUE',
      `fulmar polyglot types makes nothing of the whole of ${file}: name a class, fulmar polyglot types com.acme.Model --class-path '${file}' (lib/* in quotes, too)`,
    );
  const what = `${JSON.stringify(file)}${extname(file) === '' ? ', which has no ending' : ''}`;
  const expected =
    "It reads Python's annotations (.py), Ruby's RBS (.rb) and Java's signatures (.java, or a class by its name: com.acme.Model)";
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `fulmar polyglot types makes nothing of ${what}. ${expected}.`);
}
