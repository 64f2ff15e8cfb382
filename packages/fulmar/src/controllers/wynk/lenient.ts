/**
 * What an application of `WynkFactory` makes without being told: injectable classes that no module provides, and tables.
 * What a module provides is for those that import it, as in any application.
 */
import type { Container, Substitutes } from '../container/container.ts';
import { ofClass } from '../container/provider-given.ts';
import type { Wrapper } from '../container/wrapper.ts';
import { KEYS } from '../metadata/keys.ts';
import { has } from '../metadata/reflect.ts';
import type { Type } from '../nest-types.ts';
import { tableOf } from './tables.ts';

export class Lenient implements Substitutes {
  module(given: unknown): unknown {
    return given;
  }

  provide(): void {
    // Nothing stands for anything else.
  }

  missing(token: unknown, container: Container): Wrapper | null {
    const { core, modules, root } = container;
    const table = tableOf(token);
    if (table !== undefined) container.provideCore(token, table);
    else if (
      typeof token === 'function' &&
      has(KEYS.injectable, token) &&
      ![...modules.values()].some(({ providers }) => providers.has(token))
    ) {
      // It sees what the application's modules export.
      const wrapper = ofClass(token as Type, root ?? core);
      container.provideCore(token, wrapper);
      container.linker.linkOne(wrapper);
    }
    return core.providers.get(token) ?? null;
  }
}
