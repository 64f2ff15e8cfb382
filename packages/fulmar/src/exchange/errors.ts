/**
 * Errors of the exchange layer, shaped like Node's.
 */
import { getSystemErrorMap } from 'node:util';
import { AbortReason } from './format.ts';

const { framing, overflow, contentGone } = AbortReason;

const words: Readonly<Record<number, string>> = {
  [AbortReason.none]: 'the exchange ended',
  [AbortReason.peerClosed]: 'the peer closed the connection',
  [AbortReason.peerReset]: 'the peer reset the connection',
  [AbortReason.host]: 'the server destroyed the connection',
  [AbortReason.timeout]: 'a time limit was reached',
  [framing]: 'the framing of the content is broken',
  [overflow]: 'more than 16 MiB of the reply was buffered and not read',
  [AbortReason.io]: 'the operating system reported an error',
  [contentGone]: 'a buffer that was given as content was detached or made shorter before it was sent',
};

/**
 * What Node gives an aborted message: `Error: aborted`, code `ECONNRESET`. The engine's reason is the cause.
 */
export function abortError(reason: number): Error {
  const error = new Error('aborted', { cause: words[reason] ?? words[AbortReason.none] });
  return Object.assign(error, { code: 'ECONNRESET' });
}

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
