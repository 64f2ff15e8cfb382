/**
 * `tls.Server`: a `net.Server` whose connections are encrypted before anybody sees them.
 */
import net from 'node:net';
import type { Socket } from 'node:net';
import type * as NodeTls from 'node:tls';
import { connResetException } from '../shared/errno.ts';
import { coded } from '../shared/errors.ts';
import { bytesInView, validateBuffer } from '../shared/validators.ts';
import { define } from '../shared/define.ts';
import { createSecureContext, SecureContext, ticketKeysOf } from './settings.ts';
import type { Options } from './settings.ts';
import { TLSSocketClass } from './socket.ts';

const HANDSHAKE_TIMEOUT_MS = 120_000;

export interface TlsServerState {
  _tlsOptions: Options;
  _secureContext: SecureContext;
  ticketKeys?: unknown;
  sessionTimeout?: unknown;
  /** Certificates for names, the latest last. */
  _contexts: [RegExp, SecureContext][];
  on(event: string, listener: unknown): unknown;
  emit(event: string, ...args: unknown[]): boolean;
}

function Server(this: TlsServerState, given?: unknown, listener?: unknown): unknown {
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
  useContext(server, options);
  server._contexts = [];
  if (options['ALPNCallback'] && options['ALPNProtocols']) {
    const message = 'The ALPNCallback and ALPNProtocols TLS options are mutually exclusive';
    throw coded(TypeError, 'ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS', message);
  }
  (net.Server as unknown as (this: unknown, options: unknown) => void).call(server, options);
  server.on('connection', (socket: Socket) => secure(server, socket));
}

function useContext(server: TlsServerState, options: Options): void {
  const ticketKeys = options['ticketKeys'] || server.ticketKeys;
  const sessionTimeout = options['sessionTimeout'] || server.sessionTimeout;
  server._secureContext = createSecureContext({ ...options, ticketKeys, sessionTimeout });
  if (ticketKeys) server.ticketKeys = ticketKeys;
  if (sessionTimeout) server.sessionTimeout = sessionTimeout;
}

type Choice = (error: null, context: SecureContext | undefined) => void;

/** What `addContext` was given for a name. */
function contextFor(server: TlsServerState, name: string): SecureContext | undefined {
  return server._contexts.findLast(([pattern]) => pattern.test(name))?.[1];
}

function secure(server: TlsServerState, raw: Socket): void {
  const options = server._tlsOptions;
  const byName = server._contexts.length === 0 ? undefined : (name: string, done: Choice) => done(null, contextFor(server, name));
  const SNICallback = options['SNICallback'] ?? byName;
  const settings = { ...options, secureContext: server._secureContext, isServer: true, SNICallback };
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
  // Each connection is told of once: as one that works, or as one that did not come about.
  let isTold = false;
  const tell = (error: Error): void => {
    if (!isTold) server.emit('tlsClientError', error, socket);
    isTold = true;
  };
  const fail = (error: Error): void => {
    clearTimeout(timeout);
    tell(error);
    raw.destroy();
    socket.destroy();
  };
  const early = (error: Error): void => fail(error);
  socket.on('error', early);
  socket.on('_tlsError', fail);
  socket.once('secure', () => {
    clearTimeout(timeout);
    if (socket.destroyed) return;
    isTold = true;
    socket.removeListener('error', early);
    Object.assign(socket, { server });
    server.emit('secureConnection', socket);
  });
  socket.once('close', () => {
    clearTimeout(timeout);
    tell(connResetException('socket hang up'));
  });
}

const WRONG_KEYS = `Session ticket keys must be a 48-byte buffer
This is caused by either a bug in Node.js or incorrect usage of Node.js internals.
Please open an issue with this stack trace at https://github.com/nodejs/node/issues
`;

const members = {
  setSecureContext(this: TlsServerState, options: Options): void {
    useContext(this, options);
  },
  addContext(this: TlsServerState, name: string, context: unknown): void {
    if (!name) throw coded(Error, 'ERR_TLS_REQUIRED_SERVER_NAME', '"servername" is required parameter for Server.addContext');
    const pattern = name.replaceAll(/[.^$+?\-\\[\]{}]/g, '\\$&').replaceAll('*', '[^.]*');
    this._contexts.push([new RegExp(`^${pattern}$`, 'i'), context instanceof SecureContext ? context : createSecureContext(context)]);
  },
  getTicketKeys(this: TlsServerState): Buffer {
    return ticketKeysOf(this._secureContext);
  },
  setTicketKeys(this: TlsServerState, keys: ArrayBufferView): void {
    validateBuffer(keys);
    if (keys.byteLength !== 48) throw coded(Error, 'ERR_INTERNAL_ASSERTION', WRONG_KEYS);
    this._secureContext.context['ticketKeys'] = Buffer.from(bytesInView(keys));
  },
};

define(Server, net.Server, [members]);

export const ServerClass = Server as unknown as typeof NodeTls.Server;
