/**
 * Which provider each dependency is, by what modules import and export, before anything is made: whatever cannot be had
 * is an error at start. Then what is for a request and what stands in a circle.
 */
import { circular, type ContainerError, unknownDependency } from './container-error.ts';
import { dependenciesOf } from './dependencies.ts';
import { otherNest } from './foreign.ts';
import type { ModuleRecord } from './module-record.ts';
import type { Dependency, Wrapper } from './wrapper.ts';

export class Linker {
  readonly #modules: ReadonlyMap<unknown, ModuleRecord>;
  readonly #globals: ReadonlySet<ModuleRecord>;
  /** Tests may have something for what nothing provides. */
  missing: ((token: unknown) => Wrapper | null) | null = null;

  constructor(modules: ReadonlyMap<unknown, ModuleRecord>, globals: ReadonlySet<ModuleRecord>) {
    this.#modules = modules;
    this.#globals = globals;
  }

  /** @throws ContainerError for what nothing provides, and for a circle */
  link(wrappers: Iterable<Wrapper>): void {
    const all = [...wrappers];
    for (const wrapper of all) this.#find(wrapper);
    const done = new Set<Wrapper>();
    for (const wrapper of all) refuseCircles(wrapper, [], done);
    for (const wrapper of all) settle(wrapper, new Set());
  }

  /** A single one, made beside the modules. */
  linkOne(wrapper: Wrapper): void {
    this.#find(wrapper);
    settle(wrapper, new Set());
  }

  #find(wrapper: Wrapper): void {
    wrapper.dependencies = dependenciesOf(wrapper);
    for (const dependency of wrapper.dependencies) {
      dependency.wrapper = this.#lookup(wrapper, dependency) ?? this.missing?.(dependency.token) ?? null;
      if (dependency.wrapper === null && !dependency.isOptional) throw this.#unknown(wrapper, dependency);
    }
  }

  #unknown(wrapper: Wrapper, dependency: Dependency): ContainerError {
    const { token } = dependency;
    const ours = [...wrapper.host.providers.keys(), ...[...this.#globals].flatMap(({ exports }) => [...exports])];
    return unknownDependency(wrapper, dependency, { owners: this.#ownersOf(token), hint: otherNest(token, ours) });
  }

  #lookup(wrapper: Wrapper, { token }: Dependency): Wrapper | null {
    const { host } = wrapper;
    const own = host.providers.get(token);
    // A provider that replaces one of an imported module under its own token may build on that.
    if (own !== undefined && own !== wrapper) return own;
    return this.visible(host, token);
  }

  /** What the imports of a module and global modules export. */
  visible(host: ModuleRecord, token: unknown): Wrapper | null {
    return searchImports([...host.imports, ...this.#globals], token, new Set([host]));
  }

  #ownersOf(token: unknown): readonly ModuleRecord[] {
    return [...this.#modules.values()].filter(({ providers }) => providers.has(token));
  }
}

/** A module is entered once, however many import it. */
function searchImports(modules: Iterable<ModuleRecord>, token: unknown, seen: Set<ModuleRecord>): Wrapper | null {
  for (const module of modules) {
    if (seen.has(module)) continue;
    seen.add(module);
    const own = module.exports.has(token) ? module.providers.get(token) : undefined;
    if (own !== undefined) return own;
    // What it hands on: modules that it imports and exports.
    const handedOn = [...module.imports].filter(({ metatype }) => module.exports.has(metatype));
    const found = searchImports(handedOn, token, seen);
    if (found !== null) return found;
  }
  return null;
}

/** @throws ContainerError with the path of a circle that no forwardRef() breaks */
function refuseCircles(wrapper: Wrapper, path: readonly Wrapper[], done: Set<Wrapper>): void {
  if (done.has(wrapper)) return;
  const start = path.indexOf(wrapper);
  if (start >= 0) throw circular([...path.slice(start), wrapper]);
  const here = [...path, wrapper];
  for (const dependency of wrapper.dependencies)
    if (dependency.wrapper !== null && !dependency.isForward) refuseCircles(dependency.wrapper, here, done);
  done.add(wrapper);
}

const isRequestToken = ({ making }: Wrapper): boolean => making.kind === 'request';
/** Scope.REQUEST, as `enums.ts` has it. */
const OF_A_REQUEST = 2;

/** Is it for a request, and is it so for several; how much it stands on. */
function settle(wrapper: Wrapper, seen: Set<Wrapper>): void {
  const reached = reach(wrapper);
  wrapper.isRequestScoped = reached.some(({ scope }) => scope === OF_A_REQUEST);
  wrapper.isTreeDurable =
    wrapper.isRequestScoped && reached.every((one) => one.scope !== OF_A_REQUEST || one.isDurable || isRequestToken(one));
  wrapper.level = levelOf(wrapper, seen);
}

/** Itself and all it depends on. */
function reach(wrapper: Wrapper, found = new Set<Wrapper>()): Wrapper[] {
  if (!found.has(wrapper)) {
    found.add(wrapper);
    for (const { wrapper: next } of wrapper.dependencies) if (next !== null) reach(next, found);
  }
  return [...found];
}

const levels = new WeakMap<Wrapper, number>();

function levelOf(wrapper: Wrapper, path: Set<Wrapper>): number {
  const known = levels.get(wrapper);
  if (known !== undefined) return known;
  if (path.has(wrapper)) return 0;
  path.add(wrapper);
  const below = wrapper.dependencies.map(({ wrapper: next }) => (next === null ? 0 : levelOf(next, path)));
  path.delete(wrapper);
  const level = Math.max(0, ...below) + 1;
  levels.set(wrapper, level);
  return level;
}
