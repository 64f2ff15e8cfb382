/**
 * `tls.TLSSocket`: a `net.Socket` on an encrypting handle.
 */
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type * as NodeTls from 'node:tls';
import later from 'fulmar:later';
import { coded, unsupported } from '../shared/errors.ts';
import { connResetException } from '../shared/errno.ts';
import type * as Certificates from './certificate.later.ts';
import type { SocketState } from '../net/socket-state.ts';
import { define } from '../shared/define.ts';
import { failureOf, refusalCode, refusalError } from './failures.ts';
import { TlsHandle } from './handle.ts';
import { checkServerIdentity } from './identity.ts';
import { answerOffer } from './offer.ts';
import { toBuffer } from './sessions.ts';
import { contextOf, settingsOf } from './settings.ts';
import type { Options } from './settings.ts';

interface TlsFields {
  encrypted: true;
  authorized: boolean;
  authorizationError: Error | string | null;
  alpnProtocol: string | false | null;
  servername: string | false | null;
  secureConnecting: boolean;
  ssl: TlsHandle;
  _tlsOptions: Options;
  _secureEstablished: boolean;
  /** The latest that a client has got. */
  _session: Buffer | undefined;
  _isServer: boolean;
}

export type TlsState = TlsFields & SocketState;

function TLSSocket(this: TlsState, given: unknown, options: Options = {}): void {
  const lower = (given ?? new net.Socket()) as Duplex & SocketState;
  const isServer = options['isServer'] === true;
  const waits = isServer && (options['SNICallback'] !== undefined || options['ALPNCallback'] !== undefined);
  const handle = new TlsHandle(lower, isServer, waits ? undefined : settingsOf(options, isServer), {
    secured: () => secured(this),
    offered: (offer) => answerOffer(this, offer),
    failed: (error) => failed(this, error),
    session: () => kept(this),
  });
  (net.Socket as unknown as (this: unknown, options: object) => void).call(this, {
    handle,
    allowHalfOpen: options['allowHalfOpen'] === true,
    pauseOnCreate: options['pauseOnConnect'],
    manualStart: true,
  });
  this._tlsOptions = options;
  this._isServer = isServer;
  this._secureEstablished = false;
  this._session = undefined;
  this.ssl = handle;
  this.encrypted = true;
  this.authorized = false;
  this.authorizationError = null;
  this.alpnProtocol = null;
  this.servername = null;
  this.secureConnecting = true;
  this._parent = lower as SocketState;
  this.connecting = lower.connecting;
  lower.on('error', (error: Error) => this.destroy(error));
  // Whoever listens hears of the end first.
  lower.once('end', () => setImmediate(() => closed(this)));
  lower.once('close', () => closed(this));
  // As Node: a client on a stream that is no socket says nothing until it is told to (`_start`).
  if (!isServer && !(lower instanceof net.Socket)) return;
  if (!this.connecting) begin(this);
  else lower.once('connect', () => connected(this));
}

function connected(socket: TlsState): void {
  if (socket.destroyed) return;
  socket.connecting = false;
  socket.emit('connect');
  socket.emit('ready');
  begin(socket);
}

/** Starts the handshake. */
export function begin(socket: TlsState): void {
  socket.ssl.flush();
  socket.ssl.lower.resume();
  socket.read(0);
}

function closed(socket: TlsState): void {
  if (socket._secureEstablished || socket.destroyed) return;
  const error = connResetException('Client network socket disconnected before secure TLS connection was established');
  if (!socket._isServer)
    socket.destroy(Object.assign(error, { path: undefined, host: socket._tlsOptions['host'], port: socket._tlsOptions['port'] }));
  else socket.destroy(connResetException('socket hang up'));
}

function failed(socket: TlsState, text: string): void {
  const isWritten = !socket._isServer && !socket._secureEstablished && socket.ssl.early.some(([bytes]) => bytes.byteLength > 0);
  const error = failureOf(text, isWritten);
  if (socket._isServer && !socket._secureEstablished) socket.emit('_tlsError', error);
  else socket.destroy(error);
}

/**
 * Nothing but the handshake has gone to the peer: a peer that is refused here has got nothing. What
 * `checkServerIdentity` throws is an uncaught exception, as in Node; where the process goes on nevertheless,
 * the connection does not.
 */
function secured(socket: TlsState): void {
  const { alpn, servername, refusal } = socket.ssl.connection.state();
  socket._secureEstablished = true;
  socket.secureConnecting = false;
  socket.alpnProtocol = alpn ?? false;
  socket.servername = socket._isServer ? (servername ?? false) : ((socket._tlsOptions['servername'] as string | undefined) ?? null);
  const mayRefuse = socket._tlsOptions['rejectUnauthorized'] !== false;
  if (socket._isServer) {
    if (socket._tlsOptions['requestCert'] === true) judgeClient(socket, refusal, mayRefuse);
  } else judgeServer(socket, refusal, mayRefuse);
  socket.emit('secure');
}

