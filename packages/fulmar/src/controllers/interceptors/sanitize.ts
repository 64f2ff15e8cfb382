/**
 * `SanitizeInterceptor`: replies without fields that are nobody's business, by their names, however deep they lie. What
 * handlers return stays as it is: only what a field is taken out of is copied, with the class it is of. Never looks into
 * files, streams, texts and replies of the app's context.
 */
import { checkOptions, type Checks, isCount, isListOf } from '../../app/checked-options.ts';
import { Injectable } from '../decorators/modules.ts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '../nest-types.ts';
import { isSentAsIs } from '../pipeline/around.ts';
import { mapped } from '../pipeline/mapped.ts';
import { isRecord } from '../pipes/rejection.ts';

export interface SanitizeOptions {
  /** Names of fields, whatever the case of their letters. Default: password, secret, token. */
  readonly fields?: readonly string[];
  /** Deeper replies are an error of the server: what lies there would leave unseen. Default: 100. */
  readonly depth?: number;
}

const FIELDS: readonly string[] = ['password', 'secret', 'token'];
const DEPTH_MAX = 100;

const CHECKS: Checks<SanitizeOptions> = {
  fields: [(value) => isListOf((one) => typeof one === 'string' && one !== '', value), 'a list of names'],
  depth: [(value) => isCount(1, value), 'a number of levels, at least 1'],
};

export class SanitizeInterceptor implements NestInterceptor {
  readonly #fields: ReadonlySet<string>;
  readonly #depthMax: number;

  /** @throws TypeError for options that are none */
  constructor(given: readonly string[] | SanitizeOptions = {}) {
    const options: SanitizeOptions = Array.isArray(given) ? { fields: given as readonly string[] } : (given as SanitizeOptions);
    checkOptions('SanitizeInterceptor', options, CHECKS);
    this.#fields = new Set((options.fields ?? FIELDS).map((name) => name.toLowerCase()));
    this.#depthMax = options.depth ?? DEPTH_MAX;
  }

  intercept(context: ExecutionContext, next: CallHandler): Promise<unknown> | object {
    return mapped(context, next, (value) => (isSentAsIs(value, context) ? value : this.sanitize(value)));
  }

  /** The value itself where nothing is to be taken out. @throws Error where it is too deep */
  sanitize(value: unknown): unknown {
    return isSentAsIs(value) ? value : this.#clean(value, '', 0);
  }

  #clean(value: unknown, key: string, depth: number): unknown {
    if (!isRecord(value) || value instanceof Date || ArrayBuffer.isView(value)) return value;
    if (depth > this.#depthMax)
      throw new Error(
        `SanitizeInterceptor looks into replies of up to ${this.#depthMax} levels, and this one is deeper, or is part of itself: give it { depth }.`,
      );
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.#cleanJson(value, toJSON.call(value, key), depth);
    return Array.isArray(value) ? this.#cleanList(value, depth) : this.#cleanObject(value, depth);
  }

  /** What it says of itself is what leaves. */
  #cleanJson(value: unknown, json: unknown, depth: number): unknown {
    const cleaned = this.#clean(json, '', depth + 1);
    return cleaned === json ? value : cleaned;
  }

  #cleanList(list: readonly unknown[], depth: number): unknown {
    let copy: unknown[] | null = null;
    for (const [index, item] of list.entries()) {
      const cleaned = this.#clean(item, String(index), depth + 1);
      if (cleaned !== item) (copy ??= [...list])[index] = cleaned;
    }
    return copy ?? list;
  }

  #cleanObject(value: object, depth: number): unknown {
    let isChanged = false;
    const members: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      if (this.#fields.has(name.toLowerCase())) {
        isChanged = true;
        continue;
      }
      const cleaned = this.#clean(member, name, depth + 1);
      isChanged ||= cleaned !== member;
      members.push([name, cleaned]);
    }
    if (!isChanged) return value;
    const copy = Object.create(Object.getPrototypeOf(value) as object | null) as object;
    // Whatever the name, it is a member, and no setter is called.
    for (const [name, member] of members)
      Object.defineProperty(copy, name, { value: member, enumerable: true, writable: true, configurable: true });
    return copy;
  }
}

Injectable()(SanitizeInterceptor);
