/**
 * The head of a message as text: fields in their order, and those that the message needs besides (Date,
 * Connection, framing).
 */
import { coded, invalidArgValue } from '../shared/errors.ts';
import { CHUNKED, CLOSE, utcDate, validateHeaderName, validateHeaderValue } from './common.ts';
import { kHeaders, kUnique } from './outgoing-state.ts';
import type { HeaderMap, OutgoingState } from './outgoing-state.ts';

const SECOND_MS = 1000;
const COOKIE = 'cookie';

/** What the given fields say. */
interface Head {
  text: string;
  connection: boolean;
  contentLength: boolean;
  transferEncoding: boolean;
  date: boolean;
  expect: boolean;
  trailer: boolean;
}

/** Takes notice of fields that decide framing and the connection's future. */
function notice(message: OutgoingState, head: Head, name: string, value: unknown): void {
  switch (name.toLowerCase()) {
    case 'connection':
      head.connection = true;
      message._removedConnection = false;
      if (CLOSE.test(value as string)) message._last = true;
      else message.shouldKeepAlive = true;
      break;
    case 'transfer-encoding':
      head.transferEncoding = true;
      message._removedTE = false;
      if (CHUNKED.test(value as string)) message.chunkedEncoding = true;
      break;
    case 'content-length':
      head.contentLength = true;
      message._contentLength = Number(value);
      message._removedContLen = false;
      break;
    case 'date':
      head.date = true;
      break;
    case 'expect':
      head.expect = true;
      break;
    case 'trailer':
      head.trailer = true;
      break;
    case 'keep-alive':
      message._defaultKeepAlive = false;
      break;
  }
}

function addLine(message: OutgoingState, head: Head, name: string, value: unknown, check: boolean): void {
  if (check) validateHeaderValue(name, value, message._isLenientHeaderValidation());
  head.text += `${name}: ${value as string}\r\n`;
  notice(message, head, name, value);
}

/** As Node, which encodes this field's value in latin1 when the length of the content is known. */
const latin1 = (value: unknown): Buffer => Buffer.from(value as string, 'latin1');

function addField(message: OutgoingState, head: Head, name: string, given: unknown, check: boolean): void {
  if (check) validateHeaderName(name);
  let value = given;
  const lower = name.toLowerCase();
  if (lower === 'content-disposition' && message._contentLength) value = Array.isArray(value) ? value.map(latin1) : latin1(value);
  if (!Array.isArray(value)) addLine(message, head, name, value, check);
  else if ((value.length < 2 || lower !== COOKIE) && message[kUnique]?.has(lower) !== true) {
    for (const one of value as unknown[]) addLine(message, head, name, one, check);
  } else addLine(message, head, name, value.join('; '), check);
}

function addFields(message: OutgoingState, head: Head, headers: unknown): void {
  if (!headers) return;
  if (headers === message[kHeaders]) {
    for (const [name, value] of Object.values(headers as HeaderMap)) addField(message, head, name, value, false);
  } else if (!Array.isArray(headers)) {
    for (const name of Object.keys(headers as object)) addField(message, head, name, (headers as Record<string, unknown>)[name], true);
  } else if (Array.isArray(headers[0])) {
    for (const [name, value] of headers as [string, unknown][]) addField(message, head, name, value, true);
  } else {
    if (headers.length % 2 !== 0) throw invalidArgValue('headers', headers);
    for (let at = 0; at < headers.length; at += 2) addField(message, head, headers[at] as string, headers[at + 1], true);
  }
}

function addConnection(message: OutgoingState, head: Head): void {
  if (message._removedConnection) {
    message._last = !message.shouldKeepAlive;
    return;
  }
  if (head.connection) return;
  const keeps = message.shouldKeepAlive && (head.contentLength || message.useChunkedEncodingByDefault || Boolean(message.agent));
  if (!keeps || message.maxRequestsOnConnectionReached) {
    if (!keeps) message._last = true;
    head.text += 'Connection: close\r\n';
    return;
  }
  head.text += 'Connection: keep-alive\r\n';
  if (message._keepAliveTimeout && message._defaultKeepAlive) {
    const seconds = Math.floor(message._keepAliveTimeout / SECOND_MS);
    const requests = ~~(message._maxRequestsPerSocket ?? 0);
    head.text += `Keep-Alive: timeout=${seconds}${requests > 0 ? `, max=${requests}` : ''}\r\n`;
  }
}

function addFraming(message: OutgoingState, head: Head): void {
  if (head.contentLength || head.transferEncoding) return;
  if (!message._hasBody) message.chunkedEncoding = false;
  else if (!message.useChunkedEncodingByDefault) message._last = true;
  else if (!head.trailer && !message._removedContLen && typeof message._contentLength === 'number') {
    head.text += `Content-Length: ${message._contentLength}\r\n`;
  } else if (message._removedTE) message._last = true;
  else {
    head.text += 'Transfer-Encoding: chunked\r\n';
    message.chunkedEncoding = true;
  }
}

/** Makes the head; it leaves with the first content. */
export function storeHeader(message: OutgoingState, firstLine: string, headers: unknown): void {
  const head: Head = {
    text: firstLine,
    connection: false,
    contentLength: false,
    transferEncoding: false,
    date: false,
    expect: false,
    trailer: false,
  };
  addFields(message, head, headers);
  if (message.sendDate && !head.date) head.text += `Date: ${utcDate()}\r\n`;
  if (message.chunkedEncoding && (message.statusCode === 204 || message.statusCode === 304)) {
    // No content, hence no last chunk either: some peers would take it for the next reply.
    message.chunkedEncoding = false;
    message.shouldKeepAlive = false;
  }
  addConnection(message, head);
  addFraming(message, head);
  if (!message.chunkedEncoding && head.trailer) {
    throw coded(Error, 'ERR_HTTP_TRAILER_INVALID', 'Trailers are invalid with this transfer encoding');
  }
  message._header = `${head.text}\r\n`;
  message._headerSent = false;
  if (head.expect) message._send('');
}
