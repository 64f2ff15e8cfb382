/**
 * How many listeners the socket of pipelined messages may have before Node suspects a leak. Node gives a
 * reply its socket when its turn has come, ours has it from the beginning: what packages listen to on the
 * socket of a reply is there once for each message that waits.
 */
import { EventEmitter } from 'node:events';
import type { FulmarSocket } from './socket.ts';

/**
 * A message is about to know the socket: with each one that joins others there is room for as many listeners
 * as Node grants to one.
 */
export function makeRoom(socket: FulmarSocket): void {
  const emitter = socket as unknown as { _maxListeners: number | undefined };
  socket._sharers = socket._httpMessage === null ? 1 : socket._sharers + 1;
  // The application has a limit of its own.
  if (emitter._maxListeners !== socket._room) return;
  socket._room = socket._sharers === 1 ? undefined : socket._sharers * EventEmitter.defaultMaxListeners;
  emitter._maxListeners = socket._room;
}
