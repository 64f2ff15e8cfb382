/**
 * `fulmar polyglot types`: declaration files of TypeScript, of what files of Python, classes of Java and files of RBS declare. Has
 * the first two read by the interpreter and the compiler that `fulmar/polyglot` would use; runs nothing of them.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, relative, resolve } from 'node:path';
import { guestEnding } from '../../../fulmar/src/host/guest-files.ts';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import { CommandError } from '../errors.ts';
import { lookForGuests } from '../guests.ts';
import { printHelp } from '../help-text.ts';
import { parsePolyglotArguments, type TypesOptions } from './arguments.ts';
import { toDeclarations } from './declarations.ts';
import { polyglotHelp } from './help.ts';
import { javaDeclarations } from './java/java-declarations.ts';
import { readJava } from './java/java-module.ts';
import { readRbs } from './ruby/rbs-files.ts';
import { rubyDeclarations } from './ruby/ruby-declarations.ts';
import { parsePython } from './python-module.ts';

/** Resolves to the exit code. Rejects with a `CommandError` for the first file that nothing can be made of. */
export async function polyglot(argv: readonly string[]): Promise<number> {
  const options = parsePolyglotArguments(argv);
  if (options === 'help') {
    printHelp(polyglotHelp);
    return 0;
  }
  const { files, out } = options;
  for (const file of files) if (isFile(file)) checkFile(file);
  for (const file of files) {
    const target = out ?? declarationFile(file);
    write(target, await declarationsOf(file, options));
    tell(`${relative(process.cwd(), target) || target}: types of ${file}`);
  }
  return 0;
}

const isFile = (file: string): boolean => guestEnding(file) !== undefined;

async function declarationsOf(file: string, { classPath, rbs }: TypesOptions): Promise<string> {
  if (file.endsWith('.py')) return toDeclarations(await parsePython(await findPython(), resolve(file), file), basename(file));
  if (file.endsWith('.rb')) return rubyDeclarations(readRbs(file, rbs), basename(file));
  return javaDeclarations(await readJava({ written: file, classPath: whole(classPath) }), basename(file));
}

/** With the jars of a folder (`lib/*`) one by one. */
function whole(classPath: readonly string[]): string[] {
  return classPath.flatMap((written) => {
    const isAll = written.endsWith('/*');
    const path = isAll ? written.slice(0, -2) : written;
    if (statSync(path, { throwIfNoEntry: false }) === undefined)
      throw new CommandError('FULMAR_CLI_NOT_FOUND', `cannot find ${path}, which --class-path names`);
    if (!isAll) return [resolve(path)];
    const jars = readdirSync(path)
      .filter((name) => name.endsWith('.jar'))
      .toSorted();
    if (jars.length === 0) throw new CommandError('FULMAR_CLI_NOT_FOUND', `there is no jar in ${path}, which --class-path names`);
    return jars.map((name) => resolve(path, name));
  });
}

/** What TypeScript looks for beside `model.py`, with `allowArbitraryExtensions`: `model.d.py.ts`. Of a class: `com.acme.Model.d.ts`. */
export function declarationFile(file: string): string {
  if (!isFile(file)) return `${file}.d.ts`;
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
