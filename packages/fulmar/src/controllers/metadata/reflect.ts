/**
 * Metadata of classes and their members, by `reflect-metadata`. Copies of it share one registry, so that what an
 * application's own copy has written is read here, and the other way round. The only file that calls `Reflect` for it.
 */
import loaded from 'reflect-metadata';

/**
 * Compilers ask for `Reflect.metadata` where a class is declared: it has to be there by then. @throws Error where a
 * bundler has left it out
 */
function install(): void {
  // Reading the import is what loads it in the built package.
  if (typeof loaded !== 'object' || typeof Reflect.getMetadata !== 'function')
    throw new Error('reflect-metadata is not there: has a bundler taken it for something without effects?');
}
install();

/** A class, a prototype or a function. */
export type Target = object;

export function define(key: unknown, value: unknown, target: Target, member?: string | symbol): void {
  if (member === undefined) Reflect.defineMetadata(key, value, target);
  else Reflect.defineMetadata(key, value, target, member);
}

/** Of the target or of what it inherits from. */
export function read<T = unknown>(key: unknown, target: Target, member?: string | symbol): T | undefined {
  return (member === undefined ? Reflect.getMetadata(key, target) : Reflect.getMetadata(key, target, member)) as T | undefined;
}

/** Of the target alone: of a method, which inherits from nothing, the same for less. */
export function readOwn<T = unknown>(key: unknown, target: Target, member?: string | symbol): T | undefined {
  return (member === undefined ? Reflect.getOwnMetadata(key, target) : Reflect.getOwnMetadata(key, target, member)) as T | undefined;
}

/** All keys of the target alone: one look where several would be. */
export const ownKeys = (target: Target): readonly unknown[] => Reflect.getOwnMetadataKeys(target) as unknown[];

export const has = (key: unknown, target: Target): boolean => Reflect.hasMetadata(key, target);

/** A list with more at its end; what a class has inherited stays the other's. */
export function extend(key: string, values: readonly unknown[], target: Target): void {
  define(key, [...(read<readonly unknown[]>(key, target) ?? []), ...values], target);
}
