/**
 * `node:http2`: the constants, which clients and frameworks look at when they load, and functions that say
 * that there is no HTTP/2.
 */
import later from 'fulmar:later';
import { unavailable, unavailableClass } from '../shared/unavailable.ts';

const advice = 'use HTTP/1.1 (node:http, node:https), or run the application on Node';

const members = {
  connect: unavailable('http2.connect', advice),
  createServer: unavailable('http2.createServer', advice),
  createSecureServer: unavailable('http2.createSecureServer', advice),
  getDefaultSettings: unavailable('http2.getDefaultSettings', advice),
  getPackedSettings: unavailable('http2.getPackedSettings', advice),
  getUnpackedSettings: unavailable('http2.getUnpackedSettings', advice),
  performServerHandshake: unavailable('http2.performServerHandshake', advice),
  sensitiveHeaders: Symbol('sensitiveHeaders'),
  Http2ServerRequest: unavailableClass('http2.Http2ServerRequest', advice),
  Http2ServerResponse: unavailableClass('http2.Http2ServerResponse', advice),
};

Object.defineProperty(members, 'constants', {
  get: () => (later<typeof import('./constants.later.ts')>() as { constants: Readonly<Record<string, number | string>> }).constants,
  enumerable: true,
  configurable: true,
});

export default members;
