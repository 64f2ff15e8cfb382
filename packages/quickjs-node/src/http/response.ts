/**
 * `http.ServerResponse`: a response on a socket, whoever made the socket. Also what an application constructs
 * by hand, without one.
 */
import { channel } from 'node:diagnostics_channel';
import { coded, invalidArgValue } from '../shared/errors.ts';
import { validateInteger, validateObject } from '../shared/validators.ts';
import { CHUNKED, headersSent, invalidChar, isInvalidValue, validateHeaderName, validateHeaderValue } from './common.ts';
import { define } from '../shared/define.ts';
import { OutgoingMessageClass } from './message-classes.ts';
import { OutgoingMessage } from './outgoing.ts';
import { kHeaders } from './outgoing-state.ts';
import type { OutgoingState, SocketLike } from './outgoing-state.ts';
import type { IncomingState } from './incoming.ts';
import { STATUS_CODES } from './status-codes.ts';

const created = channel('http.server.response.created');

interface ResponseFields {
  req: IncomingState;
  _sent100: boolean;
  _expect_continue: boolean;
  statusCode: number;
  statusMessage: string | undefined;
}

export type ResponseState = ResponseFields &
  Omit<OutgoingState, keyof ResponseFields> & {
    writeHead: (...args: unknown[]) => unknown;
    assignSocket(socket: unknown): void;
    detachSocket(socket: unknown): void;
  };

export function ServerResponse(this: ResponseState, req: IncomingState, options?: object): void {
  (OutgoingMessage as unknown as (this: unknown, options: unknown) => void).call(this, options);
  if (req.method === 'HEAD') this._hasBody = false;
  this.req = req;
  this.sendDate = true;
  this._sent100 = false;
  this._expect_continue = false;
  if ((req.httpVersionMajor as number) < 1 || (req.httpVersionMinor as number) < 1) {
    this.useChunkedEncodingByDefault = CHUNKED.test(req.headers.te as string);
    this.shouldKeepAlive = false;
  }
  if (created.hasSubscribers) created.publish({ request: req, response: this });
}

/** Fields given to `writeHead` over those that were set before. */
function mergeHeaders(response: ResponseState, given: unknown): unknown {
  const before = response[kHeaders];
  if (!before) return given;
  if (Array.isArray(given)) {
    if (given.length % 2 !== 0) throw invalidArgValue('headers', given);
    for (let at = 0; at < given.length; at += 2) response.removeHeader(given[at] as string);
    for (let at = 0; at < given.length; at += 2) if (given[at]) response.appendHeader(given[at] as string, given[at + 1] as string);
  } else if (given) {
    for (const [name, value] of Object.entries(given)) if (name) response.setHeader(name, value as string);
  }
  return before;
}

const HAS_NO_CONTENT: ReadonlySet<number> = new Set([204, 304]);

function writeHead(response: ResponseState, status: unknown, reason: unknown, headers: unknown): void {
  if (response._header) throw headersSent('write');
  const code = (status as number) | 0;
  if (code < 100 || code > 999) {
    const { format } = process.getBuiltinModule('node:util');
    throw coded(RangeError, 'ERR_HTTP_INVALID_STATUS_CODE', format('Invalid status code: %s', status));
  }
  let given = headers;
  if (typeof reason === 'string') response.statusMessage = reason;
  else {
    response.statusMessage ||= STATUS_CODES[code] ?? 'unknown';
    given ??= reason;
  }
  response.statusCode = code;
  const fields = mergeHeaders(response, given);
  if (isInvalidValue(response.statusMessage)) throw invalidChar('statusMessage');
  if (HAS_NO_CONTENT.has(code) || code < 200) response._hasBody = false;
  // The content that was to follow may still be on its way.
  if (response._expect_continue && !response._sent100) response.shouldKeepAlive = false;
  response._storeHeader(`HTTP/1.1 ${code} ${response.statusMessage}\r\n`, fields);
}

function informationLine(name: string, value: unknown, lenient: boolean): string {
  validateHeaderName(name);
  validateHeaderValue(name, value, lenient);
  return `${name}: ${value as string}\r\n`;
}

