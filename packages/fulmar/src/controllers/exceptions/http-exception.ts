/**
 * `HttpException`: an error that is a reply, with Nest's bodies. The family stands in `family.ts`.
 */

export interface HttpExceptionOptions {
  cause?: unknown;
  description?: string;
  errorCode?: string;
}

/** Errors that nobody has to look at: they are not logged. */
export class IntrinsicException extends Error {}

type Body = string | Record<string, any>;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
/** `NotFoundException` in words. */
const inWords = (name: string): string => name.match(/[A-Z][a-z]+|[0-9]+/g)?.join(' ') ?? 'Error';

export class HttpException extends IntrinsicException {
  readonly errorCode?: string;
  readonly response: Body;
  readonly status: number;
  readonly options: HttpExceptionOptions | undefined;

  /** @throws RangeError for a status that no reply may have */
  constructor(response: Body, status: number, options?: HttpExceptionOptions) {
    super();
    if (!Number.isInteger(status) || status < 100 || status > 999)
      throw new RangeError(`An HttpException takes a body, then a status such as 404, and this is ${String(status)}.`);
    this.response = response;
    this.status = status;
    this.options = options;
    const own = isObject(response) && typeof response['message'] === 'string' ? response['message'] : undefined;
    this.message = typeof response === 'string' ? response : (own ?? inWords(this.constructor.name));
    this.name = this.constructor.name;
    if (options?.cause !== undefined) this.cause = options.cause;
    if (options?.errorCode !== undefined) this.errorCode = options.errorCode;
  }

  getResponse(): Body {
    return this.response;
  }

  getStatus(): number {
    return this.status;
  }

  /** `{ message, error, statusCode }`; what is an object already stays as it is. */
  static createBody(given: unknown, description: unknown, statusCode?: number, errorCode?: string): Record<string, any> {
    const code = errorCode === undefined ? {} : { errorCode };
    if (given === undefined || given === null || given === '' || given === 0) return { message: description, statusCode, ...code };
    if (typeof given === 'string' || typeof given === 'number' || Array.isArray(given))
      return { message: given, error: description, statusCode, ...code };
    return given as Record<string, any>;
  }

  static getDescriptionFrom(given: string | HttpExceptionOptions): string {
    return (typeof given === 'string' ? given : given?.description) as string;
  }

  static getHttpExceptionOptionsFrom(given: string | HttpExceptionOptions): HttpExceptionOptions {
    return typeof given === 'string' ? {} : given;
  }

  static extractDescriptionAndOptionsFrom(given: string | HttpExceptionOptions): {
    description: string;
    httpExceptionOptions: HttpExceptionOptions;
  } {
    return { description: this.getDescriptionFrom(given), httpExceptionOptions: this.getHttpExceptionOptionsFrom(given) };
  }
}
