/**
 * `ConfigurableModuleBuilder`: a class for modules that are given options, with `register()` and `registerAsync()`.
 * Each step gives another builder; `build()` makes the class.
 */
import type {
  DynamicModule,
  FactoryProvider,
  InjectionToken,
  ModuleImport,
  OptionalFactoryDependency,
  Provider,
  Type,
} from '../nest-types.ts';
import { nameOfMember } from '../decorators/member-name.ts';

export interface ConfigurableModuleBuilderOptions {
  moduleName?: string;
  optionsInjectionToken?: string | symbol;
  /** Two with the same options are two. */
  alwaysTransient?: boolean;
}

/** Options that come later: by a factory, or by a class that makes them. */
export type ConfigurableModuleAsyncOptions<Options, FactoryMethod extends string = 'create'> = {
  imports?: ModuleImport[];
  provideInjectionTokensFrom?: Provider[];
  useFactory?: (...given: any[]) => Promise<Options> | Options;
  inject?: FactoryProvider['inject'];
  useClass?: Type<Record<FactoryMethod, () => Promise<Options> | Options>>;
  useExisting?: Type<Record<FactoryMethod, () => Promise<Options> | Options>> | InjectionToken;
};

export type ConfigurableModuleCls<
  Options,
  Method extends string = 'register',
  Factory extends string = 'create',
  Extras = object,
> = (new () => any) &
  Record<Method, (options: Options & Partial<Extras>) => DynamicModule> &
  Record<`${Method}Async`, (options: ConfigurableModuleAsyncOptions<Options, Factory> & Partial<Extras>) => DynamicModule>;

export interface ConfigurableModuleHost<Options, Method extends string, Factory extends string, Extras> {
  ConfigurableModuleClass: ConfigurableModuleCls<Options, Method, Factory, Extras>;
  MODULE_OPTIONS_TOKEN: string | symbol;
  /** Types alone: `typeof OPTIONS_TYPE`. */
  OPTIONS_TYPE: Options & Partial<Extras>;
  ASYNC_OPTIONS_TYPE: ConfigurableModuleAsyncOptions<Options, Factory> & Partial<Extras>;
}

type Transform = (definition: DynamicModule, extras: any) => DynamicModule;
type Given = Record<string, unknown>;

interface Settings {
  readonly options: ConfigurableModuleBuilderOptions;
  readonly method: string;
  readonly factory: string;
  readonly extras: Readonly<Given> | null;
  readonly transform: Transform;
}

const OF_ASYNC: readonly string[] = ['imports', 'inject', 'useClass', 'useExisting', 'useFactory', 'provideInjectionTokensFrom'];
const MODULE_ID = 'CONFIGURABLE_MODULE_ID';

export class ConfigurableModuleBuilder<
  Options,
  Method extends string = 'register',
  Factory extends string = 'create',
  Extras extends object = object,
