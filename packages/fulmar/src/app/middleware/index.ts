/**
 * `fulmar/middleware`: what most applications need around their handlers.
 */
import { cors } from './cors.ts';
import { requestId } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

export default {
  cors,
  requestId,
  securityHeaders,
};
export { cors, type CorsOptions, type CorsOrigin } from './cors.ts';
export { requestId, type RequestIdOptions } from './request-id.ts';
export { type ContentSecurityPolicy, securityHeaders, type SecurityHeader, type SecurityHeadersOptions } from './security-headers.ts';
