/**
 * Which file of RBS is about a file of Ruby: the one beside it (`text.rbs`), or the one of that name below a folder `sig` of the
 * project (`sig/text.rbs`). Reads those that are meant.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { CommandError } from '../../errors.ts';
import { parseRbs } from './rbs-parser.ts';
import type { RubyScope } from './types.ts';

/** Of a folder `sig`. */
const FILES_MAX = 10_000;

/** @param named by `--rbs`; else they are looked for */
export function readRbs(file: string, named: readonly string[]): RubyScope[] {
  const files = named.length > 0 ? named : [find(file)];
  return files.map((one) => {
    if (!existsSync(one)) throw new CommandError('FULMAR_CLI_NOT_FOUND', `cannot find ${one}, which --rbs names`);
    return parseRbs(readFileSync(one, 'utf8'), one);
  });
}

function find(file: string): string {
  const name = `${basename(file, '.rb')}.rbs`;
  const beside = join(dirname(file), name);
  if (existsSync(beside)) return beside;
  const root = process.cwd();
  let folder = dirname(resolve(file));
  for (;;) {
    const found = below(join(folder, 'sig'), name);
    if (found.length > 0) return chosen(found, { file, sig: join(folder, 'sig'), root });
    if (folder === root || folder === dirname(folder)) break;
    folder = dirname(folder);
  }
  throw new CommandError(
    'FULMAR_CLI_POLYGLOT',
    `there is no RBS of ${file}: ${beside} is expected, or ${name} in a folder sig of the project. Write one (rbs prototype rb ${file} > ${beside} is a beginning), or name it: --rbs <file>`,
  );
}

function below(sig: string, name: string): string[] {
  if (!existsSync(sig)) return [];
  const all = readdirSync(sig, { recursive: true, encoding: 'utf8' }).slice(0, FILES_MAX);
  return all
    .filter((one) => basename(one) === name)
    .map((one) => join(sig, one))
    .toSorted();
}

/** Of several, the one whose folders are those of the file (`lib/a/text.rb`: `sig/a/text.rbs`). */
function chosen(
  found: readonly string[],
  { file, sig, root }: { readonly file: string; readonly sig: string; readonly root: string },
): string {
  const path = resolve(file).replace(/\.rb$/, '.rbs');
  const same = found.filter((one) => path.endsWith(`/${relative(sig, one)}`));
  const [only, another] = found.length === 1 ? found : same.toSorted((a, b) => b.length - a.length);
  if (only === undefined || (found.length > 1 && another !== undefined && another.length === only.length))
    throw new CommandError(
      'FULMAR_CLI_POLYGLOT',
      `there are several of RBS for ${file}: ${found.map((one) => relative(root, one)).join(', ')}. Name the one that is meant: --rbs <file>`,
    );
  return relative(root, only) || only;
}
