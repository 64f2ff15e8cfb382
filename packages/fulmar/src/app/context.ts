/**
 * What a handler is given: the request as it is asked for, and what the reply shall have. Made for every
 * request, so that what is not asked for costs nothing.
 */
import type { Exchange } from '../exchange/types.ts';
import { addressOf, hostnameOf, hostOf, protocolOf } from './asker.ts';
import { BodyReader } from './body-reader.ts';
import { Channel, type Send } from './channel.ts';
import { cookieLine, type CookieOptions, parseCookies } from './cookies.ts';
import { eventStream, type EventSource, type EventStreamOptions } from './event-stream.ts';
import { FieldLines } from './field-lines.ts';
import { type FileOptions, toSendOptions } from './file-options.ts';
import { files } from './lazy.ts';
import { checkOptions, type Checks, isBoolean, isFieldText, shown } from './checked-options.ts';
import { abortMounted, observe } from './observing.ts';
import { parseQuery } from './query.ts';
import { JsonReply, Reply } from './reply-value.ts';
import { acceptedOf, encodeLocation, headersOf, pathOf, searchOf, toRequest, typeIsOf } from './request-parts.ts';
import type { InputPlace } from './route-options.ts';
import type { InputTypes, RawInput } from './route-types.ts';
import type { Logger } from './errors.ts';
import { renderView, type RenderView } from './views.ts';
import type { TrustFunction } from '../web/trust.ts';

/** What of an app its contexts know. */
export interface ContextSettings {
  readonly bodyBytesMax: number;
  readonly invalidInput: 400 | 422;
  readonly logger: Logger;
  /** Which proxies are believed; null: none. */
  readonly trust: TrustFunction | null;
  readonly render: RenderView | null;
}

/** Of any route: what schemas make of the input is not known. */
export type AnyContext = Context<object>;
/** Before any schema: the input as it came. */
export type RawContext<Params = object> = Context<Params, Record<string, unknown>, RawInput>;

const STREAM_CHECKS: Checks<{ readonly type?: string; readonly live?: boolean }> = { type: [isFieldText, 'a media type'], live: isBoolean };

export type StreamPiece = string | Uint8Array;
/** What a stream comes from. A function is given `write`, which resolves when there is room for more. */
export type StreamSource =
  | AsyncIterable<unknown>
  | Iterable<unknown>
  | ((stream: { readonly write: Send<StreamPiece>; readonly signal: AbortSignal }) => void | Promise<void>);

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

