/**
 * A provider, a controller or a guard as its module has it: how it is made, what it depends on, and the instance that
 * all share. `injector.ts` fills the last.
 */
import { Scope } from '../enums.ts';
import type { ScopeOptions, Type } from '../nest-types.ts';
import type { ModuleRecord } from './module-record.ts';

/** What one of it depends on, with where that goes: a parameter by its index, a property by its name. */
export interface Dependency {
  readonly at: number | string | symbol;
  readonly token: unknown;
  readonly isOptional: boolean;
  readonly isForward: boolean;
  /** Null: nothing provides it, and it is optional. Found by `linker.ts`. */
  wrapper: Wrapper | null;
}

/** One instance, while it is made and when it is. */
export class Holder {
  value: unknown = undefined;
  isDone = false;
  loading: Promise<unknown> | null = null;
  /** What a circle is given that stands still: an object that becomes the instance. */
  early: object | null = null;
}

export type Making =
  | { readonly kind: 'class'; readonly type: Type }
  | {
      readonly kind: 'factory';
      readonly factory: (...given: unknown[]) => unknown;
      readonly inject: readonly unknown[];
      readonly isAlias: boolean;
    }
  | { readonly kind: 'value'; readonly value: unknown }
  /** The request of a context, or who asks: found where it is asked for. */
  | { readonly kind: 'request' | 'inquirer' };

const nameOf = (token: unknown): string =>
  typeof token === 'function' ? token.name || 'an unnamed class' : typeof token === 'symbol' ? token.toString() : String(token);

export class Wrapper {
  readonly token: unknown;
  readonly host: ModuleRecord;
  readonly making: Making;
  readonly scope: number;
  readonly isDurable: boolean;
  readonly holder = new Holder();
  dependencies: Dependency[] = [];
  /** Itself, or something it depends on: there is one for each request. Found by `linker.ts`. */
  isRequestScoped = false;
  /** All of it that is for a request is for several, too. */
  isTreeDurable = false;
  /** How many it stands on: hooks of those below come first. */
  level = 0;
  /** Instances with one consumer each, for their hooks. */
  readonly transients: unknown[] = [];
  #shape: object | null = null;

  constructor(token: unknown, host: ModuleRecord, making: Making, scoped: ScopeOptions = {}) {
    this.token = token;
    this.host = host;
    this.making = making;
    this.scope = making.kind === 'request' ? Scope.REQUEST : making.kind === 'inquirer' ? Scope.TRANSIENT : (scoped.scope ?? Scope.DEFAULT);
    this.isDurable = making.kind === 'request' || scoped.durable === true;
    if (making.kind === 'value') {
      this.holder.value = making.value;
      this.holder.isDone = true;
    }
  }

  get name(): string {
    return nameOf(this.token);
  }

  get isTransient(): boolean {
    return this.scope === Scope.TRANSIENT;
  }

  /** Of discovery: the class, if it is one. */
  get metatype(): Type | null {
    return this.making.kind === 'class' ? this.making.type : null;
  }

  /** Of what is made for each request: an object of its class, for who looks for methods. */
  get instance(): any {
    if (this.holder.isDone || !this.isRequestScoped || this.making.kind !== 'class') return this.holder.value;
    return (this.#shape ??= Object.create(this.making.type.prototype as object) as object);
  }

  /** Of `useExisting`: another provider is meant. */
  get isAlias(): boolean {
    return this.making.kind === 'factory' && this.making.isAlias;
  }

  /** Whether there is one for all requests. */
  isDependencyTreeStatic(): boolean {
    return !this.isRequestScoped;
  }
}

export { nameOf as tokenName };