function kept(socket: TlsState): void {
  const session = socket.ssl.connection.session();
  if (session === undefined) return;
  socket._session = toBuffer(session);
  socket.emit('session', socket._session);
}

const isReused = (socket: TlsState): boolean => socket.ssl.connection.state().reused === true;

function judgeClient(socket: TlsState, refusal: string | undefined, mayRefuse: boolean): void {
  const code = refusal ?? (peerCertificates(socket).length === 0 ? 'UNABLE_TO_GET_ISSUER_CERT' : undefined);
  socket.authorized = code === undefined;
  if (code === undefined) return;
  socket.authorizationError = refusalCode(code);
  if (mayRefuse) socket.destroy();
}

function judgeServer(socket: TlsState, refusal: string | undefined, mayRefuse: boolean): void {
  const error = refusal === undefined ? identityError(socket) : refusalError(refusal);
  socket.authorized = !error;
  if (error) {
    socket.authorizationError = (error as NodeJS.ErrnoException).code || error.message;
    if (mayRefuse) {
      socket.destroy(error);
      return;
    }
  }
  socket.emit('secureConnect');
}

const hostOf = ({ _tlsOptions: options }: TlsState): string => {
  const { servername, host, socket } = options as { servername?: string; host?: string; socket?: { _host?: string } };
  return servername || host || socket?._host || 'localhost';
};

/**
 * The application's own `checkServerIdentity` decides, unless it has done so when the session began; else the
 * names of the certificate, whenever it came.
 */
function identityError(socket: TlsState): Error | undefined {
  const check = socket._tlsOptions['checkServerIdentity'];
  if (typeof check === 'function' && check !== checkServerIdentity) {
    return isReused(socket) ? undefined : judged(socket, () => (check as Check)(hostOf(socket), certificateOf(socket, true)));
  }
  const [first] = peerCertificates(socket);
  if (first === undefined) return refusalError('UNABLE_TO_GET_ISSUER_CERT');
  const error = judged(socket, () => checkServerIdentity(hostOf(socket), certificates().namesOf(Buffer.from(first))));
  return error && Object.assign(error, { cert: certificateOf(socket, true) });
}

type Check = (host: string, certificate: object) => Error | undefined;

function judged(socket: TlsState, check: () => Error | undefined): Error | undefined {
  try {
    return check();
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const peerCertificates = (socket: TlsState): readonly ArrayBuffer[] => socket.ssl.connection.state(true).certificates ?? [];
const certificates = (): typeof Certificates => later<typeof import('./certificate.later.ts')>();

const PEM = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g;

/**
 * The peer's certificate; with `isDetailed` also those that lead to a root, among what the peer sent and the
 * option `ca`.
 */
function certificateOf(socket: TlsState, isDetailed: boolean): object {
  const chain = peerCertificates(socket).map((bytes) => Buffer.from(bytes));
  const given = isDetailed ? (contextOf(socket._tlsOptions).context['ca'] as string | undefined) : undefined;
  const known = [...(given ?? '').matchAll(PEM)].map(([, text = '']) => Buffer.from(text, 'base64'));
  return certificates().certificateObject(chain, known, isDetailed);
}

const members = {
  /** Starts the handshake, where it has not begun by itself. */
  _start(this: TlsState): void {
    begin(this);
  },
  getProtocol(this: TlsState): string | null {
    return this.ssl.connection.state().version?.replace('_', '.').replace('TLSv1.', 'TLSv1.') ?? null;
  },
  getCipher(this: TlsState): object {
    const { cipher, version } = this.ssl.connection.state();
    const name = cipher?.replace(/^TLS13_/, 'TLS_');
    return { name, standardName: name, version: version?.replace('_', '.') };
  },
  getPeerCertificate(this: TlsState, isDetailed?: boolean): object {
    return certificateOf(this, isDetailed === true);
  },
  isSessionReused(this: TlsState): boolean {
    return isReused(this);
  },
  getSession(this: TlsState): Buffer | undefined {
    if (this._session !== undefined || this._isServer) return this._session;
    return isReused(this) ? (this._tlsOptions['session'] as Buffer) : undefined;
  },
  setSession(): never {
    throw unsupported('socket.setSession()', 'give the option session to tls.connect()');
  },
  setServername(): never {
    throw coded(Error, 'ERR_TLS_SNI_FROM_SERVER', 'Cannot issue SNI from a TLS server-side socket');
  },
  setMaxSendFragment: (): boolean => false,
  disableRenegotiation(): void {
    // rustls never renegotiates.
  },
  enableTrace(): never {
    throw unsupported('socket.enableTrace()', 'leave it out, and record the connection with a network tool');
  },
  renegotiate(): never {
    throw unsupported('socket.renegotiate()', 'leave it out: TLS 1.3 has no renegotiation');
  },
  exportKeyingMaterial(): never {
    throw unsupported('socket.exportKeyingMaterial()', 'leave it out');
  },
};

define(TLSSocket, net.Socket, [members]);

export const TLSSocketClass = TLSSocket as unknown as typeof NodeTls.TLSSocket;
