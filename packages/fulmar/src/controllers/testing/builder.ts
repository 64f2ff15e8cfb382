/**
 * `Test.createTestingModule()`: gathers what a test changes, then makes the modules of it. Nothing is made before
 * `compile()`.
 */
import { Container } from '../container/container.ts';
import { furnish, provideCore } from '../application/core-providers.ts';
import { Module } from '../decorators/modules.ts';
import { HttpAdapterHost } from '../http/adapter.ts';
import { isLogger } from '../application/options.ts';
import type { LoggerService } from '../logger.ts';
import type { DynamicModule, ForwardReference, InjectionToken, ModuleMetadata, OptionalFactoryDependency, Type } from '../nest-types.ts';
import type { MockFactory } from './mock.ts';
import { checkClass, checkToken, Overrides, type Place } from './overrides.ts';
import { TestingModule } from './testing-module.ts';

export interface OverrideByFactoryOptions {
  factory: (...args: any[]) => any;
  inject?: (InjectionToken | OptionalFactoryDependency | ForwardReference)[];
}

export interface OverrideBy {
  useValue: (value: any) => TestingModuleBuilder;
  useFactory: (options: OverrideByFactoryOptions) => TestingModuleBuilder;
  useClass: (metatype: any) => TestingModuleBuilder;
}

export type ModuleDefinition = Type<any> | DynamicModule | Promise<DynamicModule> | ForwardReference;

export interface OverrideModule {
  useModule: (newModule: ModuleDefinition) => TestingModuleBuilder;
}

export class TestingModuleBuilder {
  readonly #root: Type;
  readonly #overrides = new Overrides();
  #logger: LoggerService | false | undefined;

  /** @internal By `Test.createTestingModule()`. */
  constructor(metadata: ModuleMetadata) {
    class RootTestModule {}
    Module(metadata)(RootTestModule);
    this.#root = RootTestModule;
  }

  /** Of applications that are made of it, where they are given none themselves. */
  setLogger(logger: LoggerService | false): this {
    if (!isLogger(logger)) throw new TypeError('setLogger() takes an object with error(), warn() and log(), or false.');
    this.#logger = logger;
    return this;
  }

  overrideProvider<T = any>(token: InjectionToken<T>): OverrideBy {
    return this.#override('overrideProvider', 'providers', token);
  }
  overrideGuard<T = any>(token: InjectionToken<T>): OverrideBy {
    return this.#override('overrideGuard', 'injectables', token);
  }
  overridePipe<T = any>(token: InjectionToken<T>): OverrideBy {
    return this.#override('overridePipe', 'injectables', token);
  }
  overrideInterceptor<T = any>(token: InjectionToken<T>): OverrideBy {
    return this.#override('overrideInterceptor', 'injectables', token);
  }
  overrideFilter<T = any>(token: InjectionToken<T>): OverrideBy {
    return this.#override('overrideFilter', 'injectables', token);
  }

  overrideModule(module: ModuleDefinition): OverrideModule {
    checkToken('overrideModule', module);
    return {
      useModule: (newModule) => {
        checkToken('overrideModule(…).useModule', newModule);
        this.#overrides.addModule(module, newModule);
        return this;
      },
    };
  }

  /** What nothing provides is what this gives for its token; it is an error still where that is nothing. */
  useMocker(mocker: MockFactory): this {
    if (typeof mocker !== 'function') throw new TypeError('useMocker() takes a function (token), as createMock.');
    this.#overrides.mocker = mocker;
    return this;
  }

  /** @throws ContainerError for modules and providers that do not fit; what constructors and factories throw */
  async compile(): Promise<TestingModule> {
    const container = new Container(furnish, this.#overrides);
    const host = new HttpAdapterHost();
    provideCore(container, host);
    await container.load(this.#root);
    return new TestingModule(container, host, this.#logger);
  }

  #override(who: string, place: Place, token: unknown): OverrideBy {
    checkToken(who, token);
    const overrides = this.#overrides;
    return {
      useValue: (value: unknown) => {
        overrides.add(place, token, { kind: 'value', value });
        return this;
      },
      useClass: (type: unknown) => {
        checkClass(who, token, type);
        overrides.add(place, token, { kind: 'class', type: type as Type });
        return this;
      },
      useFactory: (options) => {
        if (typeof options?.factory !== 'function') throw new TypeError(`${who}(…).useFactory() takes { factory, inject? }.`);
        overrides.add(place, token, { kind: 'factory', factory: options.factory, inject: options.inject ?? [] });
        return this;
      },
    };
  }
}

export class Test {
  /** @throws TypeError for metadata that no module has */
  static createTestingModule(metadata: ModuleMetadata): TestingModuleBuilder {
    return new TestingModuleBuilder(metadata);
  }
}
