/**
 * `fulmar/middleware`: what most applications need around their handlers.
 */
import { accessLog } from './access-log.ts';
import { basicAuth } from './basic-auth.ts';
import { bearerAuth } from './bearer-auth.ts';
import { bodyLimit } from './body-limit.ts';
import { compress } from './compress.ts';
import { cors } from './cors.ts';
import { csrf } from './csrf.ts';
import { etag } from './etag.ts';
import { health } from './health.ts';
import { jwt } from './jwt/jwt.ts';
import { memorySessions } from './session/memory-sessions.ts';
import { memoryStore } from './memory-store.ts';
import { nodeMiddleware } from './node-middleware.ts';
import { proxy } from './proxy.ts';
import { rateLimit } from './rate-limit.ts';
import { redisSessions } from './session/redis-sessions.ts';
import { requestId } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';
import { expressSessions } from './session/express-sessions.ts';
import { session } from './session/session.ts';
import { signJwt } from './jwt/sign-jwt.ts';
import { signedCookies } from './signed-cookies.ts';
import { staticFiles } from './static-files.ts';
import { timeout } from './timeout.ts';

export default {
  accessLog,
  basicAuth,
  bearerAuth,
  bodyLimit,
  compress,
  cors,
  csrf,
  etag,
  expressSessions,
  health,
  jwt,
  memorySessions,
  memoryStore,
  nodeMiddleware,
  proxy,
  rateLimit,
  redisSessions,
  requestId,
  securityHeaders,
  session,
  signedCookies,
  signJwt,
  staticFiles,
  timeout,
};
export { accessLog, type AccessLogFormat, type AccessLogOptions } from './access-log.ts';
export { basicAuth, type BasicAuthOptions } from './basic-auth.ts';
export { bearerAuth, type BearerAuthOptions } from './bearer-auth.ts';
export type { UserMiddleware } from './credentials.ts';
export { bodyLimit } from './body-limit.ts';
export { compress, type CompressOptions } from './compress.ts';
export type { Coding, PrecompressedCoding } from './content-codings.ts';
export { cors, type CorsOptions } from './cors.ts';
export type { OriginRule as CorsOrigin } from '../origins.ts';
export { csrf, type CsrfOptions } from './csrf.ts';
export { etag, type EtagOptions } from './etag.ts';
export { health, type HealthOptions } from './health.ts';
export type { HealthCheck } from './health-checks.ts';
export { jwt } from './jwt/jwt.ts';
export type { JwtAlgorithm, JwtClaims, JwtKey, JwtMiddleware, JwtOptions, SignJwtOptions, WebKey } from './jwt/jwt-types.ts';
export { signJwt } from './jwt/sign-jwt.ts';
export { memoryStore, type MemoryStoreOptions } from './memory-store.ts';
export { type NodeMiddleware, nodeMiddleware } from './node-middleware.ts';
export { proxy, type Proxy, type ProxyFields, type ProxyOptions } from './proxy.ts';
export { rateLimit, type RateLimitHits, type RateLimitOptions, type RateLimitStore } from './rate-limit.ts';
export { requestId, type RequestIdMiddleware, type RequestIdOptions } from './request-id.ts';
export { type ContentSecurityPolicy, securityHeaders, type SecurityHeader, type SecurityHeadersOptions } from './security-headers.ts';
export { type FileHeaders, staticFiles, type StaticFiles, type StaticFilesOptions } from './static-files.ts';
export { type ExpressStore, expressSessions } from './session/express-sessions.ts';
export { memorySessions, type MemorySessionsOptions } from './session/memory-sessions.ts';
export { type IoredisClient, type NodeRedisClient, redisSessions, type RedisSessionsOptions } from './session/redis-sessions.ts';
export { session } from './session/session.ts';
export type { Session, SessionMiddleware, SessionOptions, SessionStore } from './session/session-types.ts';
export { signedCookies, type SignedCookieOptions, type SignedCookies, type SignedCookiesOptions } from './signed-cookies.ts';
export { timeout } from './timeout.ts';
