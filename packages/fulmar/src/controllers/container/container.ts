/**
 * All modules of one application: read from its root, linked, and their instances made. There is one for each
 * application; nothing of it is shared between two.
 */
import { parametersOf } from '../decorators/parameters.ts';
import { KEYS } from '../metadata/keys.ts';
import { methodNames } from '../metadata/methods.ts';
import { ownKeys, read, readOwn } from '../metadata/reflect.ts';
import type { Type } from '../nest-types.ts';
import { ContainerError, unknownExport } from './container-error.ts';
import { refuseForeign } from './foreign.ts';
import { instanceOf } from './injector.ts';
import { Linker } from './linker.ts';
import { type GivenModule, toModule, unforwarded } from './module-given.ts';
import { ModuleRecord } from './module-record.ts';
import { ofClass, toController, toProvider } from './provider-given.ts';
import { GLOBAL_ENHANCERS, INQUIRER, REQUEST } from './tokens.ts';
import { Wrapper } from './wrapper.ts';

class CoreModule {}

/** Puts into a module what each has: its `ModuleRef`. */
export type Furnish = (module: ModuleRecord, container: Container) => void;

/** What stands in the place of an application's own while it is tested. */
export interface Substitutes {
  /** Another module for one that is imported or exported, or that one. */
  module(given: unknown): unknown;
  /** Changes what modules provide, before it is linked. */
  provide(modules: readonly ModuleRecord[]): void;
  /** For what nothing provides, or null. */
  missing(token: unknown, container: Container): Wrapper | null;
}

/** What `registerControllers()` and `registerProviders()` have been given. */
export interface Additions {
  readonly providers: readonly unknown[];
  readonly controllers: readonly unknown[];
}

const ENHANCER_KEYS = [KEYS.guards, KEYS.interceptors, KEYS.pipes, KEYS.filters] as const;

export class Container {
  readonly modules = new Map<object, ModuleRecord>();
  readonly globals = new Set<ModuleRecord>();
  /** Those of `APP_GUARD` and its like, by that token, in their order. */
  readonly enhancers = new Map<unknown, Wrapper[]>();
  readonly linker = new Linker(this.modules, this.globals);
  readonly core: ModuleRecord;
  readonly #furnish: Furnish;
  readonly #substitutes: Substitutes | null;
  root: ModuleRecord | null = null;

  constructor(furnish: Furnish, substitutes: Substitutes | null = null) {
    this.#furnish = furnish;
    this.#substitutes = substitutes;
    if (substitutes !== null) this.linker.missing = (token) => substitutes.missing(token, this);
    this.core = new ModuleRecord(CoreModule, {}, true);
    this.modules.set(CoreModule, this.core);
    this.globals.add(this.core);
    this.provideCore(REQUEST, new Wrapper(REQUEST, this.core, { kind: 'request' }));
    this.provideCore(INQUIRER, new Wrapper(INQUIRER, this.core, { kind: 'inquirer' }));
  }

  /** For all modules. */
  provideCore(token: unknown, given: unknown): void {
    this.core.providers.set(token, given instanceof Wrapper ? given : new Wrapper(token, this.core, { kind: 'value', value: given }));
    this.core.exports.add(token);
  }

  /** @throws ContainerError, and what a constructor or a factory throws */
  async load(root: unknown): Promise<ModuleRecord> {
    const added: ModuleRecord[] = [];
    const record = await this.#read(await toModule(root, { name: 'the application', index: 0, path: [] }), [], added);
    if (this.root === null) {
      this.root = record;
      added.push(this.core);
    }
    for (const module of added) this.#fill(module);
    this.#substitutes?.provide(added);
    for (const module of added) this.#checkExports(module);
    this.linker.link(added.flatMap((module) => [...module.wrappers()]));
    this.#measure();
    await this.#instantiate(added);
    return record;
  }

  async #read(given: GivenModule, path: readonly Type[], added: ModuleRecord[]): Promise<ModuleRecord> {
    const { key, metatype, dynamic } = given;
    const known = this.modules.get(key);
    if (known !== undefined) return known;
    const isGlobal = read(KEYS.global, metatype) === true || dynamic['global'] === true;
    const record = new ModuleRecord(metatype, dynamic, isGlobal);
    this.modules.set(key, record);
    if (isGlobal) this.globals.add(record);
    added.push(record);
    const here = [...path, metatype];
    for (const [index, imported] of listOf(record, KEYS.imports).entries()) {
      const meant = this.#substitutes === null ? imported : this.#substitutes.module(imported);
      const next = await toModule(meant, { name: metatype.name, index, path: here });
      record.imports.add(await this.#read(next, here, added));
    }
    return record;
  }

