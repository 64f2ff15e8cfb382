/**
 * The handshake between an application and the http server that serves it: an app that is the server's only
 * 'request' listener may carry, under this symbol, the classes its requests and responses should be built
 * with, so that no prototype has to be swapped per request. Read once per listener change; never consulted
 * while a request runs.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Property under which a request listener exposes its {@link MessageClasses}. */
export const kMessageClasses: unique symbol = Symbol('fulmar.messageClasses');

/** Constructors whose `prototype` already is what the listener expects of the objects it is called with. */
export interface MessageClasses {
  readonly Request: new (...args: never[]) => IncomingMessage;
  readonly Response: new (...args: never[]) => ServerResponse;
  /** What else the listener has made for a request that it has been called with. */
  readonly perRequest?: ((req: object) => readonly object[]) | undefined;
}

/** A request listener that brings its own message classes; `undefined` means "none at the moment". */
export interface MessageClassesOwner {
  readonly [kMessageClasses]?: MessageClasses | undefined;
}