> {
  readonly #settings: Settings;

  constructor(options: ConfigurableModuleBuilderOptions = {}, settings: Partial<Settings> = {}) {
    this.#settings = { method: 'register', factory: 'create', extras: null, transform: (definition) => definition, ...settings, options };
  }

  #with<M extends string, F extends string, E extends object>(settings: Partial<Settings>): ConfigurableModuleBuilder<Options, M, F, E> {
    return new ConfigurableModuleBuilder<Options, M, F, E>(this.#settings.options, { ...this.#settings, ...settings });
  }

  /** Options beside those that are injected, with their defaults, and what becomes of the module by them. */
  setExtras<E extends object>(
    extras: E,
    transformDefinition: (definition: DynamicModule, extras: E) => DynamicModule = (definition) => definition,
  ): ConfigurableModuleBuilder<Options, Method, Factory, E> {
    return this.#with<Method, Factory, E>({ extras: extras as Given, transform: transformDefinition });
  }

  setClassMethodName<M extends string>(method: M): ConfigurableModuleBuilder<Options, M, Factory, Extras> {
    return this.#with<M, Factory, Extras>({ method });
  }

  setFactoryMethodName<F extends string>(factory: F): ConfigurableModuleBuilder<Options, Method, F, Extras> {
    return this.#with<Method, F, Extras>({ factory });
  }

  build(): ConfigurableModuleHost<Options, Method, Factory, Extras> {
    const { options } = this.#settings;
    const token = options.optionsInjectionToken ?? tokenFor(options.moduleName);
    return {
      ConfigurableModuleClass: classOf(this.#settings, token) as never,
      MODULE_OPTIONS_TOKEN: token,
      OPTIONS_TYPE: typeOnly('OPTIONS_TYPE') as never,
      ASYNC_OPTIONS_TYPE: typeOnly('ASYNC_OPTIONS_TYPE') as never,
    };
  }
}

function tokenFor(moduleName: string | undefined): string | symbol {
  if (moduleName === undefined) return Symbol(nameOfMember('MODULE_OPTIONS'));
  const words = moduleName.trim().split(/(?=[A-Z])/);
  return `${words.join('_').toUpperCase()}_MODULE_OPTIONS`;
}

function typeOnly(name: string): object {
  return new Proxy(
    {},
    {
      get() {
        throw new Error(`${name} is there for its type, typeof ${name}, and is no value.`);
      },
    },
  );
}

function classOf({ options, method, factory, extras, transform }: Settings, token: string | symbol): Type {
  const names = Object.keys(extras ?? {});
  const own: Provider[] = options.alwaysTransient === true ? [{ provide: MODULE_ID, useFactory: () => nameOfMember('module') }] : [];
  class ConfigurableModule {}
  const define = (name: string, make: (module: Type, given: Given) => DynamicModule): void =>
    void Object.defineProperty(ConfigurableModule, name, {
      configurable: true,
      writable: true,
      value(this: Type, given: Given) {
        return make(this, given);
      },
    });
  define(method, (module, given) => {
    const injected = extras === null ? given : without(given, names);
    return transform({ module, providers: [{ provide: token, useValue: injected }, ...own] }, { ...extras, ...given });
  });
  define(`${method}Async`, (module, given) => {
    const { imports = [] } = given as { imports?: ModuleImport[] };
    const providers = [...asyncProviders(given as AsyncGiven, token, factory), ...own];
    return transform({ module, imports, providers }, { ...extras, ...(extras === null ? {} : without(given, OF_ASYNC)) });
  });
  return ConfigurableModule;
}

const without = (given: Given, names: readonly string[]): Given =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

type AsyncGiven = ConfigurableModuleAsyncOptions<unknown, string>;

/** @throws TypeError for options that say not where they come from */
function asyncProviders(given: AsyncGiven, token: string | symbol, factory: string): Provider[] {
  const { useFactory, useClass, useExisting, inject = [], provideInjectionTokensFrom } = given;
  if (typeof useFactory === 'function')
    return [{ provide: token, useFactory, inject }, ...injectedFrom(provideInjectionTokensFrom ?? [], inject)];
  const source = useExisting ?? useClass;
  if (source === undefined) throw new TypeError('Options that come later need useFactory, useClass or useExisting.');
  const made: Provider = {
    provide: token,
    useFactory: async (maker: Record<string, () => unknown>) => maker[factory]?.(),
    inject: [source as InjectionToken],
  };
  return useExisting === undefined ? [made, { provide: useClass as Type, useClass: useClass as Type }] : [made];
}

/** Of the providers those that are asked for, with what they ask for. */
function injectedFrom(providers: readonly Provider[], wanted: readonly unknown[], found: Provider[] = []): Provider[] {
  const tokens = wanted.map((one) =>
    typeof one === 'object' && one !== null && 'token' in one ? (one as OptionalFactoryDependency).token : one,
  );
  for (const provider of providers) {
    const token = typeof provider === 'function' ? provider : provider.provide;
    if (!tokens.includes(token) || found.includes(provider)) continue;
    found.push(provider);
    if (typeof provider !== 'function' && 'inject' in provider) injectedFrom(providers, provider.inject ?? [], found);
  }
  return found;
}