  #fill(module: ModuleRecord): void {
    module.providers.set(module.metatype, ofClass(module.metatype, module));
    this.#furnish(module, this);
    this.#put(module, { providers: listOf(module, KEYS.providers), controllers: listOf(module, KEYS.controllers) });
    for (const given of listOf(module, KEYS.exports)) module.exports.add(tokenOf(unforwarded(given)));
  }

  #put(module: ModuleRecord, { providers, controllers }: Additions, from = 0): void {
    for (const [index, given] of providers.entries()) this.#provide(module, unforwarded(given), from + index);
    for (const [index, given] of controllers.entries()) {
      const wrapper = toController(given, module, from + index);
      module.controllers.set(wrapper.token, wrapper);
      for (const type of enhancersOf(wrapper.metatype as Type)) inject(module, type);
    }
  }

  /**
   * More of what a module has, as if it had been declared with it. Whoever has been made stays as it is.
   * @throws ContainerError as `load()` does
   */
  async extend(module: ModuleRecord, additions: Additions): Promise<void> {
    const before = new Set(module.wrappers());
    this.#put(module, additions, before.size);
    this.linker.link([...module.wrappers()].filter((wrapper) => !before.has(wrapper)));
    await this.#instantiate([module]);
  }

  #provide(module: ModuleRecord, given: unknown, index: number): void {
    const token = (given as { provide?: unknown } | null | undefined)?.provide;
    if (typeof given !== 'object' || !GLOBAL_ENHANCERS.has(token)) {
      const wrapper = toProvider(given, module, index);
      refuseForeign(wrapper.metatype, module.name);
      module.providers.set(wrapper.token, wrapper);
      return;
    }
    // There may be several of each, in several modules.
    const list = this.enhancers.get(token) ?? [];
    this.enhancers.set(token, list);
    const own = `${String(token)} (${module.name} ${index})`;
    const wrapper = toProvider(given, module, index, own);
    module.providers.set(own, wrapper);
    list.push(wrapper);
  }

  #checkExports(module: ModuleRecord): void {
    for (const token of module.exports) {
      const isImported = [...module.imports, ...this.globals].some(({ metatype }) => metatype === token);
      if (module.providers.has(token) || isImported) continue;
      throw unknownExport(module, token);
    }
  }

  /** The longest way from the root to each module; an import that closes a circle is left out. */
  #measure(): void {
    const order: ModuleRecord[] = [];
    const seen = new Set<ModuleRecord>();
    const visit = (module: ModuleRecord): void => {
      seen.add(module);
      for (const next of module.imports) if (!seen.has(next)) visit(next);
      order.unshift(module);
    };
    if (this.root !== null) visit(this.root);
    for (const [at, module] of order.entries()) {
      module.distance = Math.max(module.distance, 1);
      for (const next of module.imports) if (order.indexOf(next) > at) next.distance = Math.max(next.distance, module.distance + 1);
    }
    // As far away as can be: hooks of what all stand on come first.
    for (const module of this.globals) if (module !== this.root) module.distance = Number.MAX_VALUE;
  }

  /** By requests: whatever answers them is one of a kind for itself. */
  #isAsked(wrapper: Wrapper): boolean {
    const { host, token } = wrapper;
    if (host.controllers.get(token) === wrapper || host.injectables.get(token) === wrapper) return true;
    return [...this.enhancers.values()].some((list) => list.includes(wrapper));
  }

  /** Those for a request, and those for one consumer each, are made when they are needed. */
  async #instantiate(modules: readonly ModuleRecord[]): Promise<void> {
    const all = modules.flatMap((module) => [...module.wrappers()]);
    const isMade = (wrapper: Wrapper): boolean => !wrapper.isRequestScoped && (!wrapper.isTransient || this.#isAsked(wrapper));
    // One that throws at once leaves none of the others alone with its failure.
    await Promise.all(all.filter(isMade).map(async (wrapper) => instanceOf(wrapper)));
  }
}

/** Of the class and of what a dynamic module adds to it. */
function listOf({ metatype, dynamic }: ModuleRecord, key: string): unknown[] {
  const more = dynamic[key] ?? [];
  if (!Array.isArray(more))
    throw new ContainerError(`The ${key} of ${metatype.name} are no list: they are of type ${typeof more}.`, [metatype]);
  return [...(read<unknown[]>(key, metatype) ?? []), ...(more as unknown[])];
}

function tokenOf(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null) return exported;
  const { provide, module } = exported as { provide?: unknown; module?: unknown };
  return provide ?? module;
}

/** Makes a class injectable in a module, once. */
export function inject(module: ModuleRecord, type: Type): Wrapper {
  let wrapper = module.injectables.get(type);
  if (wrapper === undefined) module.injectables.set(type, (wrapper = ofClass(type, module)));
  return wrapper;
}

/** The classes of guards and their like that a controller, its methods and their parameters name. */
function enhancersOf(controller: Type): Type[] {
  const prototype = controller.prototype as Record<string, Function>;
  const methods = methodNames(prototype);
  const ofClass = ENHANCER_KEYS.flatMap((key) => read<unknown[]>(key, controller) ?? []);
  const ofMethods = methods.flatMap((name) => {
    const method = prototype[name] as Function;
    const keys = ownKeys(method);
    return ENHANCER_KEYS.flatMap((key) => (keys.includes(key) ? (readOwn<unknown[]>(key, method) ?? []) : []));
  });
  const pipes = methods.flatMap((name) => parametersOf(prototype, name).flatMap(({ pipes: own }) => own as unknown[]));
  return [...ofClass, ...ofMethods, ...pipes].filter((one): one is Type => typeof one === 'function');
}
