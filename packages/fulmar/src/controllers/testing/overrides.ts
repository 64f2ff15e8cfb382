/**
 * What a test puts in the place of providers, guards and their like, and modules, and for what nothing provides: read by
 * the container while it loads the modules of the test. One that stands for nothing there is is left out, as Nest does.
 */
import type { Container, Substitutes } from '../container/container.ts';
import { unforwarded } from '../container/module-given.ts';
import type { ModuleRecord } from '../container/module-record.ts';
import { ofClass } from '../container/provider-given.ts';
import { tokenName, Wrapper } from '../container/wrapper.ts';
import type { InjectionToken, Type } from '../nest-types.ts';
import type { MockFactory } from './mock.ts';

export type Substitute =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'class'; readonly type: Type }
  | { readonly kind: 'factory'; readonly factory: (...given: unknown[]) => unknown; readonly inject: readonly unknown[] };

/** Providers by their token; guards, pipes, interceptors and filters that decorators name, by their class. */
export type Place = 'providers' | 'injectables';

export class Overrides implements Substitutes {
  readonly #places: Record<Place, Map<unknown, Substitute>> = { providers: new Map(), injectables: new Map() };
  readonly #modules = new Map<unknown, unknown>();
  mocker: MockFactory | null = null;

  add(place: Place, token: unknown, substitute: Substitute): void {
    // A token is one thing: the last word counts.
    this.#places[place === 'providers' ? 'injectables' : 'providers'].delete(token);
    this.#places[place].set(token, substitute);
  }

  addModule(from: unknown, to: unknown): void {
    this.#modules.set(unforwarded(from), unforwarded(to));
  }

  module(given: unknown): unknown {
    const meant = unforwarded(given);
    return this.#modules.has(meant) ? this.#modules.get(meant) : given;
  }

  provide(modules: readonly ModuleRecord[]): void {
    for (const module of modules)
      for (const place of ['providers', 'injectables'] as const)
        for (const [token, substitute] of this.#places[place]) {
          const original = module[place].get(token);
          if (original !== undefined) module[place].set(token, wrapperFor(original, substitute));
        }
  }

  /** One for all who ask for it. @throws what the mocker throws */
  missing(token: unknown, container: Container): Wrapper | null {
    const { mocker } = this;
    // Without a token nothing can be meant: a file that imports itself by way of others.
    if (mocker === null || token === undefined || token === null) return null;
    const made: unknown = mocker(token as InjectionToken);
    // What is falsy is no mock: the dependency is missing, and told so.
    if (made === undefined || made === null || made === false || made === '' || made === 0) return null;
    container.provideCore(token, made);
    return container.core.providers.get(token) ?? null;
  }
}

/** A class has its own scope, a factory that of what it stands for; a value is one for all. */
function wrapperFor(original: Wrapper, substitute: Substitute): Wrapper {
  const { token, host, scope, isDurable } = original;
  if (substitute.kind === 'value') return new Wrapper(token, host, substitute);
  if (substitute.kind === 'class') return ofClass(substitute.type, host, token);
  return new Wrapper(token, host, { ...substitute, isAlias: false }, { scope: scope as 0, durable: isDurable });
}

/** @throws TypeError for what is no token */
export function checkToken(who: string, token: unknown): void {
  if (token === undefined || token === null)
    throw new TypeError(`${who}() takes a class or a token, and this is ${String(token)}: the file it comes from may import this one.`);
}

/** @throws TypeError for what is no class */
export function checkClass(who: string, token: unknown, type: unknown): void {
  if (typeof type !== 'function')
    throw new TypeError(`${who}(${tokenName(token)}).useClass() takes a class, and this is ${type === null ? 'null' : typeof type}.`);
}
