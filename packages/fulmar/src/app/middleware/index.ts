/**
 * `fulmar/middleware`: what most applications need around their handlers.
 */
import { requestId } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

export default { requestId, securityHeaders };
export { requestId, type RequestIdOptions } from './request-id.ts';
export { type ContentSecurityPolicy, securityHeaders, type SecurityHeader, type SecurityHeadersOptions } from './security-headers.ts';
