/**
 * `jwt()`: a signed token with every request (RFC 7519, RFC 6750), by `jose`. Without a right one 401, and the
 * handler is not reached. Never believes a token about its algorithm.
 */
import type { Next } from '../../chain.ts';
import type { AnyContext } from '../../context.ts';
import { parseCookies } from '../../cookies.ts';
import { HttpError } from '../../http-error.ts';
import { jose } from '../../lazy.ts';
import { type InferOutput, isSchema, type StandardSchemaV1 } from '../../standard-schema.ts';
import { COOKIE_NAME } from '../cookie-options.ts';
import { credentialsOf, quoted, REALM } from '../credentials.ts';
import { named } from '../named.ts';
import { type Check, checkOptions, type Checks, isCount, isListOf } from '../../checked-options.ts';
import type { OfContext } from '../session/session-types.ts';
import type { JwtClaims, JwtMiddleware, JwtOptions } from './jwt-types.ts';
import { ALGORITHM_LIST, checkAlgorithms, finderOf, KEY, type KeyFinder, SECRET_TEXT } from './keys.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const TEXTS: Check = [(value) => isText(value) || (isListOf(isText, value) && value.length > 0), 'a text or a list of them'];
const MS: Check = [(value) => isCount(0, value), 'a number of milliseconds'];

const CHECKS: Checks<JwtOptions> = {
  algorithms: ALGORITHM_LIST,
  secret: SECRET_TEXT,
  key: KEY,
  jwks: [isAddress, 'the address of a JWK set, with https (http on localhost)'],
  jwksMaxAgeMs: MS,
  jwksCooldownMs: MS,
  issuer: TEXTS,
  audience: TEXTS,
  clockTolerance: [(value) => isCount(0, value), 'a number of seconds'],
  requiredClaims: [(value) => isListOf(isText, value), 'a list of names of claims'],
  scopes: [(value) => isListOf((one) => typeof one === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(one), value), 'a list of scopes'],
  cookie: COOKIE_NAME,
  schema: [isSchema, 'a schema (Standard Schema)'],
  realm: REALM,
};

/** Keys that come over an open line are anybody's. */
function isAddress(value: unknown): boolean {
  if (!URL.canParse(String(value))) return false;
  const { protocol, hostname } = new URL(String(value));
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

/** Nobody has a longer one, and whoever has is not listened to. */
const TOKEN_LENGTH_MAX = 16_384;
/** A compact JWS: three parts of base64url. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The claims are what the schema makes of them. @throws TypeError for options that are wrong */
export function jwt<Schema extends StandardSchemaV1>(options: JwtOptions & { readonly schema: Schema }): JwtMiddleware<InferOutput<Schema>>;
export function jwt<Claims = unknown>(options: JwtOptions): JwtMiddleware<Claims & JwtClaims>;
export function jwt<Claims>(options: JwtOptions): JwtMiddleware<Claims> {
  checkOptions('jwt', options, CHECKS);
  const { algorithms, secret, key, jwks, realm = 'Protected' } = options;
  if ([secret, key, jwks].filter((given) => given !== undefined).length !== 1)
    throw new TypeError('jwt() needs one of secret, key and jwks, the address of a JWK set.');
  if (algorithms === undefined) throw new TypeError("jwt() needs algorithms, a list of those that are accepted, such as ['RS256'].");
  checkAlgorithms('jwt', algorithms, secret);
  const challenge = `Bearer realm=${quoted(realm)}`;
  const find = finderOf(options);
  const claimsOf = new WeakMap<object, Claims>();
  const around = async (c: AnyContext, next: Next): Promise<unknown> => {
    const token = credentialsOf(c, 'bearer') ?? cookieOf(c, options.cookie);
    // Who has shown no token is told of no error (RFC 6750, 3.1).
    if (token === undefined) throw refused(401, challenge);
    const claims = (await claimsIn(token, find, options, challenge)) as Claims;
    claimsOf.set(c, claims);
    c.state['claims'] = claims;
    return next();
  };
  const of = (c: OfContext): Claims => {
    if (!claimsOf.has(c))
      throw new Error('This request has no token: app.use() what jwt() returned before the route, and give of() its c.');
    return claimsOf.get(c) as Claims;
  };
  return Object.assign(named('jwt', around, { jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }), { of });
}

function cookieOf(c: AnyContext, name: string | undefined): string | undefined {
  return name === undefined || c.header('authorization') !== undefined ? undefined : parseCookies(c.exchange.header('cookie'))[name];
}

async function claimsIn(token: string, find: KeyFinder, options: JwtOptions, challenge: string): Promise<unknown> {
  const claims = await verified(token, find, options, challenge);
  const { scopes = [], schema } = options;
  const granted = scopesOf(claims);
  if (!scopes.every((scope) => granted.includes(scope)))
    throw refused(403, `${challenge}, error="insufficient_scope", scope="${scopes.join(' ')}"`, 'The token does not allow that.');
  if (schema === undefined) return claims;
  const result = await schema['~standard'].validate(claims);
  if (result.issues !== undefined) throw invalid(challenge, 'The claims of the token are not those that are expected.');
  return result.value;
}

async function verified(token: string, find: KeyFinder, options: JwtOptions, challenge: string): Promise<JwtClaims> {
  if (token.length > TOKEN_LENGTH_MAX || !TOKEN.test(token)) throw invalid(challenge, 'This is no token.');
  const { algorithms, issuer, audience, clockTolerance = 0, requiredClaims = ['exp'] } = options;
  const { jwtVerify } = jose();
  try {
    const { payload } = await jwtVerify(token, find, {
      algorithms: [...algorithms],
      clockTolerance,
      requiredClaims: [...requiredClaims],
      ...(issuer === undefined ? {} : { issuer: [issuer].flat() }),
      ...(audience === undefined ? {} : { audience: [audience].flat() }),
    });
    return payload as JwtClaims;
  } catch (error) {
    throw toRefusal(error, challenge);
  }
}

/** What is wrong with the token is the client's; what keeps it from being looked at is not. */
function toRefusal(error: unknown, challenge: string): unknown {
  const { errors } = jose();
  if (error instanceof errors.JWTExpired) return invalid(challenge, 'The token has expired.', error);
  if (error instanceof errors.JWTClaimValidationFailed)
    return invalid(challenge, `The claim ${error.claim} of the token is not right.`, error);
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || !(error instanceof errors.JOSEError))
    return new HttpError(503, 'The keys of tokens cannot be had.', { cause: error });
  // A bare JOSEError is a JWK set whose server answered with something else.
  if (error.code === 'ERR_JOSE_GENERIC') return new HttpError(503, 'The keys of tokens cannot be had.', { cause: error });
  return invalid(challenge, 'The token is not valid.', error);
}

function scopesOf({ scope, scp }: JwtClaims): readonly unknown[] {
  if (typeof scope === 'string') return scope.split(' ');
  return Array.isArray(scope)
    ? (scope as unknown[])
    : Array.isArray(scp)
      ? (scp as unknown[])
      : typeof scp === 'string'
        ? scp.split(' ')
        : [];
}

function invalid(challenge: string, description: string, cause?: unknown): HttpError {
  return refused(401, `${challenge}, error="invalid_token", error_description="${description}"`, description, cause);
}

function refused(status: 401 | 403, challenge: string, message?: string, cause?: unknown): HttpError {
  return new HttpError(status, message, { headers: { 'WWW-Authenticate': challenge }, cause });
}
