/**
 * `createRoutes({ globals: true })`: what files of routes import is there without an import, as `globalImport` of Zely has
 * it. Stays for the life of the process: two apps that ask for it share the same.
 */
import { ALL, defineRoute, DELETE, GET, HEAD, middleware, OPTIONS, PATCH, POST, PUT } from '../module/define.ts';

const NAMES: Readonly<Record<string, unknown>> = { ALL, DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, defineRoute, middleware };

/** @throws Error for a name that somebody else has taken */
export function installGlobals(): void {
  const taken = Object.keys(NAMES).filter((name) => Object.hasOwn(globalThis, name) && Reflect.get(globalThis, name) !== NAMES[name]);
  if (taken.length > 0)
    throw new Error(
      `createRoutes({ globals: true }) makes ${Object.keys(NAMES).join(', ')} globals, and ${taken.join(', ')} of globalThis is something else already. Import them from fulmar/routes.`,
    );
  for (const [name, value] of Object.entries(NAMES))
    Object.defineProperty(globalThis, name, { value, configurable: true, enumerable: false, writable: true });
}
