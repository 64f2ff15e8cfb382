/** Bytes over a connection of one's own: for what no proper client sends. */
import net from 'node:net';

const CLOSE_MS_MAX = 60_000;

export interface RawOptions {
  /** Cut the connection instead of waiting for its end, once the reply holds this text (or all is sent). */
  readonly cutAfter?: string;
}

/** Sends the pieces and resolves with all that came back when the connection has ended. */
export function sendRaw(port: number, pieces: readonly (string | Buffer)[], { cutAfter }: RawOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let seen = '';
    socket.setTimeout(CLOSE_MS_MAX, () => socket.destroy(new Error(`the connection stayed open; it said: ${seen}`)));
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1');
      if (cutAfter !== undefined && seen.includes(cutAfter)) socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses may reset what is still on its way to it.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.once('close', () => resolve(seen));
    for (const piece of pieces) socket.write(piece);
    if (cutAfter === '') socket.end(() => socket.destroy());
  });
}
