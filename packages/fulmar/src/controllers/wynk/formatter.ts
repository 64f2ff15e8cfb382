/**
 * Bodies of replies to what does not fit, as WynkJS's: `{ statusCode, message, errors }`, with `errors` as a formatter makes
 * them.
 */
import {
  DetailedErrorFormatter,
  type FieldError,
  FormatErrorFormatter,
  SimpleErrorFormatter,
  type ValidationErrorFormatter,
} from '../pipes/validation-errors.ts';

const WRAPPED = [FormatErrorFormatter, SimpleErrorFormatter, DetailedErrorFormatter];

export class WrappedFormatter implements ValidationErrorFormatter {
  readonly #formatter: ValidationErrorFormatter;

  constructor(formatter: ValidationErrorFormatter = new FormatErrorFormatter()) {
    this.#formatter = formatter;
  }

  /** What an application's own formatter makes is the body. */
  format(errors: readonly FieldError[], reply: { readonly statusCode: number; readonly error: string }): object {
    const made = this.#formatter.format(errors, reply);
    const isOurs = WRAPPED.some((type) => this.#formatter instanceof type);
    return isOurs ? { statusCode: reply.statusCode, message: 'Validation failed', errors: made } : made;
  }
}
