/**
 * What a handler is given: the request as it is asked for, and what the reply shall have. Made for every
 * request, so that what is not asked for costs nothing.
 */
import type { Exchange } from '../exchange/types.ts';
import { BodyReader } from './body-reader.ts';
import { cookieLine, type CookieOptions, parseCookies } from './cookies.ts';
import { eventStream, type EventSource } from './event-stream.ts';
import { FieldLines } from './field-lines.ts';
import { observe } from './observing.ts';
import { parseQuery } from './query.ts';
import { JsonReply, Reply } from './reply-value.ts';
import type { InputPlace } from './route-options.ts';
import type { InputTypes, RawInput } from './route-types.ts';
import type { Logger } from './errors.ts';
import { joined } from '../exchange/field-value.ts';

/** What of an app its contexts know. */
export interface ContextSettings {
  readonly bodyBytesMax: number;
  readonly invalidInput: 400 | 422;
  readonly logger: Logger;
  /** The address of the client, behind proxies that are trusted. */
  readonly clientAddress: (exchange: Exchange) => string;
}

/** Of any route: what schemas make of the input is not known. */
export type AnyContext = Context<object>;
/** Before any schema: the input as it came. */
export type RawContext<Params = object> = Context<Params, Record<string, unknown>, RawInput>;

/** What a value is that nobody has asked for yet: what a schema makes of it may be `null`. */
const UNREAD: unique symbol = Symbol('unread');
type Unread = typeof UNREAD;

/** Content that a schema has made a value of. */
class ValidBody {
  readonly value: unknown;
  readonly reader: BodyReader;

  constructor(value: unknown, reader: BodyReader) {
    this.value = value;
    this.reader = reader;
  }
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>);

export class Context<
  Params = Record<string, string>,
  State extends object = Record<string, unknown>,
  Input extends InputTypes = InputTypes,
