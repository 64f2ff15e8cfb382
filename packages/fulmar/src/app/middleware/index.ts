/**
 * `fulmar/middleware`: what most applications need around their handlers.
 */
import { accessLog } from './access-log.ts';
import { basicAuth } from './basic-auth.ts';
import { bearerAuth } from './bearer-auth.ts';
import { bodyLimit } from './body-limit.ts';
import { compress } from './compress.ts';
import { cors } from './cors.ts';
import { etag } from './etag.ts';
import { memoryStore } from './memory-store.ts';
import { rateLimit } from './rate-limit.ts';
import { requestId } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';
import { staticFiles } from './static-files.ts';
import { timeout } from './timeout.ts';

export default {
  accessLog,
  basicAuth,
  bearerAuth,
  bodyLimit,
  compress,
  cors,
  etag,
  memoryStore,
  rateLimit,
  requestId,
  securityHeaders,
  staticFiles,
  timeout,
};
export { accessLog, type AccessLogFormat, type AccessLogOptions } from './access-log.ts';
export { basicAuth, type BasicAuthOptions } from './basic-auth.ts';
export { bearerAuth, type BearerAuthOptions } from './bearer-auth.ts';
export { bodyLimit } from './body-limit.ts';
export { compress, type CompressOptions } from './compress.ts';
export type { Coding } from './content-codings.ts';
export { cors, type CorsOptions, type CorsOrigin } from './cors.ts';
export { etag, type EtagOptions } from './etag.ts';
export { memoryStore, type MemoryStoreOptions } from './memory-store.ts';
export { rateLimit, type RateLimitHits, type RateLimitOptions, type RateLimitStore } from './rate-limit.ts';
export { requestId, type RequestIdOptions } from './request-id.ts';
export { type ContentSecurityPolicy, securityHeaders, type SecurityHeader, type SecurityHeadersOptions } from './security-headers.ts';
export { type FileHeaders, staticFiles, type StaticFiles, type StaticFilesOptions } from './static-files.ts';
export { timeout } from './timeout.ts';
