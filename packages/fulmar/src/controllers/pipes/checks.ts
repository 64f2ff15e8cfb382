/**
 * Pipes that check one value: its length, its range, that it is an address of e-mail. What is missing is refused by
 * those that need it alone.
 */
import { Injectable } from '../decorators/modules.ts';
import type { PipeTransform } from '../nest-types.ts';
import { isNil, type ParsingOptions, rejectionOf } from './rejection.ts';

/** RFC 5321: of the part before the sign, of all; RFC 1035: of a label. */
const LOCAL_MAX = 64;
const ADDRESS_MAX = 254;
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** @throws TypeError for bounds between which nothing is */
function checkBounds(pipe: object, min: unknown, max: unknown): void {
  const { name } = pipe.constructor;
  for (const [which, bound] of [
    ['min', min],
    ['max', max],
  ] as const)
    if (bound !== undefined && (typeof bound !== 'number' || Number.isNaN(bound)))
      throw new TypeError(`${which} of ${name} is a number, and this is ${String(bound)}.`);
  if (min !== undefined && max !== undefined && (min as number) > (max as number))
    throw new TypeError(`min of ${name} is not above max, and these are ${String(min)} and ${String(max)}.`);
}

/** Characters of a text, items of a list. */
export class ValidateLengthPipe implements PipeTransform {
  readonly #min: number;
  readonly #max: number;
  readonly #reject: (error: string) => any;
  readonly #isOptional: boolean;

  constructor(min = 0, max = Infinity, options: ParsingOptions = {}) {
    checkBounds(this, min, max);
    this.#min = min;
    this.#max = max;
    this.#reject = rejectionOf(this, options);
    this.#isOptional = options.optional === true;
  }

  transform(value: any): any {
    if (isNil(value) && this.#isOptional) return value;
    if (typeof value !== 'string' && !Array.isArray(value)) throw this.#reject('Validation failed (text or list is expected)');
    const unit = typeof value === 'string' ? 'characters' : 'items';
    if (value.length < this.#min) throw this.#reject(`Length must be at least ${this.#min} ${unit}`);
    if (value.length > this.#max) throw this.#reject(`Length must not exceed ${this.#max} ${unit}`);
    return value;
  }
}

/** A number, or a text that is one. */
export class ValidateRangePipe implements PipeTransform {
  readonly #min: number;
  readonly #max: number;
  readonly #reject: (error: string) => any;
  readonly #isOptional: boolean;

  constructor(min = -Infinity, max = Infinity, options: ParsingOptions = {}) {
    checkBounds(this, min, max);
    this.#min = min;
    this.#max = max;
    this.#reject = rejectionOf(this, options);
    this.#isOptional = options.optional === true;
  }

  transform(value: any): any {
    if (isNil(value) && this.#isOptional) return value;
    const isText = typeof value === 'string' && value.trim() !== '';
    const number = isText || typeof value === 'number' ? Number(value) : Number.NaN;
    if (Number.isNaN(number)) throw this.#reject('Value must be a number');
    if (number < this.#min) throw this.#reject(`Value must be at least ${this.#min}`);
    if (number > this.#max) throw this.#reject(`Value must not exceed ${this.#max}`);
    return number;
  }
}

/** An address without quotes and comments, in small letters. Whether it exists, a letter to it tells. */
export class ValidateEmailPipe implements PipeTransform {
  readonly #reject: (error: string) => any;
  readonly #isOptional: boolean;

  constructor(options: ParsingOptions = {}) {
    this.#reject = rejectionOf(this, options);
    this.#isOptional = options.optional === true;
  }

  transform(value: any): any {
    if (isNil(value) && this.#isOptional) return value;
    if (isNil(value) || value === '') throw this.#reject('Email is required');
    if (typeof value !== 'string' || !isAddress(value)) throw this.#reject('Invalid email format');
    return value.toLowerCase();
  }
}

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > LOCAL_MAX || text.length > ADDRESS_MAX) return false;
  const labels = text.slice(at + 1).split('.');
  return (
    LOCAL.test(text.slice(0, at)) && labels.length > 1 && labels.every((label) => LABEL.test(label)) && /[a-z]/i.test(labels.at(-1) ?? '')
  );
}

for (const pipe of [ValidateLengthPipe, ValidateRangePipe, ValidateEmailPipe]) Injectable()(pipe);
