/**
 * `ParseDatePipe`: a text or a number as a `Date`. The 30th of February is none.
 */
import { Injectable } from '../decorators/modules.ts';
import type { PipeTransform } from '../nest-types.ts';
import { isNil, type ParsingOptions, rejectionOf } from './rejection.ts';

export interface ParseDatePipeOptions extends ParsingOptions {
  /** For `undefined` and `null`. */
  default?: () => Date;
}

/** The calendar repeats itself after so many years, and begins again in 2000. */
const ROUND_YEARS = 400;
const ROUND_BEGIN = 2000;
const ISO_DAY = /^\s*([+-]\d{6}|\d{4})-(\d{2})-(\d{2})(?!\d)/;

export class ParseDatePipe implements PipeTransform<string | number | Date | null | undefined> {
  protected readonly options: ParseDatePipeOptions;
  protected exceptionFactory: (error: string) => any;

  constructor(options: ParseDatePipeOptions = {}) {
    this.options = options;
    this.exceptionFactory = rejectionOf(this, options);
  }

  transform(value: string | number | Date | null | undefined): Date | null | undefined {
    if (isNil(value)) {
      if (this.options.default !== undefined) return this.options.default();
      if (this.options.optional === true) return value;
    }
    if (isNil(value) || value === '') throw this.exceptionFactory('Validation failed (no Date provided)');
    const isTime = typeof value === 'string' || typeof value === 'number' || (value as unknown) instanceof Date;
    const date = new Date(isTime ? value : Number.NaN);
    if (!Number.isNaN(date.getTime()) && (typeof value !== 'string' || isDayOfItsMonth(value))) return date;
    throw this.exceptionFactory('Validation failed (invalid date format)');
  }
}

/** `Date` itself takes the 30th of February for the first of March. */
function isDayOfItsMonth(value: string): boolean {
  const match = ISO_DAY.exec(value);
  if (match === null) return true;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  // Years below 100 mean others to Date.UTC().
  const alike = ROUND_BEGIN + (((year % ROUND_YEARS) + ROUND_YEARS) % ROUND_YEARS);
  const days = new Date(Date.UTC(alike, month, 0)).getUTCDate();
  return day <= days;
}

Injectable()(ParseDatePipe);
