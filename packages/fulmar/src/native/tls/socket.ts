/**
 * `tls.TLSSocket`: a `net.Socket` on an encrypting handle.
 */
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type * as NodeTls from 'node:tls';
import { coded, unsupported } from '../errors.ts';
import { connResetException } from '../errno.ts';
import type { SocketState } from '../net/socket-state.ts';
import { define } from '../define.ts';
import { TlsHandle } from './handle.ts';
import { settingsOf } from './settings.ts';
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
  _isServer: boolean;
}

export type TlsState = TlsFields & SocketState;

/** rustls's reasons → Node's codes and words. */
const REASONS: readonly (readonly [RegExp, string, string])[] = [
  [/UnknownIssuer/, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  [/CaUsedAsEndEntity/, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  [/InvalidCertificate\(Expired/, 'CERT_HAS_EXPIRED', 'certificate has expired'],
  [/InvalidCertificate\(NotValidYet/, 'CERT_NOT_YET_VALID', 'certificate is not yet valid'],
  [/NotValidForName/, 'ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
  [/NoApplicationProtocol/, 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'no application protocol'],
  [/InvalidContentType|CorruptMessage|InvalidMessage/, 'EPROTO', 'wrong version number'],
];

function failureOf(text: string): Error {
  const found = REASONS.find(([pattern]) => pattern.test(text));
  const message = text.slice(text.indexOf('|') + 1);
  return Object.assign(new Error(found?.[2] ?? message), { code: found?.[1] ?? 'EPROTO', reason: message });
}

function TLSSocket(this: TlsState, given: unknown, options: Options = {}): void {
  const lower = (given ?? new net.Socket()) as Duplex & SocketState;
  const isServer = options['isServer'] === true;
  const handle = new TlsHandle(lower, isServer, settingsOf(options, isServer), {
    secured: () => secured(this),
    failed: (error) => failed(this, error),
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
  lower.once('close', () => closed(this));
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
function begin(socket: TlsState): void {
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
  const error = failureOf(text);
  if (socket._isServer && !socket._secureEstablished) socket.emit('_tlsError', error);
  else socket.destroy(error);
}

function secured(socket: TlsState): void {
  const { alpn, servername } = socket.ssl.connection.state();
  socket._secureEstablished = true;
  socket.secureConnecting = false;
  socket.alpnProtocol = alpn ?? false;
  socket.servername = socket._isServer ? (servername ?? false) : ((socket._tlsOptions['servername'] as string | undefined) ?? null);
  socket.emit('secure');
  if (socket._isServer) {
    socket.authorized = socket._tlsOptions['requestCert'] === true && peerCertificates(socket).length > 0;
    return;
  }
  const identity = identityError(socket);
  socket.authorized = socket._tlsOptions['rejectUnauthorized'] !== false && identity === undefined;
  if (identity !== undefined && socket._tlsOptions['rejectUnauthorized'] !== false) {
    socket.destroy(identity);
    return;
  }
  if (!socket.authorized) socket.authorizationError = identity ?? 'CERT_NOT_VERIFIED';
  socket.emit('secureConnect');
  socket.ssl.flush();
}

/** What an application's own `checkServerIdentity` says; the names of the certificate are checked before. */
function identityError(socket: TlsState): Error | undefined {
  const check = socket._tlsOptions['checkServerIdentity'];
  if (typeof check !== 'function') return undefined;
  const host = (socket._tlsOptions['servername'] || socket._tlsOptions['host'] || 'localhost') as string;
  try {
    return (check as (host: string, certificate: object) => Error | undefined)(host, certificateOf(socket));
  } catch (error) {
    return error as Error;
  }
}

const peerCertificates = (socket: TlsState): readonly ArrayBuffer[] => socket.ssl.connection.state(true).certificates ?? [];

/** What would have to be read from a certificate's bytes. */
const CERTIFICATE_FIELDS = [
  'subject',
  'issuer',
  'subjectaltname',
  'infoAccess',
  'valid_from',
  'valid_to',
  'fingerprint',
  'fingerprint256',
  'fingerprint512',
  'serialNumber',
  'pubkey',
  'issuerCertificate',
];

function unread(name: string): never {
  throw unsupported(`the field ${name} of a peer's certificate`, 'read it from the field raw with a library for X.509');
}

/** The peer's certificate as bytes; its other fields say that they are not read. */
function certificateOf(socket: TlsState): object {
  const [first] = peerCertificates(socket);
  if (first === undefined) return {};
  const raw = Buffer.from(first);
  const certificate = { raw };
  for (const name of CERTIFICATE_FIELDS) Object.defineProperty(certificate, name, { get: () => unread(name), enumerable: false });
  return certificate;
}

const members = {
  getProtocol(this: TlsState): string | null {
    return this.ssl.connection.state().version?.replace('_', '.').replace('TLSv1.', 'TLSv1.') ?? null;
  },
  getCipher(this: TlsState): object {
    const { cipher, version } = this.ssl.connection.state();
    const name = cipher?.replace(/^TLS13_/, 'TLS_');
    return { name, standardName: name, version: version?.replace('_', '.') };
  },
  getPeerCertificate(this: TlsState): object {
    return certificateOf(this);
  },
  isSessionReused: (): boolean => false,
  getSession: (): undefined => undefined,
  setSession(): never {
    throw unsupported('socket.setSession()', 'leave it out: every connection makes a full handshake');
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
