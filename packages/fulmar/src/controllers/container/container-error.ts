/**
 * What is wrong with modules and providers, told with the classes it concerns: at start, before anything listens.
 */
import { placesOf } from '../metadata/place.ts';
import type { ModuleRecord } from './module-record.ts';
import { type Dependency, tokenName, type Wrapper } from './wrapper.ts';

/** `concerned`: classes whose places are told. */
export class ContainerError extends Error {
  constructor(message: string, concerned: readonly (Function | null)[] = []) {
    super(`${message}${placesOf(concerned)}`);
  }
}
Object.defineProperty(ContainerError.prototype, 'name', { value: 'ContainerError', writable: true, configurable: true });

export class UnknownElementException extends ContainerError {}

const IMPORT_HINT =
  "its type is undefined while the application runs. Its file may import this one and not be loaded yet, or it is imported with 'import type', or it is an interface: " +
  'import the class itself, use forwardRef(), or name a token with @Inject().';

/** `(LogService, ?)` */
function signature(wrapper: Wrapper, at: Dependency): string {
  const parameters = wrapper.dependencies.filter((one) => typeof one.at === 'number');
  return `(${parameters.map((one) => (one === at ? '?' : tokenName(one.token))).join(', ')})`;
}

/** `isMissing`: it has no token at all. */
export function unknownDependency(
  wrapper: Wrapper,
  at: Dependency,
  { owners, hint }: { readonly owners: readonly ModuleRecord[]; readonly hint: string | undefined },
): ContainerError {
  const module = wrapper.host.name;
  const isMissing = at.token === undefined || at.token === null || at.token === Object;
  const name = isMissing ? '?' : tokenName(at.token);
  const place =
    typeof at.at === 'number'
      ? `the dependencies of ${wrapper.name} ${signature(wrapper, at)}: the argument ${name} at index [${at.at}]`
      : `the property ${wrapper.name}.${String(at.at)}: ${name}`;
  const concerned = [wrapper.metatype, wrapper.host.metatype, ...owners.slice(0, 1).map(({ metatype }) => metatype)];
  if (isMissing) return new ContainerError(`Cannot resolve ${place} of ${module} cannot be known; ${IMPORT_HINT}`, concerned);
  return new ContainerError(`Cannot resolve ${place} is not available in ${module}. ${hint ?? solution(name, module, owners)}`, concerned);
}

function solution(name: string, module: string, owners: readonly ModuleRecord[]): string {
  const [exporter] = owners.filter((owner) => [...owner.exports].some((one) => tokenName(one) === name));
  if (exporter !== undefined) return `${exporter.name} exports it: add ${exporter.name} to the imports of ${module}.`;
  const [owner] = owners;
  if (owner !== undefined)
    return `${owner.name} provides it and does not export it: add ${name} to the exports of ${owner.name}, and ${owner.name} to the imports of ${module}.`;
  return `No module provides it: add it to the providers of ${module}, or import a module that exports it.`;
}

export function circular(path: readonly Wrapper[]): ContainerError {
  const names = path.map((wrapper) => `${wrapper.name} (${wrapper.host.name})`).join(' -> ');
  return new ContainerError(
    `Providers depend on one another in a circle: ${names}. Break it with @Inject(forwardRef(() => …)) on both sides, or take one of them from ModuleRef when it is needed.`,
    path.map(({ metatype }) => metatype),
  );
}

const chain = (scope: readonly { readonly name: string }[]): string => scope.map(({ name }) => name).join(' -> ');

/** `scope`: from the root to the module that imports it; empty for the root itself. */
export function badImport(index: number, found: string, scope: readonly Function[]): ContainerError {
  const parent = scope.at(-1);
  if (parent === undefined)
    return new ContainerError(`An application is made of a class with @Module() or of what its forRoot() returns, and this is ${found}.`);
  const why = found === 'undefined' ? ' Its file may import this one: use forwardRef(() => …) in one of the two.' : '';
  return new ContainerError(
    `The imports of ${parent.name} have ${found} at index [${index}], and a module is a class with @Module() or what its forRoot() returns.${why} (${chain(scope)})`,
    [parent],
  );
}

export function unknownExport({ name: module, metatype }: ModuleRecord, token: unknown): ContainerError {
  return new ContainerError(
    `${module} exports ${tokenName(token)}, which it neither provides nor imports: add it to the providers of ${module}, or its module to the imports.`,
    [metatype],
  );
}
