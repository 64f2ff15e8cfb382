/**
 * The option `blockList` of sockets and servers.
 */
import { invalidArgType } from '../shared/errors.ts';
import type { SocketState } from './socket-state.ts';

/** The list, checked as Node does. */
export function blockListOf(value: unknown): NonNullable<SocketState['blockList']> {
  const { BlockList } = process.getBuiltinModule('node:net');
  if (!(BlockList as unknown as { isBlockList(value: unknown): boolean }).isBlockList(value)) {
    throw invalidArgType('options.blockList', 'net.BlockList', value);
  }
  return value as NonNullable<SocketState['blockList']>;
}