const OK = 200;
const NO_CONTENT = 204;
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
    return addressOf(this.exchange, this.settings.trust);
  }

  /** Host and port that the client asked for, as it wrote them; empty where it did not. Of a proxy in front as `ip`. */
  get host(): string {
    return hostOf(this.exchange, this.settings.trust);
  }

  /** The same in lower case, without port and dot at the end. */
  get hostname(): string {
    return hostnameOf(this.host);
  }

  /** `http` or `https`. */
  get protocol(): string {
    return protocolOf(this.exchange, this.settings.trust);
  }

  /** Protocol and host: what a URL of this app begins with. */
  get origin(): string {
    return `${this.protocol}://${this.host}`;
  }

  /** The first of the types (`json`, `text/html`) that the client likes best, false where it takes none. */
  accepts(...types: string[]): string | false {
    return acceptedOf(this.exchange, types);
  }

  /** Which of the types (`json`, `text/*`) the content is of, false where of none, null where there is no content. */
  is(...types: string[]): string | false | null {
    return typeIsOf(this.exchange, types);
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
      if (this.exchange.gone) controller.abort(new Error('The client has left.'));
      else observe(this.exchange).aborts.add((error) => controller.abort(error));
    }
    return this._abort.signal;
  }

  /** @internal Fires `signal`, now or for who asks for it later; what a mounted application was given is closed. */
  abort(reason: Error): void {
    if (!this.signal.aborted) this._abort?.abort(reason);
    abortMounted(this.exchange, reason);
  }

  /** The reply's status. @throws RangeError outside of 200 to 599 */
  status(code: number): this {
    if (!Number.isInteger(code) || code < 200 || code > 599)
      throw new RangeError(`A reply's status is 200 to 599, and this is ${String(code)}.`);
    this.statusCode = code;
    return this;
  }

  /** The reply's status: the one that was set or sent, else what follows from the value there is. */
  get replyStatus(): number {
    if (this.statusCode !== 0) return this.statusCode;
    const { value } = this;
    if (value === undefined || value === null) return NO_CONTENT;
    return value instanceof Response ? value.status : OK;
  }

  /**
   * With one argument a field of the request; with two one of the reply, which `null` takes back. @throws
   * TypeError for what no field line may have
   */
  header(name: string): string | undefined;
  header(name: string, value: string | number | null, options?: { readonly append?: boolean }): this;
  header(name: string, value?: string | number | null, options: { readonly append?: boolean } = {}): this | string | undefined {
    if (value === undefined) return this.exchange.header(name.toLowerCase());
    if (value === null) {
      this.lines?.delete(name);
      return this;
    }
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

  /** With a status as by `status()`; so are `text()` and `html()`. */
  json(value: unknown, status?: number): Reply {
    if (status !== undefined) this.status(status);
    return new JsonReply(value);
  }

  text(value: string, status?: number): Reply {
    if (status !== undefined) this.status(status);
    return new Reply('text/plain; charset=utf-8', value);
  }

  /** Also what makers of HTML give in place of a string, to remember that it is escaped: a `String`. */
  html(value: string, status?: number): Reply {
    if (status !== undefined) this.status(status);
    const text: unknown = value;
    return new Reply('text/html; charset=utf-8', text instanceof String ? text.toString() : value);
  }

  /** A value of any kind that a handler may return, sent as `type`. */
  send(value: unknown, type?: string): Reply {
    return new Reply(type ?? null, value);
  }

  /** 302 unless another status is given or set. */
  redirect(location: string, status?: number): Reply {
    if (typeof location !== 'string') throw new TypeError(`redirect() takes a URL or a path, a text, and this is ${shown(location)}.`);
    if (status !== undefined) this.status(status);
    else if (this.statusCode === 0) this.statusCode = 302;
    return new Reply('text/plain; charset=utf-8', `Redirecting to ${location}`, [['Location', encodeLocation(location)]]);
  }

  /**
   * A file, with what clients may ask of one: parts, whether it has changed. `path` is below `root` and cannot lead
   * out of it; without one it is absolute. @throws HttpError 400, 403, 404, 412, 416; TypeError for a relative path
   * without a root
   */
  file(path: string | URL, options?: FileOptions): Promise<Reply | null> {
    return files().send(this as unknown as AnyContext, path, toSendOptions('file', path, options));
  }

  /** The same, to be saved as `name`; that of the file without one. */
  download(path: string | URL, name?: string, options?: FileOptions): Promise<Reply | null> {
    const given = toSendOptions('download', path, options);
    return files().download(this as unknown as AnyContext, path, given, name);
  }

  /**
   * Content that comes piece by piece, from an iterable or from a function that is given a way to write. `live`: the head leaves before
   * there is a piece, and no piece waits for another.
   */
  stream(source: StreamSource, options: { readonly type?: string; readonly live?: boolean } = {}): Reply {
    checkOptions('stream', options, STREAM_CHECKS);
    const { signal } = this;
    const value = typeof source === 'function' ? new Channel<StreamPiece>(signal, (write) => source({ write, signal })) : source;
    return new Reply(options.type ?? null, value, [], options.live === true);
  }

  /** A view of the engine that `createApp({ views })` was given, as HTML. @throws what the engine throws */
  async render(view: string, data: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    return this.html(await renderView(this as unknown as AnyContext, view, data));
  }

  /** Server-sent events, from an iterable of them or from a function that is given a way to send. */
  sse(source: EventSource, options?: EventStreamOptions): Reply {
    return eventStream(this as unknown as AnyContext, source, options);
  }
}
