/**
 * `node:tls` by rustls: TLS 1.2 and 1.3 with certificates and keys in PEM.
 */
import net from 'node:net';
import type * as NodeTls from 'node:tls';
import { unsupported } from '../shared/errors.ts';
import { isUnauthorizedAllowed } from './environment.ts';
import { checkServerIdentity } from './identity.ts';
import { CIPHERS, createSecureContext, DEFAULT_CIPHERS, SecureContext } from './settings.ts';
import type { Options } from './settings.ts';
import { validateFunction } from '../shared/validators.ts';
import { ServerClass } from './server.ts';
import { begin, TLSSocketClass, type TlsState } from './socket.ts';

/** What was opened for a connection that does not come about would stay open, and nobody could close it. */
function secured(lower: net.Socket, options: Options): NodeTls.TLSSocket {
  try {
    return new TLSSocketClass(lower, options as NodeTls.TLSSocketOptions);
  } catch (error) {
    if (options['socket'] === undefined) lower.destroy();
    throw error;
  }
}

function connect(...args: unknown[]): NodeTls.TLSSocket {
  const normalize = (net as unknown as { _normalizeArgs(args: unknown[]): [Options, (() => void) | null] })._normalizeArgs;
  const [first, callback] = normalize(args);
  const more = args.find((arg, index) => index > 0 && typeof arg === 'object' && arg !== null);
  const options: Options = {
    rejectUnauthorized: !isUnauthorizedAllowed(),
    checkServerIdentity: api.checkServerIdentity,
    ...first,
    ...(more as Options | undefined),
  };
  validateFunction(options['checkServerIdentity'], 'options.checkServerIdentity');
  const host = (options['host'] ?? 'localhost') as string;
  options['servername'] ||= net.isIP(host) ? undefined : host;
  options['host'] = host;
  // What is wrong with them is told before anything is opened.
  options['secureContext'] ??= createSecureContext(options);
  const lower = options['socket'] ?? net.connect(options as unknown as NodeTls.ConnectionOptions & { port: number });
  const socket = secured(lower as net.Socket, options);
  if (!(lower instanceof net.Socket)) begin(socket as unknown as TlsState);
  if (options['timeout']) socket.setTimeout(options['timeout'] as number);
  if (callback !== null) socket.once('secureConnect', callback);
  return socket;
}

function convertALPNProtocols(protocols: unknown, out: { ALPNProtocols?: Buffer }): void {
  if (Array.isArray(protocols)) {
    out.ALPNProtocols = Buffer.concat(
      (protocols as string[]).map((name) => Buffer.concat([Buffer.from([name.length]), Buffer.from(name)])),
    );
  } else if (protocols instanceof Uint8Array) out.ALPNProtocols = Buffer.from(protocols);
}

const refused = (what: string, instead: string) => (): never => {
  throw unsupported(what, instead);
};

const api = {
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
  DEFAULT_CIPHERS,
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION: 'TLSv1.2',
  DEFAULT_MAX_VERSION: 'TLSv1.3',
  getCiphers: (): string[] => [...CIPHERS],
  getCACertificates: refused('tls.getCACertificates()', 'the authorities are built in; give your own with the option ca'),
  setDefaultCACertificates: refused('tls.setDefaultCACertificates()', 'give authorities with the option ca'),
  convertALPNProtocols,
  checkServerIdentity,
  createSecureContext,
  SecureContext,
  TLSSocket: TLSSocketClass,
  Server: ServerClass,
  createServer: (options?: unknown, listener?: unknown): NodeTls.Server =>
    new ServerClass(options as NodeTls.TlsOptions, listener as never),
  connect,
};

/**
 * The authorities are built in as keys and names only; not enumerable, so that copying the module's members
 * does not throw.
 */
Object.defineProperty(api, 'rootCertificates', {
  get: refused('tls.rootCertificates', 'leave ca out to trust the authorities built in, or read a bundle of PEM from a file'),
  enumerable: false,
  configurable: true,
});

export default api;
