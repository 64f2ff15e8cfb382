/**
 * Options of `node:tls` as the host's settings. What rustls has no counterpart for is refused.
 */
import ops from 'fulmar:ops';
import type { TlsSettings } from 'fulmar:ops';
import { openssl } from '../crypto/errors.ts';
import { coded, invalidArgType, invalidArgValue, unsupported } from '../shared/errors.ts';
import { bytesInView, validateBuffer, validateInt32 } from '../shared/validators.ts';
import { fromBuffer } from './sessions.ts';

export type Options = Record<string, unknown>;

/** Cipher suites, as OpenSSL calls them. */
export const CIPHERS = [
  'tls_aes_256_gcm_sha384',
  'tls_aes_128_gcm_sha256',
  'tls_chacha20_poly1305_sha256',
  'ecdhe-ecdsa-aes256-gcm-sha384',
  'ecdhe-ecdsa-aes128-gcm-sha256',
  'ecdhe-ecdsa-chacha20-poly1305',
  'ecdhe-rsa-aes256-gcm-sha384',
  'ecdhe-rsa-aes128-gcm-sha256',
  'ecdhe-rsa-chacha20-poly1305',
] as const;
export const DEFAULT_CIPHERS = CIPHERS.map((name) => name.toUpperCase()).join(':');

const VERSIONS: ReadonlySet<unknown> = new Set(['TLSv1.2', 'TLSv1.3']);
/** Options that would be ignored silently otherwise, and what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  pfx: 'give cert and key as PEM',
  crl: 'leave it out',
  dhparam: 'leave it out: key exchange is ECDHE',
  pskCallback: 'use certificates',
  pskIdentityHint: 'use certificates',
  passphrase: 'give the key unencrypted',
  sigalgs: 'leave it out: TLS libraries agree on a safe one',
  secureProtocol: 'use minVersion and maxVersion',
  secureOptions: 'use minVersion and maxVersion',
  requestOCSP: 'leave it out',
  enableTrace: 'leave it out, and record the connection with a network tool',
  clientCertEngine: 'give cert and key as PEM',
  privateKeyEngine: 'give the key as PEM',
  privateKeyIdentifier: 'give the key as PEM',
  allowPartialTrustChain: "give the chain's root with ca",
  certificateCompression: 'leave it out',
};
const CIPHERS_INSTEAD = 'leave it out: only suites with forward secrecy and authenticated encryption are offered; minVersion narrows them';
const CURVES_INSTEAD = "leave it out, or give 'auto': X25519, P-256 and P-384 are offered";

const refused = (name: string, instead: string): Error => unsupported(`the TLS option ${name}`, instead);

/** Throws for options that have no counterpart here. Those that switch something off are fine. */
function refuseOptions(options: Options): void {
  for (const [name, instead] of Object.entries(REFUSED)) {
    const value = options[name];
    if (value !== undefined && value !== null && value !== false && value !== 0) throw refused(name, instead);
  }
  const { ciphers, ecdhCurve, honorCipherOrder } = options;
  if (typeof ciphers === 'string' ? ciphers !== DEFAULT_CIPHERS : Boolean(ciphers)) throw refused('ciphers', CIPHERS_INSTEAD);
  if (ecdhCurve !== undefined && ecdhCurve !== null && ecdhCurve !== 'auto') throw refused('ecdhCurve', CURVES_INSTEAD);
  if (honorCipherOrder === false)
    throw refused('honorCipherOrder: false', 'leave it out: the server chooses among suites that are all safe');
}

export class SecureContext {
  readonly context: Options;

  constructor(options: Options) {
    this.context = options;
  }
}

function pem(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const parts = (Array.isArray(value) ? value : [value]) as unknown[];
  return parts.map((part) => pemOf(part, name)).join('\n');
}

function pemOf(part: unknown, name: string): string {
  if (typeof part === 'string') return part;
  if (part instanceof Uint8Array) return Buffer.from(part).toString('latin1');
  const inner = (part as { pem?: unknown } | null)?.pem;
  if (inner !== undefined) return pemOf(inner, name);
  throw invalidArgType(`options.${name}`, ['string', 'Buffer', 'TypedArray', 'DataView'], part);
}

