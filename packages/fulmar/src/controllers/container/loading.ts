/**
 * `Injector` as packages beside Nest use it (`@nestjs/core/injector/injector.js`): an instance of a provider of requests
 * for a context of theirs. Everything else of injection is in `injector.ts`.
 */
import { ContainerError } from './container-error.ts';
import type { ContextId } from './context-id.ts';
import { instanceOf } from './injector.ts';
import type { ModuleRecord } from './module-record.ts';
import type { Wrapper } from './wrapper.ts';

export class Injector {
  /** `like`: an object of the class, as a `Wrapper` has it. @throws ContainerError for a class that the module does not have */
  async loadPerContext<T = any>(
    like: T & object,
    module: ModuleRecord,
    collection: ReadonlyMap<unknown, Wrapper>,
    contextId: ContextId,
  ): Promise<T> {
    const type = like.constructor;
    const found =
      collection.get(type) ?? module.controllers.get(type) ?? [...collection.values()].find(({ metatype }) => metatype === type);
    if (found === undefined) throw new ContainerError(`${type.name} is no provider of ${module.name}.`);
    return (await instanceOf(found, contextId)) as T;
  }
}
