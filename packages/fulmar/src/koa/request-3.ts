/** Members of the request in which Koa 3 differs from Koa 2. */
import { withoutPort } from '../web/hosts.ts';
import { assemble } from './members.ts';
import { protocolOf, subdomainsOf } from './request-address.ts';
import { queryMembers } from './request-target.ts';
import { parseSearch, stringifySearch } from '../web/search-params.ts';
import type { KoaRequest } from './types.ts';

const ABSOLUTE = /^https?:\/\//i;
const NOT_IN_IPV6 = /[/?#\\\s]/;

const self = (value: unknown): KoaRequest => value as KoaRequest;

/** The host without its port; an IPv6 address in brackets and in its normal form. */
function hostnameOf(host: string): string {
  if (!host) return '';
  if (host[0] !== '[') return withoutPort(host);
  if (NOT_IN_IPV6.test(host)) return '';
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return '';
  }
}

function parseOwnUrl(request: KoaRequest): Partial<URL> {
  const target = request.originalUrl || '';
  try {
    return ABSOLUTE.test(target) ? new URL(target) : new URL(`${request.protocol}://${request.host}${target}`);
  } catch {
    return Object.create(null) as Partial<URL>;
  }
}

const members = {
  get origin(): unknown {
    return self(this).req.headers.origin || null;
  },
  get href(): string {
    const { originalUrl, protocol, host } = self(this);
    return ABSOLUTE.test(originalUrl) ? originalUrl : `${protocol}://${host}${originalUrl}`;
  },
  get hostname(): string {
    return hostnameOf(self(this).host);
  },
  get URL(): Partial<URL> {
    const request = self(this);
    return (request.memoizedURL ||= parseOwnUrl(request));
  },
  get length(): number | undefined {
    const field = self(this).get('Content-Length');
    if (field === '') return undefined;
    const length = Number.parseInt(field, 10);
    return Number.isNaN(length) ? undefined : length;
  },
  get protocol(): string {
    return protocolOf(self(this)).toLowerCase();
  },
  get subdomains(): string[] {
    const { hostname } = self(this);
    return subdomainsOf(self(this), hostname[0] === '[' ? hostname.slice(1, -1) : hostname);
  },
};

export const requestMembers3: object = assemble(
  members,
  queryMembers({
    parse: parseSearch,
    stringify: stringifySearch,
    createCache: () => Object.create(null) as Record<string, object>,
  }),
);
