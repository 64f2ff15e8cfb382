/**
 * `ParseJSONPipe` and `ParseCommaSeparatedPipe`: texts of queries and forms as what they stand for.
 */
import { Injectable } from '../decorators/modules.ts';
import type { PipeTransform } from '../nest-types.ts';
import { BadRequestException } from '../exceptions/family.ts';
import { isNil, isRecord, type ParsingOptions, rejectionOf } from './rejection.ts';
import { stripProtoKeys } from './untrusted.ts';

/** What is no text has been read already, and is left as it is. Keys that reach prototypes are taken off. */
export class ParseJSONPipe implements PipeTransform {
  readonly #reject: (error: string) => any;
  readonly #isOptional: boolean;

  constructor(options: ParsingOptions = {}) {
    this.#reject = rejectionOf(this, options);
    this.#isOptional = options.optional === true;
  }

  transform(value: any): any {
    if (isNil(value)) {
      if (this.#isOptional) return value;
      throw this.#reject('Validation failed (JSON string is expected)');
    }
    if (typeof value !== 'string') return value;
    let parsed: unknown;
    try {
      parsed = JSON.parse(value);
    } catch {
      throw this.#reject('Invalid JSON format');
    }
    stripProtoKeys(parsed);
    return parsed;
  }
}

/** `a, b` becomes `['a', 'b']`; nothing is a list without items. */
export class ParseCommaSeparatedPipe implements PipeTransform {
  readonly #trims: boolean;

  constructor(trims = true) {
    this.#trims = trims;
  }

  /** @throws BadRequestException for objects */
  transform(value: any): any {
    if (isNil(value) || value === '') return [];
    const given = Array.isArray(value) ? (value as unknown[]) : [value];
    if (given.some(isRecord)) throw new BadRequestException('Validation failed (text or list of texts is expected)');
    const texts = given.flatMap((one) => String(one).split(','));
    return this.#trims ? texts.map((text) => text.trim()) : texts;
  }
}

for (const pipe of [ParseJSONPipe, ParseCommaSeparatedPipe]) Injectable()(pipe);
