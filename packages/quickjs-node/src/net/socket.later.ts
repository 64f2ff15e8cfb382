/**
 * `net.Socket`, loaded with its first use.
 */
import type * as NodeNet from 'node:net';
import { Socket } from './socket.ts';

export const SocketClass = Socket as unknown as typeof NodeNet.Socket;
