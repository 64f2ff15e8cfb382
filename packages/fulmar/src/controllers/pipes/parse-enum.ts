/**
 * `ParseEnumPipe`: one of the values of an enum, or of an object used as one. Texts become its numbers.
 */
import { Injectable } from '../decorators/modules.ts';
import type { ArgumentMetadata, PipeTransform } from '../nest-types.ts';
import { isNil, type ParsingOptions, rejectionOf } from './rejection.ts';

export type ParseEnumPipeOptions = ParsingOptions;

export class ParseEnumPipe<T = any> implements PipeTransform<T> {
  protected readonly enumType: T;
  protected readonly options: ParseEnumPipeOptions;
  protected exceptionFactory: (error: string) => any;
  readonly #values: readonly unknown[];

  /** @throws Error without an enum */
  constructor(enumType: T, options: ParseEnumPipeOptions = {}) {
    if (typeof enumType !== 'object' || enumType === null)
      throw new Error(`"ParseEnumPipe" requires "enumType" argument specified (to validate input values).`);
    this.enumType = enumType;
    this.options = options;
    this.exceptionFactory = rejectionOf(this, options);
    this.#values = valuesOf(enumType as Record<string, unknown>);
  }

  async transform(value: T, _metadata?: ArgumentMetadata): Promise<T> {
    if (isNil(value) && this.options.optional === true) return value;
    if (!this.isEnum(value)) throw this.exceptionFactory('Validation failed (enum string is expected)');
    return (this.#found(value) ?? value) as T;
  }

  protected isEnum(value: unknown): boolean {
    return this.#found(value) !== undefined;
  }

  #found(value: unknown): unknown {
    return this.#values.find((one) => one === value || (typeof one === 'number' && typeof value === 'string' && String(one) === value));
  }
}

/** Without the names that an enum of numbers has for its numbers. */
function valuesOf(enumType: Record<string, unknown>): readonly unknown[] {
  const isReverse = (key: string): boolean => {
    const name = enumType[key];
    return typeof name === 'string' && typeof enumType[name] === 'number' && String(enumType[name]) === key;
  };
  return Object.keys(enumType)
    .filter((key) => !isReverse(key))
    .map((key) => enumType[key]);
}

Injectable()(ParseEnumPipe);
