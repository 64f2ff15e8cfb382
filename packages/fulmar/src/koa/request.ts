/**
 * The prototype of all requests, as far as both versions of Koa agree: fields, method, negotiation,
 * freshness. The target's parts and the addresses have files of their own.
 */
import { inspect } from 'node:util';
import type { IncomingMessage } from 'node:http';
import { accepts4 } from '../web/lazy.ts';
import { contentType4, fresh4 } from './lazy.ts';
import { assemble, only } from './members.ts';
import { addressMembers } from './request-address.ts';
import { targetMembers } from './request-target.ts';
import type { Accept, Edition, KoaRequest } from './types.ts';

const IDEMPOTENT = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'];

const self = (value: unknown): KoaRequest => value as KoaRequest;
const message = (value: unknown): IncomingMessage => (value as KoaRequest).req;

const messageMembers = {
  get header(): unknown {
    return message(this).headers;
  },
  set header(value: unknown) {
    message(this).headers = value as IncomingMessage['headers'];
  },
  get headers(): unknown {
    return message(this).headers;
  },
  set headers(value: unknown) {
    message(this).headers = value as IncomingMessage['headers'];
  },
  get url(): unknown {
    return message(this).url;
  },
  set url(value: unknown) {
    message(this).url = value as string;
  },
  get method(): unknown {
    return message(this).method;
  },
  set method(value: unknown) {
    message(this).method = value as string;
  },
  get socket(): unknown {
    return message(this).socket;
  },
  get(this: KoaRequest, field: string): unknown {
    const { headers } = this.req;
    field = field.toLowerCase();
    if (field === 'referer' || field === 'referrer') return headers['referrer'] || headers['referer'] || '';
    return headers[field] || '';
  },
};

const contentMembers = {
  get idempotent(): boolean {
    return IDEMPOTENT.includes(self(this).method);
  },
  get charset(): string {
    try {
      return contentType4().parse(message(this)).parameters['charset'] || '';
    } catch {
      return '';
    }
  },
  get type(): string {
    const type = self(this).get('Content-Type');
    return type ? (type.split(';')[0] as string) : '';
  },
};

const conditionMembers = {
  /** Whether what the client has is still good: only for GET and HEAD, only for 2xx and 304. */
  get fresh(): boolean {
    const request = self(this);
    const { method } = request;
    const { status } = request.ctx;
    if (method !== 'GET' && method !== 'HEAD') return false;
    if ((status < 200 || status >= 300) && status !== 304) return false;
    return fresh4()(request.header as never, request.response.header);
  },
  get stale(): boolean {
    return !self(this).fresh;
  },
};

const negotiationMembers = {
  get accept(): Accept {
    const request = self(this);
    return request._accept || (request._accept = accepts4()(request.req));
  },
  set accept(value: Accept) {
    self(this)._accept = value;
  },
  accepts(this: KoaRequest, ...types: unknown[]): unknown {
    return this.accept.types(...types);
  },
  acceptsEncodings(this: KoaRequest, ...encodings: unknown[]): unknown {
    return this.accept.encodings(...encodings);
  },
  acceptsCharsets(this: KoaRequest, ...charsets: unknown[]): unknown {
    return this.accept.charsets(...charsets);
  },
  acceptsLanguages(this: KoaRequest, ...languages: unknown[]): unknown {
    return this.accept.languages(...languages);
  },
};

function inspectRequest(this: KoaRequest): unknown {
  return this.req ? this.toJSON() : undefined;
}

const inspectMembers = {
  inspect: inspectRequest,
  toJSON(this: KoaRequest): object {
    return only(this, ['method', 'url', 'header']);
  },
  [inspect.custom]: inspectRequest,
};

/** Makes the prototype for one version of Koa; `own` are the members in which it differs. */
export function createRequestPrototype({ requestIs }: Edition, own: object): object {
  const typeMembers = {
    is(this: KoaRequest, type: unknown, ...types: unknown[]): unknown {
      return requestIs()(this.req, type, ...types);
    },
  };
  return assemble(
    messageMembers,
    targetMembers,
    addressMembers,
    contentMembers,
    conditionMembers,
    negotiationMembers,
    typeMembers,
    inspectMembers,
    own,
  );
}
