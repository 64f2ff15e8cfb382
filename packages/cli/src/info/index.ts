/**
 * `fulmar info`: what a bug report needs. Looks at the installation and at the working directory; starts
 * nothing and changes nothing.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { CommandError } from '../errors.ts';
import { printHelp } from '../help-text.ts';
import { type OptionTable, takeOption } from '../option-table.ts';
import { gather } from './gather.ts';
import { infoHelp } from './help.ts';
import { toText } from './text.ts';

interface Draft {
  json: boolean;
  help: boolean;
}

const table: OptionTable<Draft> = {
  command: 'info',
  rules: {
    '--json': { set: (draft) => void (draft.json = true) },
    '--help': { set: (draft) => void (draft.help = true) },
  },
  shortNames: { '-h': '--help' },
};

/** Returns the exit code: 0, also where something is missing, which is then told. */
export async function info(argv: readonly string[], binFile: string): Promise<number> {
  const { json, help } = parseInfoArguments(argv);
  if (help) printHelp(infoHelp);
  else {
    const facts = await gather(binFile, process.cwd());
    process.stdout.write(json ? `${JSON.stringify(facts, undefined, 2)}\n` : toText(facts));
  }
  return 0;
}

/** Throws a `CommandError` for anything it does not understand. */
export function parseInfoArguments(argv: readonly string[]): Draft {
  const draft: Draft = { json: false, help: false };
  for (const word of argv) {
    if (!word.startsWith('-')) {
      throw new CommandError('FULMAR_CLI_INVALID_VALUE', `fulmar info takes no file, got "${word}": it looks at the working directory`);
    }
    takeOption(table, draft, word, undefined);
  }
  return draft;
}
