/**
 * Guards, interceptors, pipes and filters of a class or a method, metadata of one's own, and several decorators as
 * one. They write metadata; `pipeline/` reads it.
 */
import { KEYS } from '../metadata/keys.ts';
import { type AnyDecorator, onClass, onClassOrMethod } from '../metadata/placed.ts';
import { define, extend } from '../metadata/reflect.ts';
import type { Abstract, CanActivate, ExceptionFilter, NestInterceptor, PipeTransform, Type } from '../nest-types.ts';

type Both = MethodDecorator & ClassDecorator;
type Given<T> = T | Type<T>;

/** What is used has to have `method`, itself or in its prototype. @throws TypeError that names what has not */
function enhancer(decorator: string, key: string, method: string, given: readonly unknown[]): Both {
  return onClassOrMethod(decorator, (target, owner) => {
    for (const one of given) checkEnhancer(`@${decorator}() of ${owner}`, method, one);
    extend(key, given, target);
  });
}

/** @throws TypeError for what has no such method */
export function checkEnhancer(who: string, method: string, given: unknown): void {
  const holder: unknown = typeof given === 'function' ? given.prototype : given;
  if (typeof given === 'function' || typeof (holder as Record<string, unknown> | null | undefined)?.[method] === 'function') return;
  const found = given === undefined ? 'undefined: perhaps its file imports this one' : given === null ? 'null' : `of type ${typeof given}`;
  throw new TypeError(`${who} takes classes or objects with ${method}(), and this is ${found}.`);
}

export const UseGuards = (...guards: Given<CanActivate>[]): Both => enhancer('UseGuards', KEYS.guards, 'canActivate', guards);
export const UseInterceptors = (...interceptors: Given<NestInterceptor>[]): Both =>
  enhancer('UseInterceptors', KEYS.interceptors, 'intercept', interceptors);
export const UsePipes = (...pipes: Given<PipeTransform>[]): Both => enhancer('UsePipes', KEYS.pipes, 'transform', pipes);
export const UseFilters = (...filters: Given<ExceptionFilter>[]): Both => enhancer('UseFilters', KEYS.filters, 'catch', filters);

/** The errors that a filter answers; all without any. */
export function Catch(...exceptions: (Type<any> | Abstract<any>)[]): ClassDecorator {
  for (const one of exceptions)
    if (typeof one !== 'function') throw new TypeError(`@Catch() takes classes of errors, and this is of type ${typeof one}.`);
  return onClass('Catch', (target) => {
    define(KEYS.catchMark, true, target);
    define(KEYS.catches, exceptions, target);
  });
}

export type CustomDecorator<Key = string> = Both & { KEY: Key };

export function SetMetadata<K = string, V = any>(key: K, value: V): CustomDecorator<K> {
  const decorator = onClassOrMethod('SetMetadata', (target) => define(key, value, target));
  return Object.assign(decorator, { KEY: key });
}

/** Several decorators as one, applied in their order. */
export function applyDecorators(...decorators: (ClassDecorator | MethodDecorator | PropertyDecorator)[]): Both & PropertyDecorator {
  for (const one of decorators)
    if (typeof one !== 'function') throw new TypeError(`applyDecorators() takes decorators, and this is of type ${typeof one}.`);
  return ((target: unknown, member?: string | symbol, descriptor?: unknown) => {
    for (const decorator of decorators) (decorator as AnyDecorator)(target, member, descriptor);
  }) as Both & PropertyDecorator;
}
