/**
 * Errors of who may do what: tokens that do not hold (jsonwebtoken, jose, express-jwt), names and passwords that do not
 * fit (passport), permissions that are missing (CASL, csurf). Their messages name what was expected, and are told to
 * nobody.
 */
import { ForbiddenException, UnauthorizedException } from '../exceptions/family.ts';
import { HttpException } from '../exceptions/http-exception.ts';
import { marksOf } from './kinds.ts';

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

/** `name` of those of jsonwebtoken, `code` of those of jose. */
const EXPIRED: ReadonlySet<unknown> = new Set(['TokenExpiredError', 'ERR_JWT_EXPIRED']);
const INVALID: ReadonlySet<unknown> = new Set([
  'JsonWebTokenError',
  'NotBeforeError',
  'ERR_JWT_INVALID',
  'ERR_JWT_CLAIM_VALIDATION_FAILED',
  'ERR_JWS_INVALID',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'ERR_JWKS_NO_MATCHING_KEY',
  // `code` of express-jwt.
  'invalid_token',
  'revoked_token',
]);
/** Of express-jwt and of passport. */
const UNKNOWN_NAMES: ReadonlySet<unknown> = new Set(['UnauthorizedError', 'AuthenticationError']);
const FORBIDDEN_NAMES: ReadonlySet<unknown> = new Set(['ForbiddenError']);
const BAD_CSRF = 'EBADCSRFTOKEN';

export type TokenFailure = 'expired' | 'invalid';

/** Null: of something else. */
export function tokenFailure(error: unknown): TokenFailure | null {
  const { name, code } = marksOf(error);
  if (EXPIRED.has(name) || EXPIRED.has(code)) return 'expired';
  return INVALID.has(name) || INVALID.has(code) ? 'invalid' : null;
}

/** An error with that status for clients, as of http-errors and of the app. */
const isOf = (status: number, error: unknown): boolean =>
  error instanceof HttpException
    ? error.getStatus() === status
    : error instanceof Error && 'expose' in error && marksOf(error).status === status;

/** Null: of something else. */
export function authenticationException(error: unknown): HttpException | null {
  if (error instanceof HttpException) return error.getStatus() === UNAUTHORIZED ? error : null;
  const failure = tokenFailure(error);
  if (failure !== null) return new UnauthorizedException(failure === 'expired' ? 'Token expired' : 'Invalid token', { cause: error });
  return UNKNOWN_NAMES.has(marksOf(error).name) || isOf(UNAUTHORIZED, error)
    ? new UnauthorizedException(undefined, { cause: error })
    : null;
}

/** Null: of something else. */
export function authorizationException(error: unknown): HttpException | null {
  if (error instanceof HttpException) return error.getStatus() === FORBIDDEN ? error : null;
  const { name, code } = marksOf(error);
  const isKnown = FORBIDDEN_NAMES.has(name) || code === BAD_CSRF || isOf(FORBIDDEN, error);
  return isKnown ? new ForbiddenException(undefined, { cause: error }) : null;
}
