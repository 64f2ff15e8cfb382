/** Members of the response in which Koa 2 differs from Koa 3: setting fields, and the body with its kinds. */
import destroy from 'destroy';
import onFinished from 'on-finished';
import { Stream } from 'node:stream';
import { bodyLengthMembers, setLeafBody } from './response-body.ts';
import { redirectTo, referrerOf } from './response.ts';
import type { Edition, KoaResponse } from './types.ts';

const self = (value: unknown): KoaResponse => value as KoaResponse;
const toText = (value: unknown): string => (typeof value === 'string' ? value : String(value));

const fieldMembers = {
  get(this: KoaResponse, field: string): unknown {
    const { res } = this;
    const name = field.toLowerCase();
    return (typeof res.getHeader === 'function' ? res.getHeader(name) : this.header[name]) || '';
  },
  /** The number of arguments decides: a field without a value is set to the text `undefined`. */
  set(this: KoaResponse, ...args: [field: string | object, value?: unknown]): void {
    if (this.headerSent) return;
    const [field, value] = args;
    if (args.length === 2) this.res.setHeader(field as string, Array.isArray(value) ? value.map(toText) : toText(value));
    // Inherited fields count, as upstream's loop has it.
    else for (const key in field as object) this.set(key, (field as Record<string, unknown>)[key]);
  },
};

function setEmpty(response: KoaResponse, value: null | undefined, empty: Edition['statuses']['empty']): void {
  if (!empty[response.status]) response.status = 204;
  if (value === null) response._explicitNullBody = true;
  response.remove('Content-Type');
  response.remove('Content-Length');
  response.remove('Transfer-Encoding');
}

function setStream(response: KoaResponse, stream: Stream, previous: unknown): void {
  onFinished(response.res, (error) => void destroy(stream, Boolean(error)));
  if (previous === stream) return;
  stream.once('error', (error) => response.ctx.onerror(error));
  if (previous !== null && previous !== undefined) response.remove('Content-Length');
}

/** A body that is something. */
function setContent(response: KoaResponse, value: unknown, previous: unknown): void {
  if (!response._explicitStatus) response.status = 200;
  const setType = !response.has('Content-Type');
  if (setLeafBody(response, value, setType)) return;
  if (value instanceof Stream) {
    setStream(response, value, previous);
    if (setType) response.type = 'bin';
    return;
  }
  response.remove('Content-Length');
  response.type = 'json';
}

function bodyMembers({ statuses }: Edition): object {
  return {
    get body(): unknown {
      return self(this)._body;
    },
    set body(value: unknown) {
      const response = self(this);
      const previous = response._body;
      response._body = value;
      if (value === null || value === undefined) setEmpty(response, value, statuses.empty);
      else setContent(response, value, previous);
    },
  };
}

function redirectMembers(edition: Edition): object {
  return {
    _getBackReferrer(this: KoaResponse): string | undefined {
      return referrerOf(this);
    },
    redirect(this: KoaResponse & { _getBackReferrer(): string | undefined }, url: string, alt?: string): void {
      redirectTo(this, edition, url === 'back' ? this._getBackReferrer() || alt || '/' : url);
    },
  };
}

/** What `createResponsePrototype` adds for Koa 2. */
export function responseMembers2(edition: Edition): readonly object[] {
  return [fieldMembers, bodyMembers(edition), bodyLengthMembers(edition.isStream), redirectMembers(edition)];
}
