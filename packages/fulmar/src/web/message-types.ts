/**
 * The least that this layer asks of a request and its response: node:http's messages, and what middleware
 * puts on them. Types only.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface WebRequest extends IncomingMessage {
  /** What a body parser has read. */
  body?: unknown;
  /** The target as it came, where `url` has been changed by a mount. */
  originalUrl?: string;
  res?: WebResponse;
}

export type WebResponse = ServerResponse;

/** `next`: continue, or leave with an error. */
export type Next = (err?: unknown) => void;