export function createSecureContext(given?: unknown): SecureContext {
  const options = { ...(given as Options | undefined) };
  refuseOptions(options);
  for (const name of ['minVersion', 'maxVersion'] as const) {
    const version = options[name];
    if (version === undefined || version === null) continue;
    if (version === 'TLSv1' || version === 'TLSv1.1') options[name] = name === 'minVersion' ? 'TLSv1.2' : version;
    if (!VERSIONS.has(options[name])) {
      throw coded(
        TypeError,
        'ERR_TLS_INVALID_PROTOCOL_VERSION',
        `${JSON.stringify(version)} is not a valid ${name.slice(0, 3)}imum TLS protocol version`,
      );
    }
  }
  for (const name of ['cert', 'key']) options[name] = pem(options[name], name);
  checkTickets(options);
  // An empty list trusts nobody; what is nothing at all, those built in.
  options['ca'] = options['ca'] ? pem(options['ca'], 'ca') : undefined;
  if (options['cert'] && options['key']) checkIdentity(options);
  return new SecureContext(options);
}

/** Bytes of a server's ticket keys. */
const TICKET_KEYS_BYTES = 48;

function checkTickets({ ticketKeys, sessionTimeout }: Options): void {
  if (ticketKeys !== undefined && ticketKeys !== null) {
    validateBuffer(ticketKeys, 'options.ticketKeys');
    const { byteLength } = ticketKeys;
    if (byteLength !== TICKET_KEYS_BYTES) throw invalidArgValue('options.ticketKeys', byteLength, 'must be exactly 48 bytes');
  }
  if (sessionTimeout === undefined || sessionTimeout === null) return;
  validateInt32(sessionTimeout, 'options.sessionTimeout', 0);
}

/**
 * What a server's sessions are written down with. Made when they are asked for: most contexts are clients'.
 */
export function ticketKeysOf({ context }: SecureContext): Buffer {
  const given = context['ticketKeys'] as ArrayBufferView | null | undefined;
  if (given) return Buffer.from(bytesInView(given));
  const made = Buffer.alloc(TICKET_KEYS_BYTES);
  ops.randomFill(made, 0, TICKET_KEYS_BYTES);
  context['ticketKeys'] = Buffer.from(made);
  return made;
}

/** Throws when the key is not the certificate's, or either is none. */
function checkIdentity({ cert, key }: Options): void {
  try {
    ops.tlsConnection(true, { cert: cert as string, key: key as string });
  } catch (error) {
    const { message } = error as Error;
    if (message === 'cert: no start line') throw openssl('0480006C', 'PEM routines', 'no start line', 'ERR_OSSL_PEM_NO_START_LINE');
    if (message.startsWith('key: ')) throw openssl('1E08010C', 'DECODER routines', 'unsupported', 'ERR_OSSL_UNSUPPORTED');
    if (message !== 'key values mismatch') throw error;
    const made = coded(Error, 'ERR_OSSL_X509_KEY_VALUES_MISMATCH', 'error:05800074:x509 certificate routines::key values mismatch');
    throw Object.assign(made, { library: 'x509 certificate routines', reason: 'key values mismatch' });
  }
}

/** `['h2', 'http/1.1']`, or the same with lengths as bytes. */
function protocols(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map(String);
  const bytes = Buffer.from(value as Uint8Array);
  const list: string[] = [];
  for (let at = 0; at < bytes.length; at += 1 + (bytes[at] as number))
    list.push(bytes.toString('latin1', at + 1, at + 1 + (bytes[at] as number)));
  return list;
}

export function settingsOf(options: Options, isServer: boolean): TlsSettings {
  refuseOptions(options);
  const { context } = contextOf(options);
  const text = (name: string): string | undefined => (context[name] as string | undefined) ?? undefined;
  return {
    cert: text('cert'),
    key: text('key'),
    ca: text('ca'),
    minVersion: text('minVersion'),
    maxVersion: text('maxVersion'),
    alpn: protocols(options['ALPNProtocols']),
    verify: options['rejectUnauthorized'] !== false,
    requestCert: isServer && options['requestCert'] === true,
    servername: (options['servername'] || undefined) as string | undefined,
    ...(isServer ? tickets(options) : { session: fromBuffer(options['session']) }),
  };
}

/** As in OpenSSL, of the server itself, not of the context that `SNICallback` chose. */
function tickets(options: Options): Pick<TlsSettings, 'ticketKeys' | 'sessionTimeout'> {
  const own = (options['ticketContext'] as SecureContext | undefined) ?? contextOf(options);
  const timeout = own.context['sessionTimeout'] as number | null | undefined;
  return { ticketKeys: ticketKeysOf(own), sessionTimeout: timeout || undefined };
}

export function contextOf(options: Options): SecureContext {
  const given = options['secureContext'];
  return given instanceof SecureContext ? given : createSecureContext(options);
}
