/**
 * `DiscoveryService`: the providers and controllers there are, for what finds its own by metadata.
 */
import { type CreateDecoratorOptions, type ReflectableDecorator, Reflector } from '../reflector.ts';
import { MetadataScanner } from '../metadata/methods.ts';
import { Injectable, Module } from '../decorators/modules.ts';
import { KEYS } from '../metadata/keys.ts';
import { define, read } from '../metadata/reflect.ts';
import type { ModuleRecord } from './module-record.ts';
import type { Wrapper } from './wrapper.ts';

/** The modules of an application, by their classes or what made them. */
export class ModulesContainer extends Map<object, ModuleRecord> {}

export interface DiscoveryOptions {
  include?: Function[];
  /** Of a decorator that `DiscoveryService.createDecorator()` gave. */
  metadataKey?: string;
}

export class DiscoveryService {
  readonly #modules: ReadonlyMap<object, ModuleRecord>;

  constructor(modules: ModulesContainer) {
    this.#modules = modules;
  }

  static createDecorator<Given = any, Kept = Given>(options?: CreateDecoratorOptions<Given, Kept>): ReflectableDecorator<Given, Kept> {
    return Reflector.createDecorator(options);
  }

  getProviders(options: DiscoveryOptions = {}, modules: ModuleRecord[] = this.getModules(options)): Wrapper[] {
    return marked(
      modules.flatMap(({ providers }) => [...providers.values()]),
      options,
    );
  }

  getControllers(options: DiscoveryOptions = {}, modules: ModuleRecord[] = this.getModules(options)): Wrapper[] {
    return marked(
      modules.flatMap(({ controllers }) => [...controllers.values()]),
      options,
    );
  }

  getMetadataByDecorator<Kept>(decorator: ReflectableDecorator<any, Kept>, wrapper: Wrapper, methodKey?: string): Kept | undefined {
    const instance = wrapper.instance as Record<string, Function> | undefined;
    const target = methodKey === undefined ? (instance?.constructor ?? wrapper.metatype) : instance?.[methodKey];
    return target === null || target === undefined ? undefined : read(decorator.KEY, target);
  }

  getModules({ include }: DiscoveryOptions = {}): ModuleRecord[] {
    const all = [...this.#modules.values()];
    return include === undefined ? all : all.filter(({ metatype }) => include.includes(metatype));
  }
}
Injectable()(DiscoveryService);
define(KEYS.parameterTypes, [ModulesContainer], DiscoveryService);

function marked(wrappers: Wrapper[], { metadataKey }: DiscoveryOptions): Wrapper[] {
  if (metadataKey === undefined) return wrappers;
  return wrappers.filter(({ metatype }) => metatype !== null && read(metadataKey, metatype) !== undefined);
}

export class DiscoveryModule {}
Module({ providers: [DiscoveryService, MetadataScanner], exports: [DiscoveryService, MetadataScanner] })(DiscoveryModule);
