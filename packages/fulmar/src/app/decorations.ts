/**
 * What plugins add to an app and to its contexts. Contexts of an app that has any are of one subclass, made once:
 * what is added is an accessor of its prototype, so that all of them keep one shape, and a context whose route
 * lies outside the plugin does not have it.
 */
import { type AnyContext, Context } from './context.ts';
import { shown } from './checked-options.ts';
import type { Route, Scope } from './scope.ts';

export interface ContextDecoration {
  /** Makes the value of one context, when it is first asked for. */
  readonly make: ((c: AnyContext) => unknown) | null;
  readonly value: unknown;
}

/** The values of one context, by the number of the accessor. */
interface Decorated {
  made: unknown[] | null;
}

/** A thenable app or context would be taken for a promise. */
const NEVER: ReadonlySet<string> = new Set(['then']);

export function decorate(scope: Scope, name: string, given: unknown): void {
  const { owner } = scope;
  checkName('decorate', name, owner.face ?? {}, 'an app');
  const descriptor = descriptorOf(given);
  owner.decorations.set(name, descriptor);
  show(owner, name, descriptor);
}

/** What the scopes around a new one have, it has too. */
export function inheritDecorations(scope: Scope): void {
  const { origin, face } = scope;
  if (origin === null || face === null) return;
  for (let one: Scope | undefined = origin.within.owner; one !== undefined; one = one.origin?.within.owner) {
    for (const [name, descriptor] of one.decorations) if (!(name in face)) Object.defineProperty(face, name, descriptor);
  }
}

export function decorateContext(scope: Scope, name: string, given: unknown): void {
  const { owner } = scope;
  checkName('decorateContext', name, new Context(null as never, owner.settings), 'a context');
  for (let one: Scope | undefined = owner; one !== undefined; one = one.origin?.within.owner) {
    if (one.contextDecorations.has(name)) throw taken('decorateContext', name, 'a context');
  }
  if (isSharedByMistake(given)) {
    throw new TypeError(
      `decorateContext(): ${name} would be one ${Array.isArray(given) ? 'array' : 'object'} that all requests change; ` +
        'give a function (c) that makes one, or freeze it.',
    );
  }
  const make = typeof given === 'function' ? (given as (c: AnyContext) => unknown) : null;
  owner.contextDecorations.set(name, { make, value: given });
  exposeAbove(owner, name);
}

/** The contexts of an app are made by it, whichever of the apps within it a route is of. */
export function exposeOf(parent: Scope, child: Scope): void {
  for (const scope of child.all()) for (const name of scope.contextDecorations.keys()) exposeAbove(parent, name);
}

function exposeAbove(scope: Scope, name: string): void {
  expose(scope, name);
  for (const parent of scope.parents) exposeAbove(parent.scope, name);
}

function expose(scope: Scope, name: string): void {
  if (scope.contexts === Context) scope.contexts = class extends Context {} as typeof Context;
  const { prototype } = scope.contexts as unknown as { prototype: object };
  if (Object.hasOwn(prototype, name)) return;
  const index = Object.keys(prototype).length;
  Object.defineProperty(prototype, name, {
    enumerable: true,
    get(this: AnyContext & Decorated) {
      return valueOf(this, decorationFor(scope, this, name), index);
    },
    set(this: AnyContext & Decorated, value: unknown) {
      if (decorationFor(scope, this, name) === undefined) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      } else (this.made ??= [])[index] = value;
    },
  });
}

/** By the app nearest to the context's route. */
function decorationFor(scope: Scope, c: AnyContext, name: string): ContextDecoration | undefined {
  const scopes = (c.entry as Route | null)?.scopes ?? [];
  for (const inner of scopes) {
    const found = inner.contextDecorations.get(name);
    if (found !== undefined) return found;
  }
  return scope.owner.contextDecorations.get(name);
}

function valueOf(c: AnyContext & Decorated, decoration: ContextDecoration | undefined, index: number): unknown {
  if (decoration === undefined) return undefined;
  if (c.made !== null && index in c.made) return c.made[index];
  if (decoration.make === null) return decoration.value;
  const value = decoration.make(c);
  (c.made ??= [])[index] = value;
  return value;
}

function show(scope: Scope, name: string, descriptor: PropertyDescriptor): void {
  if (scope.face !== null && !(name in scope.face)) Object.defineProperty(scope.face, name, descriptor);
  for (const child of scope.children) if (child.origin?.within === scope) show(child, name, descriptor);
}

function descriptorOf(given: unknown): PropertyDescriptor {
  const isGetter =
    typeof given === 'object' &&
    given !== null &&
    Object.keys(given).join() === 'getter' &&
    typeof (given as { getter: unknown }).getter === 'function';
  if (!isGetter) return { value: given, enumerable: true };
  const { getter } = given as { getter: () => unknown };
  return { get: () => getter(), enumerable: true };
}

function checkName(by: string, name: unknown, target: object, what: string): void {
  if (typeof name !== 'string' || name === '') throw new TypeError(`${by}() takes a name and a value, and the name is ${shown(name)}.`);
  if (NEVER.has(name)) throw new TypeError(`${by}(): ${what} that has ${name} would be taken for a promise; choose another name.`);
  if (name in target) throw taken(by, name, what);
}

const taken = (by: string, name: string, what: string): TypeError =>
  new TypeError(`${by}(): ${what} has a member ${name} already; choose another name.`);

/** Plain objects and arrays are data: of one request, as a rule. */
function isSharedByMistake(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
