/**
 * What stands among the providers of a module becomes a wrapper: a class, a value, a factory, another name.
 */
import { KEYS } from '../metadata/keys.ts';
import { has, read } from '../metadata/reflect.ts';
import type { ScopeOptions, Type } from '../nest-types.ts';
import { isThenable } from '../../host/thenable.ts';
import { ContainerError } from './container-error.ts';
import type { ModuleRecord } from './module-record.ts';
import { type Making, tokenName, Wrapper } from './wrapper.ts';

interface Given {
  readonly provide?: unknown;
  readonly useClass?: unknown;
  readonly useValue?: unknown;
  readonly useFactory?: unknown;
  readonly useExisting?: unknown;
  readonly inject?: readonly unknown[];
  readonly scope?: number;
  readonly durable?: boolean;
}

/** `token`: another than its own. @throws ContainerError that says which of which module is none */
export function toProvider(given: unknown, host: ModuleRecord, index: number, token?: unknown): Wrapper {
  if (typeof given === 'function') return ofClass(given as Type, host, token ?? given);
  if (typeof given !== 'object' || given === null || !('provide' in given))
    throw new ContainerError(
      `The providers of ${host.name} have ${given === undefined ? 'undefined' : given === null ? 'null' : `something of type ${typeof given}`} at index [${index}], and a provider is a class or { provide, use… }. ` +
        'Where a class was meant, its file may import this one.',
      [host.metatype],
    );
  const provider = given as Given;
  if (provider.provide === undefined || provider.provide === null)
    throw new ContainerError(`The provider at index [${index}] of ${host.name} has no token: "provide" is ${String(provider.provide)}.`, [
      host.metatype,
    ]);
  return new Wrapper(token ?? provider.provide, host, toMaking(provider, host), scopeOf(provider));
}

/** What it says itself, else what the class says. */
function scopeOf({ useClass, scope, durable }: Given): ScopeOptions {
  const ofClassItself = typeof useClass === 'function' ? (read<ScopeOptions>(KEYS.scope, useClass) ?? {}) : {};
  return { ...ofClassItself, ...(scope !== undefined && { scope: scope as 0 }), ...(durable !== undefined && { durable }) };
}

function toMaking(provider: Given, host: ModuleRecord): Making {
  const { useClass, useFactory, useExisting, useValue, inject = [] } = provider;
  if (typeof useClass === 'function') return { kind: 'class', type: useClass as Type };
  if (typeof useFactory === 'function')
    return { kind: 'factory', factory: useFactory as (...given: unknown[]) => unknown, inject, isAlias: false };
  if (useExisting !== undefined && useExisting !== null)
    return { kind: 'factory', factory: (existing) => existing, inject: [useExisting], isAlias: true };
  if (!('useValue' in provider))
    throw new ContainerError(
      `The provider ${tokenName(provider.provide)} of ${host.name} says not how it is made: useClass, useValue, useFactory or useExisting. ` +
        'Where one of them is undefined, its file may import this one.',
      [host.metatype],
    );
  return isThenable(useValue)
    ? { kind: 'factory', factory: () => useValue, inject: [], isAlias: false }
    : { kind: 'value', value: useValue };
}

export function ofClass(type: Type, host: ModuleRecord, token: unknown = type): Wrapper {
  return new Wrapper(token, host, { kind: 'class', type }, read<ScopeOptions>(KEYS.scope, type) ?? {});
}

/** @throws ContainerError for a class without `@Controller()` */
export function toController(given: unknown, host: ModuleRecord, index: number): Wrapper {
  if (typeof given !== 'function')
    throw new ContainerError(`The controllers of ${host.name} have ${String(given)} at index [${index}]; its file may import this one.`, [
      host.metatype,
    ]);
  if (!has(KEYS.controller, given))
    throw new ContainerError(`${given.name} is among the controllers of ${host.name} and has no @Controller().`, [given, host.metatype]);
  return ofClass(given as Type, host);
}
