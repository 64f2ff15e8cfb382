/**
 * Packages that an application has for what Fulmar does not bring along: in a built file those that it carries, else looked
 * for from the main file, then from the working directory. Needs Node; loaded with what needs it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readGlobal } from '../../host/globals.ts';

interface Loader {
  readonly resolve: (id: string) => string;
  (id: string): unknown;
}

/** @throws Error that says what it is for and how to get it */
export function requireFromApplication(name: string, purpose: string): unknown {
  const carried = carrier();
  if (carried !== undefined) {
    try {
      return carried.requireOf('package.json')(name);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return found(name, purpose, (load) => load(name));
}

/** What a file of `fulmar build` carries for names that are computed, and the places of files that it embeds. */
interface Carrier {
  requireOf(importer: string): (id: string) => unknown;
  place(name: string): string;
}

const carrier = (): Carrier | undefined => (readGlobal('fulmar.bundle') as { readonly api: Carrier } | undefined)?.api;

const isMissing = (error: unknown): boolean => /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String((error as { code?: unknown }).code));

/** The absolute path of a file of a package. @throws the same */
export function resolveFromApplication(id: string, name: string, purpose: string): string {
  const carried = carrier()?.place(`node_modules/${id}`);
  if (carried !== undefined && existsSync(carried)) return carried;
  return found(name, purpose, (load) => load.resolve(id));
}

function found<T>(name: string, purpose: string, use: (load: Loader) => T): T {
  for (const file of [process.argv[1], join(process.cwd(), 'package.json')]) {
    try {
      if (file !== undefined) return use(loaderOf(file));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  const built = readGlobal('fulmar.bundle') === undefined ? '' : `, list it in the dependencies of package.json, and build again`;
  throw new Error(`${purpose}, and ${name} is not installed where the application finds it: npm install ${name}${built}`);
}

/** Where there is no such function, as in an executable, there are no packages beside the program either. */
function loaderOf(file: string): Loader {
  const { createRequire } = process.getBuiltinModule('node:module');
  return createRequire(file);
}
