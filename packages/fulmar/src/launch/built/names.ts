/**
 * What modules of a built file and of an executable are told alike: how names are completed, and what is no
 * module.
 */

export type Loaders = Readonly<Record<string, () => unknown>>;
export type Exports = Record<string, unknown>;
export type Resolve = (specifier: string, options?: { paths?: string[] }) => string;

export interface CommonJsModule {
  id?: string;
  exports: unknown;
}

/** In the order in which Node and TypeScript complete a name. */
const endings = ['', '.js', '.cjs', '.mjs', '.ts', '.mts', '.cts', '.json', '/index.js', '/index.ts'];

/** The name, as it may be completed, that has a loader. */
export function completed(name: string, loaders: Loaders): string | undefined {
  const ending = endings.find((end) => Object.hasOwn(loaders, name + end));
  return ending === undefined ? undefined : name + ending;
}

/** Nothing has the name. `#name` may be that of another package's manifest, or of none. */
const notFound: ReadonlySet<string> = new Set(['MODULE_NOT_FOUND', 'ERR_PACKAGE_IMPORT_NOT_DEFINED']);

/** What `resolve` finds; where that is nothing, the error of `toMissing`, as `import.meta.resolve` has it. */
export function foundOr(resolve: () => string, toMissing: () => Error): string {
  try {
    return resolve();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!notFound.has(code)) throw error;
    throw Object.assign(toMissing(), { code: 'ERR_MODULE_NOT_FOUND' });
  }
}

/** Does the error say that `specifier` itself is missing, rather than something that it needs? */
export function isMissing(error: unknown, specifier: string): boolean {
  return (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' && String(error).includes(`'${specifier}'`);
}

export function toModuleNamespace(value: unknown): unknown {
  const isModule = value !== null && typeof value === 'object' && (value as { __esModule?: boolean }).__esModule === true;
  return isModule ? value : { ...(value as object), default: value };
}
