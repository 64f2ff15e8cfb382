/**
 * Errors of the exchange layer, shaped like Node's.
 */
import { getSystemErrorMap } from 'node:util';
import { abortError } from './abort-error.ts';
import { AbortReason } from './format.ts';

const { framing, overflow, contentGone } = AbortReason;

/** Why a connection closed; `null` for an orderly end. */
export function closeError(reason: number): Error | null {
  if (reason !== AbortReason.peerReset && reason !== AbortReason.io) return null;
  return systemError('read', reason === AbortReason.peerReset ? 'ECONNRESET' : 'EIO');
}

/** What the socket of a connection that closed is told: also what the engine has found wrong itself. */
export function socketError(reason: number): Error | null {
  return reason === framing || reason === overflow || reason === contentGone ? abortError(reason) : closeError(reason);
}

function systemError(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

/** `listen EADDRINUSE: address already in use :::3000`, with Node's properties. */
export function listenError(errno: number, address: string, port: number): Error {
  const [code, text] = getSystemErrorMap().get(errno) ?? ['UNKNOWN', 'unknown error'];
  const where = port > 0 ? `${address}:${port}` : address;
  const error = new Error(`listen ${code}: ${text} ${where}`);
  return Object.assign(error, { code, errno, syscall: 'listen', address, port });
}
