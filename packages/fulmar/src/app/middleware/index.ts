/**
 * `fulmar/middleware`: what most applications need around their handlers.
 */
import { basicAuth } from './basic-auth.ts';
import { bearerAuth } from './bearer-auth.ts';
import { cors } from './cors.ts';
import { requestId } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

export default {
  basicAuth,
  bearerAuth,
  cors,
  requestId,
  securityHeaders,
};
export { basicAuth, type BasicAuthOptions } from './basic-auth.ts';
export { bearerAuth, type BearerAuthOptions } from './bearer-auth.ts';
export { cors, type CorsOptions, type CorsOrigin } from './cors.ts';
export { requestId, type RequestIdOptions } from './request-id.ts';
export { type ContentSecurityPolicy, securityHeaders, type SecurityHeader, type SecurityHeadersOptions } from './security-headers.ts';
