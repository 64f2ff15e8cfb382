/**
 * Compiles types of a test and gives what they became: the text is transformed as a source of an application,
 * and run with the run time of this checkout.
 */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { transformSync } from 'oxc-transform';
import fulmarTypes from '../../fulmar/src/typed/index.ts';
import { transform } from '../src/transform.ts';

const packages = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A folder of an application that has `fulmar`, without a configuration unless one is given. */
export function makeProject(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-compiler-'));
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  symlinkSync(join(packages, 'fulmar'), join(folder, 'node_modules', 'fulmar'));
  symlinkSync(join(dirname(packages), 'node_modules', '@types', 'node'), join(folder, 'node_modules', '@types', 'node'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The code of a source, without types and imports of the run time. */
export function compiled(folder: string, text: string, name = 'main.ts'): string {
  const file = join(folder, name);
  const made = transform(file, text);
  if (made === undefined) throw new Error('nothing was compiled');
  return made.code;
}

/** What imports of a source lead to, by their names. */
type Modules = Readonly<Record<string, object>>;

/** Runs a source whose last statement is `export default …;` and gives that. */
export const run = <T>(folder: string, text: string, modules?: Modules): T => runBody<T>(bodyOf(folder, text), modules);

/** The compiled source as the body of a function that is given the modules it imports. */
export function bodyOf(folder: string, text: string): string {
  const code = transformSync('main.ts', compiled(folder, text), { typescript: { onlyRemoveTypeImports: false } }).code;
  return code
    .replaceAll(/^import \{([^}]*)\} from ["'](fulmar(?:\/\w+)?)["'];?$/gm, (_, names: string, from: string) => {
      return `const {${names.replaceAll(' as ', ': ')}} = modules[${JSON.stringify(from)}];`;
    })
    .replace(/export default /, 'return ');
}

/** A module of its own for each type would be a file and a promise each. */
export function runBody<T>(body: string, modules: Modules = {}): T {
  const given: Modules = { 'fulmar/types': fulmarTypes, ...modules };
  return (runInThisContext(`(function (modules) { "use strict"; ${body} })`) as (modules: Modules) => T)(given);
}
