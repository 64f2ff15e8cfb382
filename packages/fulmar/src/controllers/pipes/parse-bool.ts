/**
 * `ParseBoolPipe`: `true` and `false`, as values or as texts.
 */
import { Injectable } from '../decorators/modules.ts';
import type { ArgumentMetadata, PipeTransform } from '../nest-types.ts';
import { isNil, type ParsingOptions, rejectionOf } from './rejection.ts';

export type ParseBoolPipeOptions = ParsingOptions;

export class ParseBoolPipe implements PipeTransform<string | boolean> {
  protected readonly options: ParseBoolPipeOptions;
  protected exceptionFactory: (error: string) => any;

  constructor(options: ParseBoolPipeOptions = {}) {
    this.options = options;
    this.exceptionFactory = rejectionOf(this, options);
  }

  async transform(value: string | boolean, _metadata?: ArgumentMetadata): Promise<boolean> {
    if (isNil(value) && this.options.optional === true) return value as never;
    if (this.isTrue(value)) return true;
    if (this.isFalse(value)) return false;
    throw this.exceptionFactory('Validation failed (boolean string is expected)');
  }

  protected isTrue(value: string | boolean): boolean {
    return value === true || value === 'true';
  }

  protected isFalse(value: string | boolean): boolean {
    return value === false || value === 'false';
  }
}

Injectable()(ParseBoolPipe);
