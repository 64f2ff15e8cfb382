/**
 * `DefaultValuePipe`: what stands where nothing came. Lists and plain objects are copied, so that no request changes
 * them for the next.
 */
import { Injectable } from '../decorators/modules.ts';
import type { ArgumentMetadata, PipeTransform } from '../nest-types.ts';
import { isNil } from './rejection.ts';

export class DefaultValuePipe<T = any, R = any> implements PipeTransform<T, T | R> {
  protected readonly defaultValue: R;

  constructor(defaultValue: R) {
    this.defaultValue = defaultValue;
  }

  transform(value?: T, _metadata?: ArgumentMetadata): T | R {
    const isMissing = isNil(value) || (typeof value === 'number' && Number.isNaN(value));
    return isMissing ? (copyOf(this.defaultValue, new Map()) as R) : value;
  }
}

function copyOf(value: unknown, copies: Map<unknown, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isList = Array.isArray(value) && prototype === Array.prototype;
  if (!isList && prototype !== Object.prototype && prototype !== null) return value;
  if (copies.has(value)) return copies.get(value);
  const copy = Object.assign(isList ? [] : (Object.create(prototype as object | null) as object), value) as Record<PropertyKey, unknown>;
  copies.set(value, copy);
  for (const key of Reflect.ownKeys(copy)) if (!isList || key !== 'length') copy[key] = copyOf(copy[key], copies);
  return copy;
}

Injectable()(DefaultValuePipe);
