/**
 * `signJwt()`: a token for `jwt()` here or elsewhere. It always has an end.
 */
import { jose } from '../../lazy.ts';
import { type Check, checkOptions, type Checks, isCount, isListOf, shown } from '../../checked-options.ts';
import type { JwtClaims, SignJwtOptions } from './jwt-types.ts';
import { ALGORITHM, checkAlgorithms, KEY, SECRET_TEXT, toKey } from './keys.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const TEXT: Check = [isText, 'a text'];

const CHECKS: Checks<SignJwtOptions> = {
  algorithm: ALGORITHM,
  secret: SECRET_TEXT,
  key: KEY,
  expiresIn: [(value) => isCount(1, value), 'a number of seconds, at least 1'],
  keyId: TEXT,
  issuer: TEXT,
  audience: [(value) => isText(value) || (isListOf(isText, value) && value.length > 0), 'a text or a list of them'],
  subject: TEXT,
};

/** @throws TypeError for options and claims that are wrong */
export async function signJwt(claims: JwtClaims, options: SignJwtOptions): Promise<string> {
  checkOptions('signJwt', options, CHECKS);
  const { algorithm, secret, key, expiresIn, keyId, issuer, audience, subject } = options;
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    throw new TypeError(`signJwt() takes an object of claims, and this is ${shown(claims)}.`);
  if (algorithm === undefined || expiresIn === undefined) throw new TypeError('signJwt() needs algorithm and expiresIn, in seconds.');
  if ((secret === undefined) === (key === undefined)) throw new TypeError('signJwt() needs one of secret and key, the private one.');
  checkAlgorithms('signJwt', [algorithm], secret);
  const { SignJWT } = jose();
  const nowS = Math.floor(Date.now() / 1000);
  const token = new SignJWT({ ...claims, ...(audience === undefined ? {} : { aud: [audience].flat() }) } as Record<string, unknown>)
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) })
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + expiresIn);
  if (issuer !== undefined) token.setIssuer(issuer);
  if (subject !== undefined) token.setSubject(subject);
  return token.sign(key === undefined ? new TextEncoder().encode(secret) : await toKey(key, algorithm, 'private'));
}
