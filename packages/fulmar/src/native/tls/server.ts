/**
 * `tls.Server`: a `net.Server` whose connections are encrypted before anybody sees them.
 */
import net from 'node:net';
import type { Socket } from 'node:net';
import type * as NodeTls from 'node:tls';
import { connResetException } from '../errno.ts';
import { unsupported } from '../errors.ts';
import { define } from '../define.ts';
import { createSecureContext } from './settings.ts';
import type { Options, SecureContext } from './settings.ts';
import { TLSSocketClass } from './socket.ts';

const HANDSHAKE_TIMEOUT_MS = 120_000;

export interface TlsServerState {
  _tlsOptions: Options;
  _secureContext: SecureContext;
  on(event: string, listener: unknown): unknown;
  emit(event: string, ...args: unknown[]): boolean;
}

export function Server(this: TlsServerState, given?: unknown, listener?: unknown): unknown {
  if (!(this instanceof (Server as unknown as new () => object))) return new ServerClass(given as NodeTls.TlsOptions, listener as never);
  const options = (typeof given === 'function' ? {} : { ...(given as object) }) as Options;
  initServer(this, options);
  const handler = typeof given === 'function' ? given : listener;
  if (typeof handler === 'function') this.on('secureConnection', handler);
  return undefined;
}

/** What `https.Server` has in common. */
export function initServer(server: TlsServerState, options: Options): void {
  server._tlsOptions = options;
  server._secureContext = createSecureContext(options);
  (net.Server as unknown as (this: unknown, options: unknown) => void).call(server, options);
  server.on('connection', (socket: Socket) => secure(server, socket));
}

function secure(server: TlsServerState, raw: Socket): void {
  const options = server._tlsOptions;
  const settings = { ...options, secureContext: server._secureContext, isServer: true };
  let socket: NodeTls.TLSSocket;
  try {
    socket = new TLSSocketClass(raw, settings as NodeTls.TLSSocketOptions);
  } catch (error) {
    raw.destroy();
    server.emit('tlsClientError', error, raw);
    return;
  }
  const timeout = setTimeout(
    () => fail(connResetException('TLS handshake timeout')),
    (options['handshakeTimeout'] as number) ?? HANDSHAKE_TIMEOUT_MS,
  );
  timeout.unref();
  const fail = (error: Error): void => {
    clearTimeout(timeout);
    if (!(socket as unknown as { _secureEstablished: boolean })._secureEstablished) server.emit('tlsClientError', error, socket);
    raw.destroy();
    socket.destroy();
  };
  const early = (error: Error): void => fail(error);
  socket.on('error', early);
  socket.on('_tlsError', fail);
  socket.once('secure', () => {
    clearTimeout(timeout);
    socket.removeListener('error', early);
    Object.assign(socket, { server });
    server.emit('secureConnection', socket);
  });
  socket.once('close', () => clearTimeout(timeout));
}

const ticketKeys = (name: string) => (): never => {
  throw unsupported(`server.${name}()`, 'leave it out: every connection makes a full handshake');
};

const members = {
  setSecureContext(this: TlsServerState, options: Options): void {
    this._secureContext = createSecureContext(options);
  },
  addContext(): never {
    throw unsupported('server.addContext()', 'use one certificate that names all hosts, or a server for each');
  },
  getTicketKeys: ticketKeys('getTicketKeys'),
  setTicketKeys: ticketKeys('setTicketKeys'),
};

define(Server, net.Server, [members]);

export const ServerClass = Server as unknown as typeof NodeTls.Server;
