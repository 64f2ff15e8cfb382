/** A WebSocket client that notes everything that happens to it, in order. */
import { createRequire } from 'node:module';
import type { ClientOptions, RawData, WebSocket as Socket } from 'ws';
import { until } from './until.ts';

const { WebSocket } = createRequire(import.meta.url)('ws') as { WebSocket: typeof Socket };

/** Beyond this many bytes a message is noted as its length and its ends. */
const SHOWN_BYTES_MAX = 200;

export interface Heard {
  readonly socket: Socket;
  readonly events: readonly string[];
  /** Waits until so many events were noted. */
  heard(count: number): Promise<void>;
  /** Waits until the connection has ended, however it did, and returns the events. */
  closed(): Promise<readonly string[]>;
}

export function listenTo(url: string, options: ClientOptions & { readonly protocols?: readonly string[] } = {}): Heard {
  const events: string[] = [];
  const { protocols = [], ...rest } = options;
  const socket = new WebSocket(url.replace(/^http/, 'ws'), [...protocols], { perMessageDeflate: false, ...rest });
  socket.on('open', () => events.push(`open ${socket.protocol} ${socket.extensions}`));
  socket.on('message', (data, isBinary) => events.push(`${isBinary ? 'binary' : 'text'} ${shown(data)}`));
  socket.on('ping', (data) => events.push(`ping ${data.toString()}`));
  socket.on('pong', (data) => events.push(`pong ${data.toString()}`));
  socket.on('unexpected-response', (request, response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.once('close', () => {
      const fields = response.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}; `)).join('');
      events.push(`refused ${response.statusCode} ${fields} ${Buffer.concat(pieces).toString()}`, 'end');
    });
    request.once('error', () => undefined);
  });
  socket.on('error', (error) => events.push(`error ${error.message}`));
  socket.on('close', (code, reason) => events.push(`close ${code} ${reason.toString()}`, 'end'));
  return {
    socket,
    events,
    heard: (count) => until(() => (events.length >= count ? true : undefined), `${count} events`).then(() => undefined),
    closed: () => until(() => (events.at(-1) === 'end' ? events : undefined), 'the end of the WebSocket'),
  };
}

function shown(data: RawData): string {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
  if (bytes.length <= SHOWN_BYTES_MAX) return bytes.toString();
  return `${bytes.length} bytes ${bytes.subarray(0, 10).toString()} … ${bytes.subarray(-10).toString()}`;
}
