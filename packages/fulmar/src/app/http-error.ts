/**
 * Errors with a status: what a handler throws to answer with one, and what is told of any other.
 */

import { checkOptions, type Checks } from './checked-options.ts';

/** Reason phrases of the errors that have a function of their own below. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  418: "I'm a Teapot",
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
};

export interface HttpErrorOptions {
  /** Field lines of the reply. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of the problem beside `title`, `status` and `detail`; not those three. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** A URI that names the kind of problem; `about:blank` without. */
  readonly type?: string;
  readonly cause?: unknown;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const CHECKS: Checks<HttpErrorOptions> = {
  headers: [isObject, 'an object of fields by name'],
  details: [isObject, 'an object of members of the problem'],
  type: [(value) => typeof value === 'string', 'a URI'],
  cause: [() => true, 'anything'],
};

/**
 * An error that is a reply. Its message is told to the client where the status is below 500, and never from
 * 500 on.
 *
 * @throws RangeError for a status that is no error: 400 to 599 are; TypeError for a message that is no text
 */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: Readonly<Record<string, unknown>>;
  readonly type: string;

  constructor(status: number, message?: string, options: HttpErrorOptions = {}) {
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`An error's status is 400 to 599, and this is ${String(status)}. Use c.status() for others.`);
    }
    if (message !== undefined && typeof message !== 'string')
      throw new TypeError(`HttpError(${status}) takes a text, then options such as { details }, and this is of type ${typeof message}.`);
    checkOptions('HttpError', options, CHECKS);
    super(message ?? titleOf(status), options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.headers = options.headers ?? {};
    this.details = options.details ?? {};
    this.type = options.type ?? 'about:blank';
  }

  get expose(): boolean {
    return this.status < 500;
  }
}

Object.defineProperty(HttpError.prototype, 'name', { value: 'HttpError', writable: true, configurable: true });

export function titleOf(status: number): string {
  return TITLES[status] ?? (status < 500 ? 'Client Error' : 'Server Error');
}

/**
 * The status of a reply that an error of anybody's asks for: `status` or `statusCode` of one that says by
 * `expose` whether it is for clients, as errors of http-errors do; 500 for the rest. Clients of other services
 * give errors a status, too: that of a reply to us.
 */
export function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 500;
  if (typeof (error as { expose?: unknown }).expose !== 'boolean') return 500;
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  for (const given of [status, statusCode]) if (typeof given === 'number' && given >= 400 && given <= 599) return given;
  return 500;
}

/** Whether clients may read its message. */
export const isExposed = (error: unknown): error is Error => error instanceof Error && (error as { expose?: unknown }).expose === true;
