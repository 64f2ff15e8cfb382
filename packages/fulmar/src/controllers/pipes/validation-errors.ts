/**
 * Errors of validation as bodies of replies: Nest's list of messages, and others. How much is told has a limit, for what
 * came decides how many errors there are and how long their paths.
 */
import type { ValidationError } from './validation-types.ts';

/** Characters of messages and paths; more are told by `OMITTED`. */
const MESSAGES_LENGTH_MAX = 1_000_000;
export const OMITTED = 'Further validation errors were omitted';

/** NaN, as of a variable that is not set, is no limit that anything would reach. */
export const messagesLengthMax = (given: number | undefined | null): number =>
  given === undefined || given === null || Number.isNaN(given) ? MESSAGES_LENGTH_MAX : given;

export interface Budget {
  remaining: number;
  isExceeded: boolean;
}

/** Without those that come after the budget is spent; they are not looked at. */
export function limited(errors: ValidationError[], budget: Budget, pathLength = 0): ValidationError[] {
  const kept: ValidationError[] = [];
  let isChanged = false;
  for (const error of errors) {
    if (budget.remaining <= 0) {
      budget.isExceeded = true;
      return kept;
    }
    const length = pathLength + String(error.property).length + 1;
    for (const message of Object.values(error.constraints ?? {})) budget.remaining -= length + String(message).length;
    const children = error.children && limited(error.children, budget, length);
    isChanged ||= children !== error.children;
    kept.push(children === error.children ? error : { ...error, children: children as ValidationError[] });
  }
  return isChanged ? kept : errors;
}

/** The value of an error with children is what they were found in: sent with each, it would be sent once for each level. */
export function stripParentValues(errors: ValidationError[]): void {
  const waiting = [errors];
  for (let list = waiting.pop(); list !== undefined; list = waiting.pop())
    for (const error of list) {
      if (error.children === undefined || error.children.length === 0) continue;
      delete error.value;
      waiting.push(error.children);
    }
}

/** One thing that does not fit, or several of one field. */
export interface FieldError {
  /** Its path, `items.0.name`. */
  readonly field: string;
  readonly messages: readonly string[];
  readonly value: unknown;
}

/** Makes the body of a reply. `statusCode` and `error` are those of the exception. */
export interface ValidationErrorFormatter {
  format(errors: readonly FieldError[], reply: { readonly statusCode: number; readonly error: string }): object;
}

export function toFieldErrors(errors: readonly ValidationError[], parent = '', found: FieldError[] = []): FieldError[] {
  for (const { property, constraints, value, children } of errors) {
    const field = parent === '' ? property : `${parent}.${property}`;
    if (constraints !== undefined) found.push({ field, messages: Object.values(constraints), value: value as unknown });
    if (children !== undefined) toFieldErrors(children, field, found);
  }
  return found;
}

/** `{ field: [message] }` */
export class FormatErrorFormatter implements ValidationErrorFormatter {
  format(errors: readonly FieldError[]): object {
    const body: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
    for (const { field, messages } of errors) (body[field] ??= []).push(...messages);
    return body;
  }
}

/** `[message]` */
export class SimpleErrorFormatter implements ValidationErrorFormatter {
  format(errors: readonly FieldError[]): object {
    return errors.flatMap(({ messages }) => messages);
  }
}

/** `[{ field, message, value }]`: what came is told to who sent it. */
export class DetailedErrorFormatter implements ValidationErrorFormatter {
  format(errors: readonly FieldError[]): object {
    return errors.flatMap(({ field, messages, value }) => messages.map((message) => ({ field, message, value })));
  }
}

/** The members of RFC 9457, with `errors` beside them. */
export class ProblemErrorFormatter implements ValidationErrorFormatter {
  format(errors: readonly FieldError[], { statusCode, error }: { statusCode: number; error: string }): object {
    const details = errors.map(({ field, messages }) => ({ field, messages }));
    return { type: 'about:blank', title: error, status: statusCode, detail: 'What was sent does not fit.', errors: details };
  }
}
