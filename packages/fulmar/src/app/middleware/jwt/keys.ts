/**
 * Keys of tokens, and which algorithms go with them: a secret is never taken for a public key, nor the other
 * way round.
 */
import type { JWTHeaderParameters } from 'jose';
import { jose } from '../../lazy.ts';
import { type Check, isListOf } from '../../checked-options.ts';
import type { JwtAlgorithm, JwtKey, JwtOptions, WebKey } from './jwt-types.ts';

/** Bytes that a secret has at least: those of the hash (RFC 7518, 3.2). */
const SECRET_BYTES: Readonly<Partial<Record<JwtAlgorithm, number>>> = { HS256: 32, HS384: 48, HS512: 64 };
const ALGORITHMS = 'HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA'.split(' ');

const isAlgorithm = (value: unknown): boolean => typeof value === 'string' && ALGORITHMS.includes(value);
export const ALGORITHM: Check = [isAlgorithm, `one of ${ALGORITHMS.join(', ')}`];
export const ALGORITHM_LIST: Check = [
  (value) => isListOf(isAlgorithm, value) && value.length > 0,
  `a list of some of ${ALGORITHMS.join(', ')}`,
];

export const SECRET_TEXT: Check = [(value) => typeof value === 'string' && value !== '', 'a text that is not empty', 'secret'];
export const KEY: Check = [
  (value) =>
    (typeof value === 'string' && value.includes('-----BEGIN ')) ||
    (typeof value === 'object' && value !== null && ('kty' in value || isCryptoKey(value))),
  'PEM, a JWK or a CryptoKey',
  'secret',
];

type Jose = ReturnType<typeof jose>;
/** The key that a token is to be verified with; `jose` asks for it by the token's header. */
export type KeyFinder = (header: { readonly alg?: string; readonly kid?: string }) => Promise<CryptoKey | Uint8Array>;

const encoder = new TextEncoder();

/** @throws TypeError for algorithms that do not go with the key, and for a secret that is too short */
export function checkAlgorithms(factory: string, algorithms: readonly JwtAlgorithm[], secret: string | undefined): void {
  for (const algorithm of algorithms) {
    const bytes = SECRET_BYTES[algorithm];
    if ((bytes !== undefined) !== (secret !== undefined))
      throw new TypeError(
        `${factory}(): ${algorithm} goes with ${bytes === undefined ? 'a key' : 'a secret'}, and that is not what is given.`,
      );
    if (bytes !== undefined && encoder.encode(secret).byteLength < bytes)
      throw new TypeError(
        `${factory}(): a secret for ${algorithm} has ${bytes} bytes at least, as 'openssl rand -base64 ${bytes}' makes them.`,
      );
  }
}

/** Of `jwt()`: made with the first token. */
export function finderOf(options: JwtOptions): KeyFinder {
  const { secret, key, jwks, jwksMaxAgeMs, jwksCooldownMs } = options;
  if (secret !== undefined) {
    const bytes = encoder.encode(secret);
    return () => Promise.resolve(bytes);
  }
  if (key !== undefined) {
    const imported = new Map<string, Promise<CryptoKey | Uint8Array>>();
    return ({ alg = '' }) => {
      // `alg` is one of those that are accepted: `jose` has looked at it.
      const known = imported.get(alg) ?? toKey(key, alg as JwtAlgorithm, 'public');
      imported.set(alg, known);
      return known;
    };
  }
  let set: ReturnType<Jose['createRemoteJWKSet']> | null = null;
  return (header) => {
    set ??= jose().createRemoteJWKSet(new URL(jwks as string | URL), {
      ...(jwksMaxAgeMs === undefined ? {} : { cacheMaxAge: jwksMaxAgeMs }),
      ...(jwksCooldownMs === undefined ? {} : { cooldownDuration: jwksCooldownMs }),
    });
    return set(header as JWTHeaderParameters);
  };
}

/** @throws TypeError for what is no key of that algorithm */
export async function toKey(key: JwtKey, algorithm: JwtAlgorithm, which: 'public' | 'private'): Promise<CryptoKey | Uint8Array> {
  if (typeof key === 'string') {
    const { importPKCS8, importSPKI } = jose();
    return which === 'public' ? importSPKI(key, algorithm) : importPKCS8(key, algorithm);
  }
  return isCryptoKey(key) ? key : jose().importJWK(key as Parameters<Jose['importJWK']>[0], algorithm);
}

function isCryptoKey(value: object): value is CryptoKey & WebKey {
  return 'algorithm' in value && 'usages' in value && 'type' in value;
}
