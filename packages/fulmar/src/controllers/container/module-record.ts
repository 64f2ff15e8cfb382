/**
 * A module as the container has it: what it provides, imports and exports.
 */
import type { Type } from '../nest-types.ts';
import type { Wrapper } from './wrapper.ts';

export class ModuleRecord {
  readonly metatype: Type;
  /** Of a dynamic one: what stands beside the class's own metadata. */
  readonly dynamic: Readonly<Record<string, unknown>>;
  isGlobal: boolean;
  readonly imports = new Set<ModuleRecord>();
  readonly exports = new Set<unknown>();
  readonly providers = new Map<unknown, Wrapper>();
  readonly controllers = new Map<unknown, Wrapper>();
  /** Guards, interceptors, pipes, filters and middleware that its classes name. */
  readonly injectables = new Map<unknown, Wrapper>();
  /** The longest way from the root: hooks of those further away come first. */
  distance = 0;

  constructor(metatype: Type, dynamic: Readonly<Record<string, unknown>>, isGlobal: boolean) {
    this.metatype = metatype;
    this.dynamic = dynamic;
    this.isGlobal = isGlobal;
  }

  get name(): string {
    return this.metatype.name;
  }

  *wrappers(): Iterable<Wrapper> {
    yield* this.providers.values();
    yield* this.injectables.values();
    yield* this.controllers.values();
  }
}
