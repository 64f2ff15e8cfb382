/**
 * Nest's enumerations, as objects: a number for each name and, where Nest's have it, the name for each number.
 */

function withNames<const Numbers extends Readonly<Record<string, number>>>(numbers: Numbers): Numbers {
  return Object.freeze({ ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [value, name])), ...numbers });
}

export const Scope = withNames({ DEFAULT: 0, TRANSIENT: 1, REQUEST: 2 });
export type Scope = (typeof Scope)[keyof typeof Scope];

export const RequestMethod = withNames({
  GET: 0,
  POST: 1,
  PUT: 2,
  DELETE: 3,
  PATCH: 4,
  ALL: 5,
  OPTIONS: 6,
  HEAD: 7,
  SEARCH: 8,
  PROPFIND: 9,
  PROPPATCH: 10,
  MKCOL: 11,
  COPY: 12,
  MOVE: 13,
  LOCK: 14,
  UNLOCK: 15,
  QUERY: 16,
});
export type RequestMethod = (typeof RequestMethod)[keyof typeof RequestMethod];

export const VersioningType = withNames({ URI: 0, HEADER: 1, MEDIA_TYPE: 2, CUSTOM: 3 });
export type VersioningType = (typeof VersioningType)[keyof typeof VersioningType];

/** Routes of every version, and of requests that name none. */
export const VERSION_NEUTRAL: unique symbol = Symbol('VERSION_NEUTRAL');

export const ShutdownSignal = Object.freeze({
  SIGHUP: 'SIGHUP',
  SIGINT: 'SIGINT',
  SIGQUIT: 'SIGQUIT',
  SIGILL: 'SIGILL',
  SIGTRAP: 'SIGTRAP',
  SIGABRT: 'SIGABRT',
  SIGBUS: 'SIGBUS',
  SIGFPE: 'SIGFPE',
  SIGSEGV: 'SIGSEGV',
  SIGUSR2: 'SIGUSR2',
  SIGTERM: 'SIGTERM',
} as const);
export type ShutdownSignal = keyof typeof ShutdownSignal;

export const HttpStatus = withNames({
  CONTINUE: 100,
  SWITCHING_PROTOCOLS: 101,
  PROCESSING: 102,
  EARLYHINTS: 103,
  OK: 200,
  CREATED: 201,
  ACCEPTED: 202,
  NON_AUTHORITATIVE_INFORMATION: 203,
  NO_CONTENT: 204,
  RESET_CONTENT: 205,
  PARTIAL_CONTENT: 206,
  MULTI_STATUS: 207,
  ALREADY_REPORTED: 208,
  CONTENT_DIFFERENT: 210,
  AMBIGUOUS: 300,
  MOVED_PERMANENTLY: 301,
  FOUND: 302,
  SEE_OTHER: 303,
  NOT_MODIFIED: 304,
  TEMPORARY_REDIRECT: 307,
  PERMANENT_REDIRECT: 308,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  PROXY_AUTHENTICATION_REQUIRED: 407,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  GONE: 410,
  LENGTH_REQUIRED: 411,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  REQUESTED_RANGE_NOT_SATISFIABLE: 416,
  EXPECTATION_FAILED: 417,
  I_AM_A_TEAPOT: 418,
  MISDIRECTED: 421,
  UNPROCESSABLE_ENTITY: 422,
  LOCKED: 423,
  FAILED_DEPENDENCY: 424,
  PRECONDITION_REQUIRED: 428,
  TOO_MANY_REQUESTS: 429,
  UNRECOVERABLE_ERROR: 456,
  INTERNAL_SERVER_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504,
  HTTP_VERSION_NOT_SUPPORTED: 505,
  INSUFFICIENT_STORAGE: 507,
  LOOP_DETECTED: 508,
});
export type HttpStatus = (typeof HttpStatus)[keyof typeof HttpStatus];
