/**
 * Errors of libraries by what they mean, as classes for `@Catch()`: whatever has the marks of one is an instance. So a
 * filter leaves all others to those that stand behind it. Never made by anybody.
 */
import { BaseExceptionFilter } from '../exceptions/base-filter.ts';
import type { ArgumentsHost } from '../nest-types.ts';

type Marks = (error: unknown) => boolean;

/** A class whose instances are all that `marks` says. */
export function kindOf(name: string, marks: Marks): abstract new () => object {
  const Kind = class {
    static [Symbol.hasInstance](error: unknown): boolean {
      return marks(error);
    }
  };
  Object.defineProperty(Kind, 'name', { value: name });
  return Kind;
}

/** `super.catch()`, which linters take for that of a promise. */
export const answerAs = (filter: BaseExceptionFilter, exception: unknown, host: ArgumentsHost): void =>
  BaseExceptionFilter.prototype.catch.call(filter, exception, host);

interface Told {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly getStatus?: unknown;
}

/** What an error says of itself; nothing where it is none. */
export function marksOf(error: unknown): { readonly name: unknown; readonly code: unknown; readonly status: unknown } {
  if (typeof error !== 'object' || error === null) return { name: undefined, code: undefined, status: undefined };
  const { name, code, status, statusCode } = error as Told;
  return { name, code, status: status ?? statusCode };
}
