/**
 * What a decorator stands on. TypeScript's older decorators are meant, which have parameters and types; one that stands
 * where it says nothing is an error at once.
 */
import { notePlace } from './place.ts';
import { tsconfigPlace } from './tsconfig-place.ts';

type Member = string | symbol;
export type AnyDecorator = (target: any, member?: any, at?: any) => any;

const nameOf = (target: object): string => (typeof target === 'function' ? target.name : target.constructor.name) || 'an unnamed class';
const memberName = (target: object, member: Member): string => `${nameOf(target)}.${String(member)}`;

/** Standard decorators are called with a context, which has the kind of what they stand on. */
function refuseStandard(decorator: string, member: unknown): void {
  if (typeof member !== 'object' || member === null || !('kind' in member)) return;
  throw new TypeError(
    `@${decorator}() was compiled as a standard decorator, which has neither parameters nor types. ` +
      `Set "experimentalDecorators": true and "emitDecoratorMetadata": true ${tsconfigPlace('experimentalDecorators')}.`,
  );
}

function describe(target: object, member: Member | undefined, at: unknown): string {
  if (member === undefined)
    return typeof at === 'number' ? `a parameter of the constructor of ${nameOf(target)}` : `class ${nameOf(target)}`;
  const named = memberName(target, member);
  const method = `${typeof target === 'function' ? 'the static method' : 'method'} ${named}()`;
  if (typeof at === 'number') return `parameter ${at + 1} of ${typeof target === 'function' ? method : `${named}()`}`;
  if (at === undefined) return `property ${named}`;
  const { get, set } = at as PropertyDescriptor;
  return get === undefined && set === undefined ? method : `the accessor ${named}`;
}

const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';
const isDescriptor = (value: unknown): value is PropertyDescriptor =>
  typeof value === 'object' && value !== null && ('value' in value || 'get' in value || 'set' in value);

/**
 * `@Get` without `()` makes a decorator of a decorator's arguments, which nothing ever applies. `given`: what it was called
 * with. @throws TypeError where that is a class, or a member with its class
 */
export function refuseUncalled(decorator: string, given: readonly unknown[]): void {
  const [target, member, at] = given;
  if (!isObject(target)) return;
  const isClass = given.length === 1 && typeof target === 'function';
  const isMember = given.length > 1 && (typeof member === 'string' || typeof member === 'symbol' || typeof at === 'number');
  if (!isClass && !isMember) return;
  const found = describe(target, member as Member | undefined, isDescriptor(at) || typeof at === 'number' ? at : undefined);
  const [shown, written] = decorator.includes(' ') ? [`A ${decorator}`, 'it with ()'] : [`@${decorator}`, `@${decorator}()`];
  throw new TypeError(`${shown} on ${found} has no effect: write ${written}.`);
}

const wrong = (decorator: string, wanted: string, found: string): TypeError =>
  new TypeError(`@${decorator}() is for ${wanted}, and here it stands on ${found}.`);

/** @throws TypeError on anything but a class */
export function onClass(decorator: string, apply: (target: Function) => void): ClassDecorator {
  const decorate = (target: Function, member?: Member, at?: unknown): void => {
    refuseStandard(decorator, member);
    if (typeof target !== 'function' || member !== undefined || at !== undefined)
      throw wrong(decorator, 'classes', describe(target, member, at));
    notePlace(target, decorate);
    apply(target);
  };
  return decorate as ClassDecorator;
}

/** `apply` is given the method. @throws TypeError on anything but a method */
export function onMethod(decorator: string, apply: (method: Function, target: object, member: Member) => void): MethodDecorator {
  return ((target: object, member: Member, descriptor?: PropertyDescriptor) => {
    refuseStandard(decorator, member);
    const method: unknown = typeof descriptor === 'object' ? descriptor.value : undefined;
    // Of a static one nobody would ever ask.
    if (typeof method !== 'function' || typeof target === 'function')
      throw wrong(decorator, 'methods', describe(target, member, descriptor));
    apply(method, target, member);
    return descriptor;
  }) as MethodDecorator;
}

/** `apply` is given the class or the method, whichever it stands on. @throws TypeError on anything else */
export function onClassOrMethod(decorator: string, apply: (target: Function, owner: string) => void): MethodDecorator & ClassDecorator {
  return ((target: object, member?: Member, descriptor?: unknown) => {
    refuseStandard(decorator, member);
    if (member === undefined && descriptor === undefined && typeof target === 'function') {
      apply(target, nameOf(target));
      return target;
    }
    const method: unknown = typeof descriptor === 'object' ? (descriptor as PropertyDescriptor).value : undefined;
    if (typeof method !== 'function') throw wrong(decorator, 'classes and methods', describe(target, member, descriptor));
    apply(method, `${memberName(target, member as Member)}()`);
    return descriptor;
  }) as MethodDecorator & ClassDecorator;
}

/** @throws TypeError on anything but a parameter of a method */
export function onParameter(decorator: string, apply: (target: object, member: Member, index: number) => void): ParameterDecorator {
  return ((target: object, member: Member | undefined, index: number) => {
    refuseStandard(decorator, member);
    if (typeof index !== 'number' || member === undefined || typeof target === 'function')
      throw wrong(decorator, "parameters of controllers' methods", describe(target, member, index));
    apply(target, member, index);
  }) as ParameterDecorator;
}

/** A parameter of a constructor, or a property. @throws TypeError on anything else */
export function onDependency(
  decorator: string,
  apply: (target: object, at: { readonly index: number } | { readonly property: Member }) => void,
): PropertyDecorator & ParameterDecorator {
  return ((target: object, member: Member | undefined, index?: unknown) => {
    refuseStandard(decorator, member);
    const isParameter = typeof index === 'number' && member === undefined;
    if (!isParameter && (index !== undefined || member === undefined))
      throw wrong(decorator, 'parameters of constructors and properties', describe(target, member, index));
    apply(target, isParameter ? { index } : { property: member as Member });
  }) as PropertyDecorator & ParameterDecorator;
}
