/**
 * `securityHeaders()`: the fields that `helmet` sets, with its names and defaults. They are set before the
 * handler, which may replace them, and stand on errors too.
 */
import type { Middleware } from '../chain.ts';
import { named } from './named.ts';
import { checkOptions, type Check, type Checks, isFieldText, isListOf, suggestion } from '../checked-options.ts';

/** `false` leaves the field out, `true` is the default, a string is the value. */
export type SecurityHeader = boolean | string;
/** By name, in camel case or as it is sent; they are put over the defaults, and `false` takes one out. */
export type ContentSecurityPolicy = Readonly<Record<string, string | readonly string[] | false>>;

export interface SecurityHeadersOptions {
  readonly contentSecurityPolicy?: SecurityHeader | ContentSecurityPolicy;
  /** Off unless given: it breaks what embeds others' pictures. `true`: `require-corp`. */
  readonly crossOriginEmbedderPolicy?: SecurityHeader;
  readonly crossOriginOpenerPolicy?: SecurityHeader;
  readonly crossOriginResourcePolicy?: SecurityHeader;
  readonly originAgentCluster?: SecurityHeader;
  readonly referrerPolicy?: SecurityHeader;
  readonly strictTransportSecurity?: SecurityHeader;
  readonly xContentTypeOptions?: SecurityHeader;
  readonly xDnsPrefetchControl?: SecurityHeader;
  readonly xDownloadOptions?: SecurityHeader;
  readonly xFrameOptions?: SecurityHeader;
  readonly xPermittedCrossDomainPolicies?: SecurityHeader;
  readonly xXssProtection?: SecurityHeader;
}

type Name = keyof SecurityHeadersOptions;

const DIRECTIVES: ContentSecurityPolicy = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'font-src': "'self' https: data:",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'script-src': "'self'",
  'script-src-attr': "'none'",
  'style-src': "'self' https: 'unsafe-inline'",
  'upgrade-insecure-requests': '',
};

/** What a policy may have beside the defaults. */
const OTHER_DIRECTIVES =
  'child-src connect-src fenced-frame-src frame-src manifest-src media-src prefetch-src report-to report-uri require-trusted-types-for sandbox ' +
  'script-src-elem style-src-attr style-src-elem trusted-types worker-src';
const DIRECTIVE_NAMES = [...Object.keys(DIRECTIVES), ...OTHER_DIRECTIVES.split(' ')];

/** In the order in which helmet sends them. */
const FIELDS: Readonly<Record<Name, readonly [field: string, value: string]>> = {
  contentSecurityPolicy: ['Content-Security-Policy', policyOf({})],
  crossOriginEmbedderPolicy: ['Cross-Origin-Embedder-Policy', 'require-corp'],
  crossOriginOpenerPolicy: ['Cross-Origin-Opener-Policy', 'same-origin'],
  crossOriginResourcePolicy: ['Cross-Origin-Resource-Policy', 'same-origin'],
  originAgentCluster: ['Origin-Agent-Cluster', '?1'],
  referrerPolicy: ['Referrer-Policy', 'no-referrer'],
  strictTransportSecurity: ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  xContentTypeOptions: ['X-Content-Type-Options', 'nosniff'],
  xDnsPrefetchControl: ['X-DNS-Prefetch-Control', 'off'],
  xDownloadOptions: ['X-Download-Options', 'noopen'],
  xFrameOptions: ['X-Frame-Options', 'SAMEORIGIN'],
  xPermittedCrossDomainPolicies: ['X-Permitted-Cross-Domain-Policies', 'none'],
  xXssProtection: ['X-XSS-Protection', '0'],
};

const isValue = (value: unknown): boolean => typeof value === 'boolean' || (value !== '' && isFieldText(value));
const VALUE: Check = [isValue, 'true, false or the value of the field'];

const CHECKS: Checks<SecurityHeadersOptions> = {
  ...(Object.fromEntries(Object.keys(FIELDS).map((name) => [name, VALUE])) as unknown as Checks<SecurityHeadersOptions>),
  contentSecurityPolicy: [
    (value) => isValue(value) || (typeof value === 'object' && value !== null && !Array.isArray(value)),
    'true, false, the value of the field or an object of directives',
  ],
};

export function securityHeaders(options: SecurityHeadersOptions = {}): Middleware {
  checkOptions('securityHeaders', options, CHECKS);
  const lines: (readonly [field: string, value: string])[] = [];
  for (const name of Object.keys(FIELDS) as Name[]) {
    const given = options[name] ?? name !== 'crossOriginEmbedderPolicy';
    const [field, value] = FIELDS[name];
    if (given === true) lines.push([field, value]);
    else if (given !== false) lines.push([field, typeof given === 'string' ? given : policyOf(given)]);
  }
  return named('securityHeaders', (c, next) => {
    for (const [field, value] of lines) c.header(field, value);
    return next();
  });
}

function policyOf(given: ContentSecurityPolicy): string {
  const directives = new Map(Object.entries(DIRECTIVES));
  for (const [key, value] of Object.entries(given)) {
    const name = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!DIRECTIVE_NAMES.includes(name))
      throw new TypeError(`securityHeaders(): a content security policy has no directive ${key}${suggestion(name, DIRECTIVE_NAMES)}.`);
    const sources = [value].flat();
    if (value !== false && !isListOf((source) => isFieldText(source) && !/[;,]/.test(source as string), sources))
      throw new TypeError(`securityHeaders(): ${key} is a string or a list of strings without ; and , – or false.`);
    directives.set(name, value);
  }
  const texts = [...directives].flatMap(([name, value]) => (value === false ? [] : `${name} ${[value].flat().join(' ')}`.trim()));
  return texts.join(';');
}
