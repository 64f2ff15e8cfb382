/**
 * `LazyModuleLoader`: a module that is read when it is first needed. Its hooks and its controllers are nobody's: what
 * it provides is taken from the `ModuleRef` that comes of it.
 */
import type { DynamicModule, Type } from '../nest-types.ts';
import type { Container } from './container.ts';
import { ModuleRef } from './module-ref.ts';

type Loaded = Type<any> | DynamicModule;

export class LazyModuleLoader {
  readonly #container: Container;
  readonly #refs = new Map<unknown, Promise<ModuleRef>>();

  constructor(container: Container) {
    this.#container = container;
  }

  /** The same for a module that has been loaded. @throws ContainerError as at start */
  async load(loader: () => Loaded | Promise<Loaded>): Promise<ModuleRef> {
    const given = await loader();
    let ref = this.#refs.get(given);
    if (ref === undefined) {
      ref = this.#container.load(given).then((module) => new ModuleRef(this.#container, module));
      this.#refs.set(given, ref);
    }
    return ref;
  }
}
