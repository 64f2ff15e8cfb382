/**
 * The module as an object: everything of node:http, getters still lazy, with the server side replaced by
 * ours. What `require('http')` gives an application under `fulmar run`.
 */
import type * as NodeHttp from 'node:http';
import { IncomingMessage } from './incoming-message.ts';
import { nodeHttp } from './node-http.ts';
import { Server, createServer } from './server.ts';
import { ServerResponse } from './server-response.ts';
import { VERSION, VERSION_MARK } from './version.ts';

type HttpModule = typeof NodeHttp;

const replaced = { IncomingMessage, Server, ServerResponse, createServer };

function makeApi(): HttpModule {
  const api = Object.defineProperties({}, Object.getOwnPropertyDescriptors(nodeHttp)) as HttpModule;
  for (const [key, value] of Object.entries(replaced)) {
    Object.defineProperty(api, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return Object.defineProperty(api, VERSION_MARK, { value: VERSION });
}

/**
 * node:http with Fulmar's server. `globalAgent`, `maxHeaderSize`, `WebSocket` … stay the getters they are in
 * Node.
 */
export const api: HttpModule = makeApi();
