/**
 * `TimeoutInterceptor`: a handler that takes too long is answered for. It goes on by itself: what it returns then is
 * nobody's, and what it throws is not told.
 */
import { Injectable } from '../decorators/modules.ts';
import { RequestTimeoutException } from '../exceptions/family.ts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '../nest-types.ts';

const DEFAULT_MS = 5000;
/** Of a timer; a longer one would end at once. */
const MAX_MS = 2 ** 31 - 1;

export class TimeoutInterceptor implements NestInterceptor {
  readonly #timeoutMs: number;

  /** @throws RangeError for a time that no timer takes */
  constructor(timeoutMs = DEFAULT_MS) {
    if (!(timeoutMs > 0 && timeoutMs <= MAX_MS))
      throw new RangeError(`TimeoutInterceptor takes milliseconds above 0, up to ${MAX_MS}, and this is ${String(timeoutMs)}.`);
    this.#timeoutMs = timeoutMs;
  }

  async intercept(_context: ExecutionContext, next: CallHandler): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new RequestTimeoutException()), this.#timeoutMs);
    });
    try {
      return await Promise.race([next(), over]);
    } finally {
      clearTimeout(timer);
    }
  }
}

Injectable()(TimeoutInterceptor);
