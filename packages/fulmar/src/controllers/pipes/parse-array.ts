/**
 * `ParseArrayPipe`: a list, or a text with separators, whose items may be checked each by a class.
 */
import { Injectable } from '../decorators/modules.ts';
import type { ArgumentMetadata, PipeTransform, Type } from '../nest-types.ts';
import { isNil, isRecord, rejectionOf } from './rejection.ts';
import { withoutGaps } from './untrusted.ts';
import { messagesLengthMax, OMITTED } from './validation-errors.ts';
import { ValidationPipe, type ValidationPipeOptions } from './validation.ts';

export interface ParseArrayOptions extends Omit<ValidationPipeOptions, 'transform' | 'validateCustomDecorators' | 'exceptionFactory'> {
  /** What each item is. */
  items?: Type<any>;
  /** Default: a comma. */
  separator?: string;
  optional?: boolean;
  exceptionFactory?: (error: any) => any;
}

const NO_ARRAY = 'Validation failed (parsable array expected)';
const RADIX_PREFIX = /^0[box]/i;

export class ParseArrayPipe implements PipeTransform<any> {
  protected readonly options: ParseArrayOptions;
  /** Of items that are classes; the packages that it needs are nobody else's. */
  protected readonly validationPipe: ValidationPipe | null;
  protected exceptionFactory: (error: any) => any;

  constructor(options: ParseArrayOptions = {}) {
    this.options = options;
    this.exceptionFactory = rejectionOf(this, options);
    const isClass = options.items !== undefined && !this.isExpectedTypePrimitive();
    this.validationPipe = isClass ? new ValidationPipe({ transform: true, validateCustomDecorators: true, ...options }) : null;
  }

  async transform(value: any, _metadata?: ArgumentMetadata): Promise<any> {
    const { optional, separator, items, stopAtFirstError } = this.options;
    if (isNil(value) && optional === true) return value;
    if (!Array.isArray(value) && typeof value !== 'string') throw this.exceptionFactory(NO_ARRAY);
    const list = typeof value === 'string' ? value.trim().split(separator || ',') : withoutGaps(value as unknown[]);
    if (items === undefined) return list;
    if (stopAtFirstError === false) return this.#checkAll(list);
    const checked: unknown[] = [];
    // One after the other: a text of a client's has as many items as characters.
    for (const [index, item] of list.entries()) checked.push(await this.#toItem(item, index));
    return checked;
  }

  #toItem(given: unknown, index?: number): unknown {
    const { items } = this.options;
    const item = items !== (String as unknown) && typeof given === 'string' ? parsed(given) : given;
    if (this.isExpectedTypePrimitive()) return this.validatePrimitive(item, index);
    return this.validationPipe?.transform(item, { metatype: items, type: 'query' });
  }

  /** @throws all that does not fit, as one */
  async #checkAll(list: readonly unknown[]): Promise<unknown[]> {
    const checked: unknown[] = [];
    const errors: unknown[] = [];
    let remaining = this.options.exceptionFactory === undefined ? messagesLengthMax(this.options.maxErrorMessagesLength) : Infinity;
    for (const [index, item] of list.entries()) {
      try {
        checked.push(await this.#toItem(item));
      } catch (error) {
        // Of what checks, not of what is checked.
        if (error instanceof Error && !hasResponse(error)) throw error;
        if (remaining <= 0) {
          errors.push(OMITTED);
          break;
        }
        for (const message of messagesOf(error, index)) {
          errors.push(message);
          remaining -= typeof message === 'string' ? message.length : 1;
        }
      }
    }
    if (errors.length > 0) throw this.exceptionFactory(errors);
    return checked;
  }

  protected isExpectedTypePrimitive(): boolean {
    return ([Boolean, Number, String] as unknown[]).includes(this.options.items);
  }

  protected validatePrimitive(value: any, index?: number): unknown {
    const { items } = this.options;
    const where = index === undefined ? '' : `[${index}] `;
    if (items === (Number as unknown)) {
      if (!this.isNumeric(value)) throw this.exceptionFactory(`${where}item must be a number`);
      return Number(value);
    }
    if (items === (String as unknown)) return typeof value === 'string' ? value : `${value}`;
    if (typeof value !== 'boolean') throw this.exceptionFactory(`${where}item must be a boolean value`);
    return value;
  }

  /** `true`, `[2]` and blanks become numbers as well, and are none. */
  protected isNumeric(value: unknown): boolean {
    if (typeof value === 'number') return Number.isFinite(value);
    if (typeof value !== 'string' || value.trim() === '') return false;
    return !RADIX_PREFIX.test(value.trim()) && Number.isFinite(Number(value));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const hasResponse = (error: unknown): error is { getResponse(): unknown } => isRecord(error) && typeof error['getResponse'] === 'function';

function messagesOf(error: unknown, index: number): unknown[] {
  if (!hasResponse(error)) return Array.isArray(error) ? (error as unknown[]) : [error];
  const { message } = error.getResponse() as { message?: unknown };
  if (Array.isArray(message)) return message.map((one: unknown) => `[${index}] ${one as string}`);
  if (!isRecord(message)) return [`[${index}] ${message as string}`];
  return Object.entries(message).flatMap(([path, messages]) => {
    const prefix = path === '...' ? '' : `${path}: `;
    return [messages].flat().map((one) => `[${index}] ${prefix}${one as string}`);
  });
}

Injectable()(ParseArrayPipe);
