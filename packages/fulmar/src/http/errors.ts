/**
 * Errors of this layer with Node's codes, names and messages. What Node's own functions can throw for us is
 * thrown by them (see `rethrow*`), so that texts follow the running Node; the rest is made here. Never used
 * on a success path.
 */
import { format } from 'node:util';
import { nodeHttp } from './node-http.ts';

/** An error with a Node-style `code`. */
export interface CodedError extends Error {
  code: string;
}

type ErrorClass = new (message: string) => Error;

/** Makes an error as Node's registry does: `code` own, the code shown in the first line of the stack. */
export function codedError(code: string, message: string, Base: ErrorClass = Error): CodedError {
  const error = new Base(message) as CodedError;
  const name = error.name;
  Object.defineProperty(error, 'name', { value: `${name} [${code}]`, configurable: true, writable: true, enumerable: false });
  void error.stack;
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true, enumerable: false });
  Object.defineProperty(error, 'toString', {
    value(this: Error): string {
      return `${this.name} [${code}]: ${this.message}`;
    },
    configurable: true,
    writable: true,
    enumerable: false,
  });
  error.code = code;
  return error;
}

export const writeAfterEnd = (): CodedError => codedError('ERR_STREAM_WRITE_AFTER_END', 'write after end');
export const streamDestroyed = (name: string): CodedError =>
  codedError('ERR_STREAM_DESTROYED', `Cannot call ${name} after a stream was destroyed`);
export const alreadyFinished = (name: string): CodedError =>
  codedError('ERR_STREAM_ALREADY_FINISHED', `Cannot call ${name} after a stream was finished`);
export const contentLengthMismatch = (written: number, declared: number): CodedError =>
  codedError(
    'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
    `Response body's content-length of ${written} byte(s) does not match the content-length of ${declared} byte(s) set in header`,
  );
export const trailerInvalid = (): CodedError => codedError('ERR_HTTP_TRAILER_INVALID', 'Trailers are invalid with this transfer encoding');
export const bodyNotAllowed = (): CodedError =>
  codedError('ERR_HTTP_BODY_NOT_ALLOWED', 'Adding content for this request method or response status is not allowed.');
export const invalidStatusCode = (status: unknown): CodedError =>
  codedError('ERR_HTTP_INVALID_STATUS_CODE', format('Invalid status code: %s', status), RangeError);
export const unknownEncoding = (encoding: string): CodedError =>
  codedError('ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`, TypeError);
export const invalidChar = (name: string, field?: string): CodedError =>
  codedError('ERR_INVALID_CHAR', `Invalid character in ${name}${field === undefined ? '' : ` ["${field}"]`}`, TypeError);
export const requestTimeout = (): CodedError => codedError('ERR_HTTP_REQUEST_TIMEOUT', 'Request timeout');
export const socketAssigned = (): CodedError => codedError('ERR_HTTP_SOCKET_ASSIGNED', 'ServerResponse has an already assigned socket');
export const socketEncoding = (): CodedError =>
  codedError('ERR_HTTP_SOCKET_ENCODING', 'Changing the socket encoding is not allowed per RFC7230 Section 3.');

/** As Node's ConnResetException: what a request that lost its connection fails with. */
export function connReset(message: string): CodedError {
  const error = new Error(message) as CodedError;
  error.code = 'ECONNRESET';
  return error;
}

/** An option this server cannot honour: expected, found, what to do. */
export const unsupportedOption = (option: string, value: unknown): CodedError =>
  codedError(
    'ERR_FULMAR_UNSUPPORTED_OPTION',
    `fulmar/http parses requests strictly and cannot honour ${option}: ${String(value)}. Remove the option, or serve this port with node:http`,
    TypeError,
  );

type Thrower = Record<string, (...args: unknown[]) => unknown>;
let sent: Thrower | undefined;

/** A response of Node's whose head is out and that is not finished: calling it throws what Node throws. */
function sentResponse(): Thrower {
  if (sent === undefined) {
    const response = new nodeHttp.ServerResponse(new nodeHttp.IncomingMessage(null as never));
    Reflect.set(response, '_header', 'HTTP/1.1 200 OK\r\n\r\n');
    sent = response as unknown as Thrower;
  }
  return sent;
}

/** Throws ERR_HTTP_HEADERS_SENT in the words Node uses for `method`. */
export function throwHeadersSent(method: 'setHeader' | 'appendHeader' | 'removeHeader' | 'writeHead' | 'setHeaders'): never {
  if (method === 'writeHead') sentResponse()['writeHead']?.(200);
  sentResponse()[method]?.('x', 'x');
  throw codedError('ERR_HTTP_HEADERS_SENT', 'Cannot change headers after they are sent to the client');
}

/**
 * ERR_HTTP_HEADERS_SENT where Node's verb is known to be `write` but its method may be missing in the running
 * Node.
 */
export const headersSent = (verb: string): CodedError =>
  codedError('ERR_HTTP_HEADERS_SENT', `Cannot ${verb} headers after they are sent to the client`);

/** Throws what Node throws for a chunk that is neither string nor Uint8Array. */
export function throwInvalidChunk(chunk: unknown): never {
  sentResponse()['write']?.(chunk);
  throw codedError(
    'ERR_INVALID_ARG_TYPE',
    'The "chunk" argument must be of type string or an instance of Buffer or Uint8Array.',
    TypeError,
  );
}

/** Throws what Node throws for a header name that is not a string in get/has/remove. */
export function throwInvalidName(name: unknown): never {
  sentResponse()['getHeader']?.(name);
  throw codedError('ERR_INVALID_ARG_TYPE', 'The "name" argument must be of type string.', TypeError);
}

/** Throws what Node throws for `setHeaders` with something that is neither Headers nor Map. */
export function throwInvalidHeaders(headers: unknown): never {
  const fresh = new nodeHttp.ServerResponse(new nodeHttp.IncomingMessage(null as never)) as unknown as Thrower;
  fresh['setHeaders']?.(headers);
  throw codedError('ERR_INVALID_ARG_TYPE', 'The "headers" argument must be an instance of Headers or Map.', TypeError);
}

/** Throws what Node throws for a raw header array of odd length. */
export function throwInvalidHeaderArray(headers: unknown): never {
  const fresh = new nodeHttp.ServerResponse(new nodeHttp.IncomingMessage(null as never)) as unknown as Thrower;
  fresh['writeHead']?.(200, headers);
  throw codedError('ERR_INVALID_ARG_VALUE', "The argument 'headers' is invalid", TypeError);
}
