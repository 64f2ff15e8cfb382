/**
 * `node:http` of the QuickJS host: the base on which `fulmar/http` puts its server, and the client, which is
 * loaded when it is used.
 */
import type * as NodeHttp from 'node:http';
import { validateInteger } from '../shared/validators.ts';
import { Agent, ClientRequest, globalAgents } from './client-classes.ts';
import { validateHeaderName, validateHeaderValue } from './common.ts';
import { IncomingMessageClass, OutgoingMessageClass, ServerResponseClass } from './message-classes.ts';
import { connectionListener, ServerClass } from './server.ts';
import { METHODS, STATUS_CODES } from './status-codes.ts';

/** Of a head, in bytes. */
const MAX_HEADER_SIZE = 16 * 1024;

function createServer(options?: unknown, listener?: unknown): NodeHttp.Server {
  return new ServerClass(options as NodeHttp.ServerOptions, listener as NodeHttp.RequestListener);
}

function request(url: unknown, options?: unknown, callback?: unknown): NodeHttp.ClientRequest {
  return new (ClientRequest as unknown as new (...args: unknown[]) => NodeHttp.ClientRequest)(url, options, callback);
}

function get(url: unknown, options?: unknown, callback?: unknown): NodeHttp.ClientRequest {
  const sent = request(url, options, callback);
  sent.end();
  return sent;
}

/** A member that is made when it is first asked for, and can be replaced. */
function lazy(target: object, name: string, make: () => unknown): void {
  Object.defineProperty(target, name, {
    get: make,
    set(value: unknown) {
      Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
    },
    enumerable: true,
    configurable: true,
  });
}

const api = {
  _connectionListener: connectionListener,
  Agent,
  ClientRequest,
  METHODS: [...METHODS],
  STATUS_CODES,
  IncomingMessage: IncomingMessageClass,
  OutgoingMessage: OutgoingMessageClass,
  Server: ServerClass,
  ServerResponse: ServerResponseClass,
  createServer,
  validateHeaderName,
  validateHeaderValue,
  get,
  request,
  /** Parsers are not kept here: they are made per connection and cost little. */
  setMaxIdleHTTPParsers(max: number): void {
    validateInteger(max, 'max', 1);
  },
  maxHeaderSize: MAX_HEADER_SIZE,
};

Object.defineProperty(api, 'globalAgent', {
  get: () => globalAgents.http,
  set(value: NodeHttp.Agent) {
    globalAgents.http = value;
  },
  enumerable: true,
  configurable: true,
});
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent'] as const) {
  lazy(api, name, () => (globalThis as unknown as Record<string, unknown>)[name]);
}

export default api;