function informationLines(headers: unknown, lenient: boolean): string {
  if (headers === undefined || headers === null) return '';
  let pairs: [string, unknown][] = [];
  if (!Array.isArray(headers)) {
    validateObject(headers, 'headers');
    pairs = Object.entries(headers);
  } else if (Array.isArray(headers[0])) pairs = headers as [string, unknown][];
  else {
    if (headers.length % 2 !== 0) throw invalidArgValue('headers', headers);
    for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] as string, headers[at + 1]]);
  }
  return pairs.map(([name, value]) => informationLine(name, value, lenient)).join('');
}

const LINK = /^<[^>\r\n]*>(?:\s*;\s*[^;"=\s]+(?:=(?:"[^"\r\n]*"|[^;"\s]+))?)*$/;

function oneLink(value: unknown): string {
  if (typeof value !== 'string' || !LINK.test(value)) {
    const reason = 'must be an array or string of format "</styles.css>; rel=preload; as=style"';
    throw invalidArgValue('hints', value, reason);
  }
  return value;
}

function linkOf(hints: { link?: unknown }): string | undefined {
  const { link } = hints;
  if (link === undefined || link === null) return undefined;
  if (typeof link === 'string') return oneLink(link);
  if (Array.isArray(link)) return link.map(oneLink).join(', ');
  throw invalidArgValue('hints', link, 'must be an array or string of format "</styles.css>; rel=preload; as=style"');
}

function onSocketClose(this: SocketLike): void {
  const response = this._httpMessage as ResponseState | null | undefined;
  if (response) emitClose(response);
}

/** The end of a response; told once. */
export function emitClose(response: ResponseState): void {
  if (response._closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

const members = {
  statusCode: 200,
  statusMessage: undefined,
  assignSocket(this: ResponseState, socket: SocketLike): void {
    if (socket._httpMessage) throw coded(Error, 'ERR_HTTP_SOCKET_ASSIGNED', 'ServerResponse has an already assigned socket');
    socket._httpMessage = this;
    socket.on('close', onSocketClose);
    (this as { socket: unknown }).socket = socket;
    this.emit('socket', socket);
    this._flush();
  },
  detachSocket(this: ResponseState, socket: SocketLike): void {
    socket.removeListener('close', onSocketClose);
    socket._httpMessage = null;
    (this as { socket: unknown }).socket = null;
  },
  writeInformation(this: ResponseState, status: unknown, headers?: unknown, callback?: unknown): unknown {
    if (this._header) throw headersSent('write');
    validateInteger(status, 'statusCode', 100, 199);
    if (status === 101) throw coded(RangeError, 'ERR_HTTP_INVALID_STATUS_CODE', 'Invalid status code: 101');
    const lines = informationLines(headers, this._isLenientHeaderValidation());
    return this._writeRaw(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${lines}\r\n`, 'ascii', callback);
  },
  writeContinue(this: ResponseState, callback?: unknown): void {
    (this as unknown as NodeInformation).writeInformation(100, null, callback);
    this._sent100 = true;
  },
  writeProcessing(this: ResponseState, callback?: unknown): void {
    (this as unknown as NodeInformation).writeInformation(102, null, callback);
  },
  writeEarlyHints(this: ResponseState, hints: Record<string, unknown>, callback?: unknown): void {
    validateObject(hints, 'hints');
    const link = linkOf(hints);
    if (link === undefined || link.length === 0) return;
    if (isInvalidValue(link)) throw invalidChar('header content', 'Link');
    const headers: Record<string, unknown> = { Link: link };
    for (const [name, value] of Object.entries(hints)) if (name !== 'link') headers[name] = value;
    (this as unknown as NodeInformation).writeInformation(103, headers, callback);
  },
  _implicitHeader(this: ResponseState): void {
    this.writeHead(this.statusCode);
  },
  writeHead(this: ResponseState, status: unknown, reason?: unknown, headers?: unknown): unknown {
    writeHead(this, status, reason, headers);
    return this;
  },
  _finish(this: ResponseState): void {
    this.emit('prefinish');
  },
};

interface NodeInformation {
  writeInformation(status: number, headers: unknown, callback: unknown): unknown;
}

define(ServerResponse, OutgoingMessageClass, [members]);
Object.defineProperty(ServerResponse.prototype, 'writeHeader', {
  value: members.writeHead,
  configurable: true,
  enumerable: true,
  writable: true,
});
