/** Names of packages: npm's rules, and a name made of that of a folder. Touches no file. */
import { builtinModules } from 'node:module';
import { CommandError } from '../errors.ts';

const NAME_LENGTH_MAX = 214;
const allowed = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const NAME_DEFAULT = 'fulmar-app';

/** Names that npm keeps, and those that `import` would not lead to the package by. */
const taken: ReadonlySet<string> = new Set(['node_modules', 'favicon.ico', ...builtinModules]);

/** What is wrong with a name by npm's rules; `undefined`: nothing. */
export function problemOfName(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name.length > NAME_LENGTH_MAX) return `it has more than ${NAME_LENGTH_MAX} characters`;
  if (name !== name.toLowerCase()) return 'it has capital letters';
  if (/^[._]/.test(name)) return 'it begins with a dot or an underscore';
  if (!allowed.test(name)) return 'it has other characters than a-z, 0-9 and - . _ ~, or a scope that is none (@scope/name)';
  return taken.has(name) ? 'it is the name of something else' : undefined;
}

/** Throws a `CommandError` for a name that npm would refuse. */
export function toPackageName(name: string): string {
  const problem = problemOfName(name);
  if (problem === undefined) return name;
  throw new CommandError(
    'FULMAR_CLI_INVALID_VALUE',
    `--name "${name}" is no name of a package: ${problem}. One that is: ${nameFromFolder(name)}`,
  );
}

/** A name by npm's rules that is as near to that of the folder as can be. */
export function nameFromFolder(folder: string): string {
  const letters = folder.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const name = letters
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replaceAll(/^[._~-]+|[._~-]+$/g, '')
    .slice(0, NAME_LENGTH_MAX - '-app'.length);
  if (name === '') return NAME_DEFAULT;
  return problemOfName(name) === undefined ? name : `${name}-app`;
}
