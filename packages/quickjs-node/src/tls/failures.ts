/**
 * What rustls says went wrong, with Node's codes and OpenSSL's words.
 */

/** Why a certificate is not trusted: OpenSSL's names and words. */
const REFUSALS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not yet valid',
  CERT_REJECTED: 'certificate rejected',
  CERT_SIGNATURE_FAILURE: 'certificate signature failure',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  EXCLUDED_VIOLATION: 'excluded subtree violation',
  INVALID_CA: 'invalid CA certificate',
  INVALID_PURPOSE: 'unsuitable certificate purpose',
  KEYUSAGE_NO_CERTSIGN: 'key usage does not include certificate signing',
  PATH_LENGTH_EXCEEDED: 'path length constraint exceeded',
  PERMITTED_VIOLATION: 'permitted subtree violation',
  SELF_SIGNED_CERT_IN_CHAIN: 'self-signed certificate in certificate chain',
  UNABLE_TO_GET_ISSUER_CERT: 'unable to get issuer certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unable to get local issuer certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unable to verify the first certificate',
  UNHANDLED_CRITICAL_EXTENSION: 'unhandled critical extension',
};

/** What Node has no code for. */
const UNSPECIFIED: ReadonlySet<string> = new Set([
  'EXCLUDED_VIOLATION',
  'KEYUSAGE_NO_CERTSIGN',
  'PERMITTED_VIOLATION',
  'UNHANDLED_CRITICAL_EXTENSION',
]);

export function refusalCode(name: string): string {
  return UNSPECIFIED.has(name) ? 'UNSPECIFIED' : name;
}

export function refusalError(name: string): Error {
  return Object.assign(new Error(REFUSALS[name] ?? name), { code: refusalCode(name) });
}

/** Alerts of the peer, as OpenSSL calls them. */
const ALERTS: Readonly<Record<string, string>> = {
  HandshakeFailure: 'ssl/tls alert handshake failure',
  BadCertificate: 'ssl/tls alert bad certificate',
  UnsupportedCertificate: 'ssl/tls alert unsupported certificate',
  CertificateRevoked: 'ssl/tls alert certificate revoked',
  CertificateExpired: 'ssl/tls alert certificate expired',
  CertificateUnknown: 'ssl/tls alert certificate unknown',
  IllegalParameter: 'ssl/tls alert illegal parameter',
  UnknownCA: 'tlsv1 alert unknown ca',
  AccessDenied: 'tlsv1 alert access denied',
  DecodeError: 'tlsv1 alert decode error',
  DecryptError: 'tlsv1 alert decrypt error',
  ProtocolVersion: 'tlsv1 alert protocol version',
  InsufficientSecurity: 'tlsv1 alert insufficient security',
  InternalError: 'tlsv1 alert internal error',
  UnrecognisedName: 'tlsv1 unrecognized name',
  CertificateRequired: 'tlsv13 alert certificate required',
  NoApplicationProtocol: 'tlsv1 alert no application protocol',
};

/** What is wrong with the peer → OpenSSL's reason. The first that fits counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^HttpsProxyRequest/, 'https proxy request'],
  [/^HttpRequest/, 'http request'],
  [/^NoCertificatesPresented/, 'peer did not return a certificate'],
  [/^NoApplicationProtocol/, 'no application protocol'],
  [/^PeerIncompatible\(.*(?:Version|Tls1[23]|SupportedVersions)/, 'unsupported protocol'],
  [/^PeerIncompatible\(.*CipherSuites/, 'no shared cipher'],
  [/^General\("no server certificate chain resolved"/, 'no suitable signature algorithm'],
  [/^(?:InvalidMessage|CorruptMessage)/, 'wrong version number'],
  [/^DecryptError/, 'decryption failed or bad record mac'],
  [/^InvalidCertificate\(BadSignature/, 'bad signature'],
];

const codeOf = (reason: string): string => `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;

/** `text`: rustls's error for programs and, behind a bar, for people. */
export function failureOf(text: string, isWritten: boolean): Error {
  const bar = text.indexOf('|');
  const alert = /^AlertReceived\((\w+)\)/.exec(text)?.[1];
  const known = alert === undefined ? REASONS.find(([pattern]) => pattern.test(text))?.[1] : ALERTS[alert];
  const reason = known ?? text.slice(bar + 1);
  // A client's handshake fails in the write that waits for it; without one, and of a server, and later, by
  // itself.
  if (isWritten) {
    return Object.assign(new Error(`write EPROTO ${reason}`), { errno: -71, code: 'EPROTO', syscall: 'write', reason });
  }
  return Object.assign(new Error(reason), { library: 'SSL routines', reason, code: known === undefined ? 'EPROTO' : codeOf(reason) });
}
