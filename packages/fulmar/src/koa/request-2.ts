/** Members of the request in which Koa 2 differs from Koa 3. */
import { parse, stringify, type ParsedUrlQueryInput } from 'node:querystring';
import { withoutPort } from '../web/hosts.ts';
import { assemble } from './members.ts';
import { protocolOf, subdomainsOf } from './request-address.ts';
import { queryMembers } from './request-target.ts';
import type { KoaRequest } from './types.ts';

const ABSOLUTE = /^https?:\/\//i;

const self = (value: unknown): KoaRequest => value as KoaRequest;

function parseOwnUrl(request: KoaRequest): Partial<URL> {
  try {
    return new URL(`${request.origin}${request.originalUrl || ''}`);
  } catch {
    return Object.create(null) as Partial<URL>;
  }
}

const members = {
  get origin(): string {
    return `${self(this).protocol}://${self(this).host}`;
  },
  get href(): string {
    const request = self(this);
    return ABSOLUTE.test(request.originalUrl) ? request.originalUrl : `${request.origin}${request.originalUrl}`;
  },
  get hostname(): string {
    const { host } = self(this);
    if (!host) return '';
    return host[0] === '[' ? self(this).URL.hostname || '' : withoutPort(host);
  },
  get URL(): Partial<URL> {
    const request = self(this);
    return (request.memoizedURL ||= parseOwnUrl(request));
  },
  get length(): number | undefined {
    const field = self(this).get('Content-Length');
    return field === '' ? undefined : ~~Number(field);
  },
  get protocol(): string {
    return protocolOf(self(this));
  },
  get subdomains(): string[] {
    return subdomainsOf(self(this), self(this).hostname);
  },
};

export const requestMembers2: object = assemble(
  members,
  queryMembers({
    parse,
    stringify: (values) => stringify(values as ParsedUrlQueryInput),
    createCache: () => ({}),
  }),
);
