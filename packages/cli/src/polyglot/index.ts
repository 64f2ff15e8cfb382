/**
 * `fulmar polyglot types`: declaration files of TypeScript, of what files of Python declare. Parses them with the
 * interpreter that `fulmar/polyglot` would use; runs nothing of them.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { statSync, writeFileSync } from 'node:fs';
import { basename, extname, relative, resolve } from 'node:path';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import { CommandError } from '../errors.ts';
import { lookForGuests } from '../guests.ts';
import { printHelp } from '../help-text.ts';
import { parsePolyglotArguments } from './arguments.ts';
import { toDeclarations } from './declarations.ts';
import { polyglotHelp } from './help.ts';
import { parsePython } from './python-module.ts';

/** Resolves to the exit code. Rejects with a `CommandError` for the first file that nothing can be made of. */
export async function polyglot(argv: readonly string[]): Promise<number> {
  const options = parsePolyglotArguments(argv);
  if (options === 'help') {
    printHelp(polyglotHelp);
    return 0;
  }
  const { files, out } = options;
  for (const file of files) checkFile(file);
  const executable = await findPython();
  for (const file of files) {
    const target = out ?? declarationFile(file);
    const text = toDeclarations(await parsePython(executable, resolve(file), file), basename(file));
    write(target, text);
    tell(`${relative(process.cwd(), target) || target}: types of ${file}`);
  }
  return 0;
}

/** What TypeScript looks for beside `model.py`, with `allowArbitraryExtensions`: `model.d.py.ts`. */
export function declarationFile(file: string): string {
  const ending = extname(file);
  return `${file.slice(0, -ending.length)}.d${ending}.ts`;
}

function checkFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new CommandError('FULMAR_CLI_NOT_FOUND', `cannot find ${file}`);
  if (stats.isDirectory()) throw new CommandError('FULMAR_CLI_DIRECTORY', `${file} is a folder: name files of it`);
}

async function findPython(): Promise<string> {
  const [python] = await lookForGuests(new Set(['python']));
  if (python?.executable == null) throw new CommandError('FULMAR_CLI_POLYGLOT', python?.problem ?? 'there is no Python');
  return python.executable;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError('FULMAR_CLI_POLYGLOT', `${file} cannot be written: ${(error as Error).message}`);
  }
}
