/** What `jwt()` and `signJwt()` are given and give. */
import type { Middleware } from '../../chain.ts';
import type { StandardSchemaV1 } from '../../standard-schema.ts';
import type { OfContext } from '../session/session-types.ts';

export type JwtAlgorithm =
  | 'HS256'
  | 'HS384'
  | 'HS512'
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA';

/** The registered claims (RFC 7519, 4.1), and any other. */
export interface JwtClaims {
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: string | readonly string[];
  readonly exp?: number;
  readonly nbf?: number;
  readonly iat?: number;
  readonly jti?: string;
  readonly [claim: string]: unknown;
}

/** A `CryptoKey`, whose type not every version of `@types/node` has. */
export interface WebKey {
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: object;
  readonly usages: readonly string[];
}

/** A key: PEM, a JWK or a `CryptoKey`. */
export type JwtKey = string | Readonly<Record<string, unknown>> | WebKey;

export interface JwtOptions {
  /** Those that are accepted. What a token itself says is never enough. */
  readonly algorithms: readonly JwtAlgorithm[];
  /** For `HS…`: a text that both sides know, of as many bytes as the algorithm's hash. */
  readonly secret?: string;
  /** The public key of whoever signs: PEM (SPKI), a JWK or a `CryptoKey`. */
  readonly key?: JwtKey;
  /** Where the public keys of whoever signs are: the address of a JWK set. */
  readonly jwks?: string | URL;
  /** Keys of `jwks` are asked for again after so long. Default: 10 minutes. */
  readonly jwksMaxAgeMs?: number;
  /** For a key that is not known `jwks` is asked again, at most so often. Default: 30 s. */
  readonly jwksCooldownMs?: number;
  readonly issuer?: string | readonly string[];
  readonly audience?: string | readonly string[];
  /** Seconds by which clocks may differ. Default: 0. */
  readonly clockTolerance?: number;
  /** Claims that a token must have. Default: `exp`. */
  readonly requiredClaims?: readonly string[];
  /** Of what a token must allow (`scope`, RFC 8693); without them 403. */
  readonly scopes?: readonly string[];
  /** A cookie that may have the token where no `Authorization` does. Then `csrf()` is needed, too. */
  readonly cookie?: string;
  /** Of the claims: they are what it makes of them. */
  readonly schema?: StandardSchemaV1;
  /** Told to whoever is asked for a token. Default: `Protected`. */
  readonly realm?: string;
}

export interface JwtMiddleware<Claims> extends Middleware {
  /** The claims of the request's token. */
  of(c: OfContext): Claims;
}

export interface SignJwtOptions {
  readonly algorithm: JwtAlgorithm;
  readonly secret?: string;
  /** The private key: PEM (PKCS 8), a JWK or a `CryptoKey`. */
  readonly key?: JwtKey;
  /** Seconds until it is over. */
  readonly expiresIn: number;
  /** `kid`: which of several keys it is. */
  readonly keyId?: string;
  readonly issuer?: string;
  readonly audience?: string | readonly string[];
  readonly subject?: string;
}