> {
  /** @internal */
  readonly exchange: Exchange;
  /** @internal */
  readonly settings: ContextSettings;
  /** What the path's parameters stand for, decoded; with a schema what it makes of them. */
  params: Params;
  /** The pattern of the route, as it was registered. */
  route: string;
  /** @internal */
  lines: FieldLines | null;
  /** @internal 0: what follows from the value. */
  statusCode: number;
  /** @internal What the handler returned; middleware behind `next()` may look at it and replace it. */
  value: unknown;
  /** @internal How far the chain has come: nobody calls `next()` twice. */
  step: number;
  /** @internal Error handlers that have been asked. */
  failures: number;
  /** @internal The route, as the app has it. */
  entry: object | null;
  /** @internal What plugins have added, as far as it was asked for. */
  made: unknown[] | null;
  private _query: Input['query'] | Unread;
  private _headers: Input['headers'] | Unread;
  private _cookies: Input['cookies'] | Unread;
  private _body: BodyReader | ValidBody | null;
  private _state: State | null;
  private _abort: AbortController | null;

  constructor(exchange: Exchange, settings: ContextSettings) {
    this.exchange = exchange;
    this.settings = settings;
    this.params = NO_PARAMS as unknown as Params;
    this.route = '';
    this.lines = null;
    this.statusCode = 0;
    this.value = undefined;
    this.step = 0;
    this.failures = 0;
    this.entry = null;
    this.made = null;
    this._query = UNREAD;
    this._headers = UNREAD;
    this._cookies = UNREAD;
    this._body = null;
    this._state = null;
    this._abort = null;
  }

  /** @internal The head of the reply has left. */
  get isBegun(): boolean {
    return this.exchange.begun;
  }

  /** Upper case. */
  get method(): string {
    return this.exchange.method;
  }

  /** The request target as sent: path and query. */
  get url(): string {
    return this.exchange.target;
  }

  /** The target without its query, as sent. */
  get pathname(): string {
    return pathOf(this.exchange.target);
  }

  get path(): string {
    return this.pathname;
  }

  get query(): Input['query'] {
    if (this._query === UNREAD) this._query = parseQuery(searchOf(this.exchange.target));
    return this._query;
  }

  /** The request's fields by their name in lower case. */
  get headers(): Input['headers'] {
    if (this._headers === UNREAD) this._headers = headersOf(this.exchange);
    return this._headers;
  }

  get cookies(): Input['cookies'] {
    if (this._cookies === UNREAD) this._cookies = parseCookies(this.exchange.header('cookie'));
    return this._cookies;
  }

  /**
   * The request's content: `json()`, `text()`, `form()`, `bytes()`, `stream()`, or piece by piece in
   * `for await`. In the handler of a route with a schema of it: what the schema makes of it.
   */
  get body(): Input['body'] {
    const body = (this._body ??= new BodyReader(this.exchange, this.settings.bodyBytesMax));
    return body instanceof ValidBody ? body.value : body;
  }

  /** @internal The content itself, also where `body` is a value. */
  get reader(): BodyReader {
    const body = (this._body ??= new BodyReader(this.exchange, this.settings.bodyBytesMax));
    return body instanceof ValidBody ? body.reader : body;
  }

  /** @internal What a schema makes of a part of the request stands for that part from now on. */
  take(place: InputPlace, value: unknown): void {
    if (place === 'params') this.params = value as Params;
    else if (place === 'query') this._query = value;
    else if (place === 'headers') this._headers = value;
    else if (place === 'cookies') this._cookies = value;
    else this._body = new ValidBody(value, this.reader);
  }

  /** The client's address; that of a proxy in front unless the app trusts it. */
  get ip(): string {
    return this.settings.clientAddress(this.exchange);
  }

  /** The request as the web knows it, made when it is asked for. */
  get request(): Request {
    return toRequest(this as unknown as AnyContext);
  }

  /** For what middleware leaves for those behind it. */
  get state(): State {
    return (this._state ??= Object.create(null) as State);
  }

  /** Fires when the client leaves before the reply is complete. */
  get signal(): AbortSignal {
    if (this._abort === null) {
      const controller = new AbortController();
      this._abort = controller;
      observe(this.exchange).aborts.add((error) => controller.abort(error));
    }
    return this._abort.signal;
  }

  /** @internal Fires `signal`, now or for who asks for it later. */
  abort(reason: Error): void {
    if (!this.signal.aborted) this._abort?.abort(reason);
  }

  /** The reply's status. @throws RangeError outside of 200 to 599 */
  status(code: number): this {
    if (!Number.isInteger(code) || code < 200 || code > 599)
      throw new RangeError(`A reply's status is 200 to 599, and this is ${String(code)}.`);
    this.statusCode = code;
    return this;
  }

  /**
   * With one argument a field of the request; with two one of the reply. @throws TypeError for what no field
   * line may have
   */
  header(name: string): string | undefined;
  header(name: string, value: string | number, options?: { readonly append?: boolean }): this;
  header(name: string, value?: string | number, options: { readonly append?: boolean } = {}): this | string | undefined {
    if (value === undefined) return this.exchange.header(name.toLowerCase());
    (this.lines ??= new FieldLines()).set(name, String(value), options.append === true);
    return this;
  }

  /** The same as `header()`, for several. */
  set(fields: Readonly<Record<string, string | number>>): this {
    for (const [name, value] of Object.entries(fields)) this.header(name, value);
    return this;
  }

  /** Sets a cookie; `null` takes it back. */
  cookie(name: string, value: string | null, options?: CookieOptions): this {
    (this.lines ??= new FieldLines()).set('Set-Cookie', cookieLine(name, value, options), true);
    return this;
  }

  json(value: unknown): Reply {
    return new JsonReply(value);
  }

  text(value: string): Reply {
    return new Reply('text/plain; charset=utf-8', value);
  }

  html(value: string): Reply {
    return new Reply('text/html; charset=utf-8', value);
  }

  /** A value of any kind that a handler may return, sent as `type`. */
  send(value: unknown, type?: string): Reply {
    return new Reply(type ?? null, value);
  }

  /** 302 unless another status is given or set. */
  redirect(location: string, status?: number): Reply {
    if (status !== undefined) this.status(status);
    else if (this.statusCode === 0) this.statusCode = 302;
    return new Reply('text/plain; charset=utf-8', `Redirecting to ${location}`, [['Location', encodeLocation(location)]]);
  }

  /** Server-sent events, from an iterable of them or from a function that is given a way to send. */
  sse(source: EventSource, options?: { readonly heartbeatMs?: number; readonly retryMs?: number }): Reply {
    return eventStream(this as unknown as AnyContext, source, options);
  }
}

/** The target's path; of an absolute-form target that behind its authority. */
function pathOf(target: string): string {
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  if (path.charCodeAt(0) === 0x2f || path === '*') return path;
  const authority = path.indexOf('://');
  const slash = authority < 0 ? -1 : path.indexOf('/', authority + '://'.length);
  return slash < 0 ? '/' : path.slice(slash);
}

function searchOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}

function headersOf(exchange: Exchange): RawInput['headers'] {
  const raw = exchange.rawHeaders();
  const headers = Object.create(null) as Record<string, string>;
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase();
    headers[name] = joined(name, headers[name], raw[at + 1] as string);
  }
  return headers;
}

/** What a location may have beside ASCII is escaped; what is escaped already stays. */
function encodeLocation(location: string): string {
  return encodeURI(location).replaceAll(/%25(?=[0-9A-Fa-f]{2})/g, '%');
}

function toRequest(c: AnyContext): Request {
  const { exchange } = c;
  const host = exchange.header('host') ?? 'localhost';
  const headers = new Headers();
  const raw = exchange.rawHeaders();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] as string, raw[at + 1] as string);
  const hasContent = exchange.contentState !== 'none' && exchange.method !== 'GET' && exchange.method !== 'HEAD';
  return new Request(new URL(exchange.target, `http://${host}`), {
    method: exchange.method,
    headers,
    signal: c.signal,
    ...(hasContent ? { body: c.reader.stream(), duplex: 'half' } : {}),
  } as RequestInit);
}
