/**
 * Errors of the exchange layer, shaped like Node's.
 */
import { getSystemErrorMap } from 'node:util';

/** Names of the engine's `AbortReason`, by number. */
const ABORT_REASONS = [
  'the exchange ended',
  'the peer closed the connection',
  'the peer reset the connection',
  'the server destroyed the connection',
  'a time limit was reached',
  'the framing of the content is broken',
  'more than 16 MiB of the reply was buffered and not read',
  'the operating system reported an error',
  'a buffer that was given as content was detached or made shorter before it was sent',
] as const;

/** What Node gives an aborted message: `Error: aborted`, code `ECONNRESET`. The engine's reason is the cause. */
export function abortError(reason: number): Error {
  const error = new Error('aborted', { cause: ABORT_REASONS[reason] ?? ABORT_REASONS[0] });
  return Object.assign(error, { code: 'ECONNRESET' });
}

/** Why a connection closed; `null` for an orderly end. */
export function closeError(reason: number): Error | null {
  if (reason !== 2 && reason !== 7) return null;
  return systemError('read', reason === 2 ? 'ECONNRESET' : 'EIO');
}

function systemError(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

/** The code of `engineError`. */
export const ENGINE_UNAVAILABLE = 'FULMAR_ENGINE_UNAVAILABLE';

/** Why there is no engine: the addon `name` is not there, or is and does not load. */
export function engineError(name: string, cause: unknown, isMissing: boolean): Error {
  const reason = isMissing ? `this installation holds no ${name}, the build for this platform` : String(cause);
  const advice = 'Run "npm run build" in a checkout, or reinstall the package for this platform.';
  const error = new Error(`Fulmar's engine could not be loaded: ${reason}. ${advice}`, { cause });
  return Object.assign(error, { code: ENGINE_UNAVAILABLE });
}

/** `listen EADDRINUSE: address already in use :::3000`, with Node's properties. */
export function listenError(errno: number, address: string, port: number): Error {
  const [code, text] = getSystemErrorMap().get(errno) ?? ['UNKNOWN', 'unknown error'];
  const where = port > 0 ? `${address}:${port}` : address;
  const error = new Error(`listen ${code}: ${text} ${where}`);
  return Object.assign(error, { code, errno, syscall: 'listen', address, port });
}
