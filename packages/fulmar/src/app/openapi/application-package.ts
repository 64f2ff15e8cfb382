/**
 * Packages that an application has for what Fulmar does not bring along: looked for from its main file, then from
 * the working directory. Needs Node; loaded with what needs it.
 */
import { join } from 'node:path';

interface Loader {
  readonly resolve: (id: string) => string;
  (id: string): unknown;
}

/** @throws Error that says what it is for and how to get it */
export function requireFromApplication(name: string, purpose: string): unknown {
  return found(name, purpose, (load) => load(name));
}

/** The absolute path of a file of a package. @throws the same */
export function resolveFromApplication(id: string, name: string, purpose: string): string {
  return found(name, purpose, (load) => load.resolve(id));
}

function found<T>(name: string, purpose: string, use: (load: Loader) => T): T {
  for (const file of [process.argv[1], join(process.cwd(), 'package.json')]) {
    try {
      if (file !== undefined) return use(loaderOf(file));
    } catch (error) {
      if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(String((error as { code?: unknown }).code))) throw error;
    }
  }
  throw new Error(`${purpose}, and ${name} is not installed where the application finds it: npm install ${name}`);
}

/** Where there is no such function, as in an executable, there are no packages beside the program either. */
function loaderOf(file: string): Loader {
  const { createRequire } = process.getBuiltinModule('node:module');
  return createRequire(file);
}
