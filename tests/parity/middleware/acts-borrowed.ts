/** Acts on Node's own prototypes and on what upstream leaves on its objects. */
import { EventEmitter } from 'node:events';
import * as http from 'node:http';
import { Readable, Stream } from 'node:stream';
import type { Do } from './env.ts';

export const borrowedActs: Readonly<Record<string, Do>> = {
  'borrow-set': (env, name, value) => void http.OutgoingMessage.prototype.setHeader.call(env.res, name, value as string),
  'borrow-get': (env, name) => env.tools.record(env.id, http.OutgoingMessage.prototype.getHeader.call(env.res, name)),
  'borrow-remove': (env, name) => http.OutgoingMessage.prototype.removeHeader.call(env.res, name),
  'borrow-on': (env) => void EventEmitter.prototype.on.call(env.res, 'finish', () => env.tools.record(env.id, 'borrowed finish')),
  'borrow-read-on': (env) => void Readable.prototype.on.call(env.req, 'end', () => env.tools.record(env.id, 'borrowed end')),
  'borrow-stream-on': (env) => void Stream.prototype.on.call(env.res, 'close', () => env.tools.record(env.id, 'borrowed close')),
};

export const ownActs: Readonly<Record<string, Do>> = {
  'own-keys': (env) =>
    env.tools.record(
      env.id,
      ['_parsedUrl', '_parsedOriginalUrl', '_body', 'route'].filter(
        (key) => (env.req as unknown as Record<string, unknown>)[key] !== undefined,
      ),
    ),
  'own-parsed': (env) => env.tools.record(env.id, (env.req as unknown as { _parsedUrl?: { pathname?: string } })._parsedUrl?.pathname),
};
