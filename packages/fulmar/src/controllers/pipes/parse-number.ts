/**
 * `ParseIntPipe` and `ParseFloatPipe`: digits as a number. What only begins as one is refused.
 */
import { Injectable } from '../decorators/modules.ts';
import type { ArgumentMetadata, PipeTransform } from '../nest-types.ts';
import { isNil, type ParsingOptions, rejectionOf } from './rejection.ts';

export type ParseIntPipeOptions = ParsingOptions;
export type ParseFloatPipeOptions = ParsingOptions;

const INTEGER = /^-?\d+$/;
const RADIX_PREFIX = /^0[box]/i;
const NOT_NUMERIC = 'Validation failed (numeric string is expected)';

export class ParseIntPipe implements PipeTransform<string> {
  protected readonly options: ParseIntPipeOptions;
  protected exceptionFactory: (error: string) => any;

  constructor(options: ParseIntPipeOptions = {}) {
    this.options = options;
    this.exceptionFactory = rejectionOf(this, options);
  }

  async transform(value: string, _metadata?: ArgumentMetadata): Promise<number> {
    if (isNil(value) && this.options.optional === true) return value as never;
    if (!this.isNumeric(value)) throw this.exceptionFactory(NOT_NUMERIC);
    return parseInt(String(value), 10);
  }

  protected isNumeric(value: string | number): boolean {
    return (typeof value === 'string' || typeof value === 'number') && INTEGER.test(String(value)) && Number.isFinite(Number(value));
  }
}

export class ParseFloatPipe implements PipeTransform<string> {
  protected readonly options: ParseFloatPipeOptions;
  protected exceptionFactory: (error: string) => any;

  constructor(options: ParseFloatPipeOptions = {}) {
    this.options = options;
    this.exceptionFactory = rejectionOf(this, options);
  }

  async transform(value: string, _metadata?: ArgumentMetadata): Promise<number> {
    if (isNil(value) && this.options.optional === true) return value as never;
    if (!this.isNumeric(value)) throw this.exceptionFactory(NOT_NUMERIC);
    return parseFloat(String(value));
  }

  protected isNumeric(value: unknown): boolean {
    if (typeof value === 'number') return Number.isFinite(value);
    if (typeof value !== 'string' || value === '' || value !== value.trim()) return false;
    return !RADIX_PREFIX.test(value) && Number.isFinite(Number(value));
  }
}

Injectable()(ParseIntPipe);
Injectable()(ParseFloatPipe);
