/**
 * Header fields of the reply: has, get, remove, type, length and their relatives, as far as both versions of
 * Koa agree.
 */
import { extname } from 'node:path';
import type { ServerResponse } from 'node:http';
import { vary } from './lazy.ts';
import type { Edition, KoaResponse } from './types.ts';

const self = (value: unknown): KoaResponse => value as KoaResponse;

interface AncientResponse {
  readonly _headers?: Record<string, unknown>;
}

const fieldMembers = {
  /** Foreign responses may be of a kind that has no such methods. */
  get header(): unknown {
    const { res } = self(this);
    return typeof res.getHeaders === 'function' ? res.getHeaders() : ((res as AncientResponse)._headers ?? {});
  },
  get headers(): unknown {
    return self(this).header;
  },
  get headerSent(): boolean {
    return self(this).res.headersSent;
  },
  has(this: KoaResponse, field: string): boolean {
    const { res } = this;
    return typeof res.hasHeader === 'function' ? res.hasHeader(field) : field.toLowerCase() in this.headers;
  },
  remove(this: KoaResponse, field: string): void {
    if (!this.headerSent) this.res.removeHeader(field);
  },
  append(this: KoaResponse, field: string, value: unknown): void {
    const before = this.get(field);
    if (!before) this.set(field, value);
    else this.set(field, Array.isArray(before) ? before.concat(value) : [before as unknown].concat(value));
  },
  vary(this: KoaResponse, field: string | string[]): void {
    if (!this.headerSent) vary()(this.res, field);
  },
  flushHeaders(this: KoaResponse): void {
    (this.res as ServerResponse).flushHeaders();
  },
};

const dateMembers = {
  set lastModified(val: string | Date) {
    // Named as upstream's: the error for a wrong value shows the name.
    if (typeof val === 'string') val = new Date(val);
    self(this).set('Last-Modified', val.toUTCString());
  },
  get lastModified(): Date | undefined {
    const date = self(this).get('last-modified');
    return date ? new Date(date as string) : undefined;
  },
  set etag(value: string) {
    self(this).set('ETag', /^(W\/)?"/.test(value) ? value : `"${value}"`);
  },
  get etag(): unknown {
    return self(this).get('ETag');
  },
};

/** The members for one version of Koa. */
export function headerMembers(edition: Edition): readonly object[] {
  return [fieldMembers, dateMembers, typeMembers(edition.contentType), matchMembers(edition)];
}

function typeMembers(contentType: Edition['contentType']): object {
  return {
    set type(name: string) {
      const type = contentType(name);
      if (type) self(this).set('Content-Type', type);
      else self(this).remove('Content-Type');
    },
    get type(): string {
      const type = self(this).get('Content-Type') as string | undefined;
      return type ? (type.split(';', 1)[0] as string) : '';
    },
  };
}

function matchMembers({ major, contentDisposition, typeIs }: Edition): object {
  return {
    /** A type that is set already stays, since Koa 3. */
    attachment(this: KoaResponse, filename?: string, options?: object): void {
      if (filename && (major === 2 || !this.has('Content-Type'))) this.type = extname(filename);
      this.set('Content-Disposition', contentDisposition()(filename, options));
    },
    is(this: KoaResponse, type: unknown, ...types: unknown[]): unknown {
      return typeIs()(this.type, type, ...types);
    },
  };
}
