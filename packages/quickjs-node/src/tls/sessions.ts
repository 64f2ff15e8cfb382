/**
 * TLS sessions as `node:tls` has them: Buffers. rustls does not write a session down, so a Buffer only stands
 * for it, in this process and as long as somebody holds the Buffer; its bytes say nothing.
 */
import type { TlsSession } from 'fulmar:ops';

const sessions = new WeakMap<object, TlsSession>();
let count = 0;

export function toBuffer(session: TlsSession): Buffer {
  count += 1;
  const buffer = Buffer.from(`a TLS session of this process, ${count}`);
  sessions.set(buffer, session);
  return buffer;
}

/** The session that a Buffer stands for; nothing for any other value, which then makes a full handshake. */
export function fromBuffer(buffer: unknown): TlsSession | undefined {
  return typeof buffer === 'object' && buffer !== null ? sessions.get(buffer) : undefined;
}
