/**
 * What requests and responses ask their server for, where no server is: it makes them for exchanges that a
 * platform hands over, with the defaults of a server. It never listens, and needs no server of Node's, which
 * some hosts have in another form.
 */
import { EventEmitter } from 'node:events';
import { classOptions, makersFor } from './message-makers.ts';
import { initialConfig } from './server-options.ts';
import type { ServerState } from './server-state.ts';

/** Node's default of a stream's, in bytes. */
const HIGH_WATER_MARK = 65_536;

export function createMessageServer(listener: (req: never, res: never) => unknown): object {
  const server = new EventEmitter() as unknown as ServerState;
  Object.assign(server, {
    _config: initialConfig(),
    _listener: null,
    _listeners: new Set(),
    _handle: null,
    _scope: null,
    _replyDefaults: null,
    _classes: classOptions({}),
    highWaterMark: HIGH_WATER_MARK,
    keepAliveTimeout: 0,
    timeout: 0,
    maxHeadersCount: null,
    maxRequestsPerSocket: null,
    requireHostHeader: true,
    joinDuplicateHeaders: undefined,
    rejectNonStandardBodyWrites: undefined,
  });
  server.on('request', listener as never);
  server._makers = makersFor(server);
  return server;
}
