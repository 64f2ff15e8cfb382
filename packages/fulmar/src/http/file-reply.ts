/**
 * Content that the engine sends from an open file, past JavaScript: the end of a reply whose fields are set.
 * Refuses whatever somebody could tell from a stream that is piped into the response: replaced members,
 * listeners, bytes held back. The framework above opens the file and, when refused, takes the public way; it
 * imports this file itself, which a start does not load.
 */
import { EventEmitter } from 'node:events';
import type { Exchange } from '../exchange/types.ts';
import { headerMembers, peekHeader } from './headers-out.ts';
import { watchSent } from './lifecycle.ts';
import { isReplyWritable, isUnbegun } from './liveness.ts';
import { startReply } from './reply-body.ts';
import { headMembers } from './reply-head.ts';
import { bodyMembers } from './reply-methods.ts';
import type { ResponseState } from './response-state.ts';
import { responseMembers } from './server-response.ts';

/** Members of a response that a piped stream, or what it calls, uses. */
const used: Readonly<Record<string, unknown>> = {
  write: bodyMembers.write,
  end: bodyMembers.end,
  _finish: bodyMembers._finish,
  writeHead: headMembers.writeHead,
  _implicitHeader: headMembers._implicitHeader,
  setHeader: headerMembers.setHeader,
  getHeader: headerMembers.getHeader,
  destroy: responseMembers.destroy,
  ...Object.fromEntries(
    (['on', 'once', 'emit', 'prependListener', 'removeListener', 'listenerCount'] as const).map((name) => [
      name,
      EventEmitter.prototype[name],
    ]),
  ),
};
const usedNames = Object.keys(used);
/** What a piped stream would cause on the response, or what its listeners would see in between. */
const pipeEvents = ['pipe', 'unpipe', 'drain'];

const NO_CONTENT = 204;
const NOT_MODIFIED = 304;
const FINAL = 200;

function hasContent({ statusCode }: ResponseState): boolean {
  return statusCode >= FINAL && statusCode !== NO_CONTENT && statusCode !== NOT_MODIFIED;
}

function isUnpatched(res: ResponseState): boolean {
  for (const name of usedNames) if ((res as unknown as Record<string, unknown>)[name] !== used[name]) return false;
  const events = res._listeners;
  return events === undefined || !pipeEvents.some((event) => events[event] !== undefined);
}

/** Whether the reply, whose fields are set and promise `length` bytes, can have its content from a file. */
export function takesFile(response: object, length: number): boolean {
  const res = response as ResponseState;
  if (res._exchange?.takesFiles !== true || !res._exchange.open || !isReplyWritable(res)) return false;
  if (!res._hasBody || !hasContent(res) || res.strictContentLength || !isUnbegun(res) || res._corked > 0 || !isUnpatched(res)) return false;
  return Number(peekHeader(res, 'content-length')) === length && peekHeader(res, 'transfer-encoding') === undefined;
}

/** Writes the head; throws what Node throws for a status or a field that cannot be sent. */
export function makeHead(response: object): void {
  (response as ResponseState)._implicitHeader();
}

/**
 * Gives the head, then `length` bytes of the file from `offset`. The descriptor is the engine's from here on.
 *
 * @param onSent called when the last byte is with the operating system and the response has ended, before `finish`; never when the
 *   connection goes away before
 */
export function sendOpenFile(response: object, fd: number, part: { offset: number; length: number }, onSent: () => void): void {
  const res = response as ResponseState;
  const exchange = res._exchange as Exchange;
  startReply(res, exchange, false);
  watchSent(res, exchange).fileSent = onSent;
  exchange.sendFile(fd, part.offset, part.length);
}
