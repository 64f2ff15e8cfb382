/**
 * JSON Web Keys (RFC 7517, RFC 8037).
 */
import type { KeyState } from './more-ops.ts';
import { coded, invalidArgValue } from '../shared/errors.ts';
import { keyOps } from './key-ops.ts';
import { validateOneOf, validateString } from '../shared/validators.ts';

const CURVE_NAMES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };
const RSA_PARTS = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const;

/** The name that the web's standards have for a curve of OpenSSL's. */
export function webCurve(name: string): string {
  return CURVE_NAMES[name] ?? name;
}

export function toJwk(key: KeyState): Record<string, string> {
  const info = keyOps().keyInfo(key);
  const parts = keyOps()
    .keyParts(key)
    .map((part) => Buffer.from(part).toString('base64url'));
  const named = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(parts.map((part, at) => [names[at] as string, part]));
  switch (info.kind) {
    case 'rsa':
      return { kty: 'RSA', ...named(RSA_PARTS) };
    case 'ec': {
      const { x, y, ...rest } = named(['x', 'y', 'd']);
      return { kty: 'EC', x: x as string, y: y as string, crv: webCurve(info.curve), ...rest };
    }
    case 'ed25519':
    case 'x25519': {
      const [x = '', d] = parts;
      return { crv: info.kind === 'ed25519' ? 'Ed25519' : 'X25519', ...(d === undefined ? {} : { d }), x, kty: 'OKP' };
    }
    default:
      throw coded(Error, 'ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE', 'Unsupported JWK Key Type.');
  }
}

export function fromJwk(jwk: Record<string, unknown>, secret: boolean): KeyState {
  validateOneOf(jwk['kty'], 'key.kty', ['RSA', 'EC', 'OKP']);
  const part = (name: string): Buffer => {
    const value = jwk[name];
    validateString(value, `key.${name}`);
    return Buffer.from(value, 'base64url');
  };
  switch (jwk['kty']) {
    case 'RSA': {
      if (secret && jwk['d'] === undefined) throw coded(TypeError, 'ERR_CRYPTO_INVALID_JWK', 'JWK does not contain private key material');
      const names = jwk['d'] === undefined ? (['n', 'e'] as const) : RSA_PARTS;
      if (names.some((name) => typeof jwk[name] !== 'string')) throw coded(TypeError, 'ERR_CRYPTO_INVALID_JWK', 'Invalid JWK RSA key');
      return made('rsa', names.map(part), secret, 'Invalid JWK RSA key');
    }
    case 'EC': {
      validateOneOf(jwk['crv'], 'key.crv', ['P-256', 'secp256k1', 'P-384', 'P-521']);
      const parts = [part('x'), part('y'), ...(secret ? [part('d')] : [])];
      return made(jwk['crv'] as string, parts, secret, 'Invalid JWK EC key');
    }
    default: {
      validateOneOf(jwk['crv'], 'key.crv', ['Ed25519', 'Ed448', 'X25519', 'X448']);
      const crv = jwk['crv'] as string;
      if (crv.endsWith('448')) throw invalidArgValue('key.crv', crv, 'is not available in the native runtime');
      const parts = [part('x'), ...(secret ? [part('d')] : [])];
      return made(crv.toLowerCase(), parts, secret, 'Invalid JWK OKP key');
    }
  }
}

function made(kind: string, parts: readonly Buffer[], secret: boolean, message: string): KeyState {
  const state = keyOps().keyOfParts(kind, parts);
  if (state === null) throw coded(TypeError, 'ERR_CRYPTO_INVALID_JWK', message);
  return secret ? state : keyOps().keyPublic(state);
}
