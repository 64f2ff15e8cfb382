/**
 * Fields by which a request says who it is, or a proxy says so of it: what is made for one is nobody else's. In lower case.
 */
export const CREDENTIALS: readonly string[] = [
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
  'x-auth-token',
  'x-access-token',
  'x-session-token',
  'x-forwarded-user',
  'x-remote-user',
  'x-goog-iap-jwt-assertion',
  'cf-access-jwt-assertion',
  'x-amzn-oidc-data',
];
