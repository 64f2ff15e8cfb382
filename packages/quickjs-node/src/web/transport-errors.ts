/**
 * What goes wrong on a connection, as undici reports it: `fetch` gives it as the cause of its own error.
 */
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import errors from 'undici/lib/core/errors.js';

type ErrorClass = new (message?: string, detail?: unknown, data?: unknown) => Error;

const {
  BodyTimeoutError,
  ConnectTimeoutError,
  HTTPParserError,
  HeadersOverflowError,
  HeadersTimeoutError,
  ResponseContentLengthMismatchError,
  SocketError,
} = errors as Record<
  | 'BodyTimeoutError'
  | 'ConnectTimeoutError'
  | 'HTTPParserError'
  | 'HeadersOverflowError'
  | 'HeadersTimeoutError'
  | 'ResponseContentLengthMismatchError'
  | 'SocketError',
  ErrorClass
>;

/** Codes of the parser for two statements about the length of one content. */
const CONTRADICTIONS: ReadonlySet<string> = new Set(['HPE_UNEXPECTED_CONTENT_LENGTH', 'HPE_INVALID_TRANSFER_ENCODING']);

function detailsOf(socket: Socket | null): object | undefined {
  if (socket === null || socket === undefined) return undefined;
  const { localAddress, localPort, remoteAddress, remotePort, remoteFamily, timeout, bytesWritten, bytesRead } = socket;
  return { localAddress, localPort, remoteAddress, remotePort, remoteFamily, timeout, bytesWritten, bytesRead };
}

/** An error of the connection as such, about the connection of `request`. */
export function socketError(message: string, request: ClientRequest | undefined): Error {
  return new SocketError(message, detailsOf(request?.socket ?? null));
}

/** Content is not as long as was declared. */
export function lengthError(): Error {
  return new ResponseContentLengthMismatchError('Response body length does not match content-length header');
}

/** A status of fewer than three digits: an assertion of undici's. */
export function statusError(): Error {
  const { AssertionError } = process.getBuiltinModule('node:assert');
  return new AssertionError({
    message: 'The expression evaluated to a falsy value:\n\n  assert(statusCode >= 100)\n',
    actual: false,
    expected: true,
    operator: '==',
  });
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** No connection within the time. */
export function connectTimeout(socket: Socket, url: URL, ms: number): Error {
  const { autoSelectFamilyAttemptedAddresses: tried } = socket;
  const port = url.port === '' ? (url.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) : url.port;
  const where = Array.isArray(tried) ? `addresses: ${tried.join(', ')}` : `address: ${url.hostname}:${port}`;
  return new ConnectTimeoutError(`Connect Timeout Error (attempted ${where}, timeout: ${ms}ms)`);
}

/** No reply within the time. */
export const headersTimeout = (): Error => new HeadersTimeoutError();
/** No more content within the time. */
export const bodyTimeout = (): Error => new BodyTimeoutError();

function parserError(code: string, error: Error & { reason?: string; rawPacket?: Buffer; bytesParsed?: number }): Error {
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersOverflowError('Headers Overflow Error');
  if (CONTRADICTIONS.has(code)) return lengthError();
  const reason = error.message.replace(/^Parse Error: /, '');
  const rest = error.rawPacket?.subarray(error.bytesParsed ?? 0);
  return new HTTPParserError(`Response does not match the HTTP/1.1 protocol (${reason})`, undefined, rest);
}

/** An error of `node:http`'s client as undici's client gives it; those of the system are the same in both. */
export function transportError(error: unknown, request: ClientRequest | undefined): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return error;
  if (code.startsWith('HPE_')) return parserError(code, error);
  // The system names a call; `socket hang up` and `aborted` are node:http's own.
  const isHangUp = code === 'ECONNRESET' && (error as NodeJS.ErrnoException).syscall === undefined;
  return isHangUp ? socketError('other side closed', request) : error;
}
