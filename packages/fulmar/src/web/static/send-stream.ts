/**
 * Sends one file as the answer to one request: finds it, sets its headers, answers conditions and ranges,
 * streams it. Behaves as upstream's `send`, events included. Content of small files that are asked for again
 * comes from memory.
 */
import fs, { type Stats } from 'node:fs';
import path from 'node:path';
import { Stream } from 'node:stream';
import encodeUrl from 'encodeurl';
import escapeHtml from 'escape-html';
import fresh from 'fresh';
import createError from 'http-errors';
import onFinished from 'on-finished';
import parseRange, { type Ranges, type Result } from 'range-parser';
import statuses from 'statuses';
import { hasNodeEnd, isWritable } from '../reply.ts';
import { typeOfName } from '../media-types.ts';
import type { WebRequest, WebResponse } from '../message-types.ts';
import { isConditionalRequest, isPreconditionFailure, isRangeFresh, type Validators } from './conditions.ts';
import { sendDirectly } from './direct.ts';
import { fileCache } from './file-cache.ts';
import { BYTES_RANGE, eachFileField, type FileRange, theRange } from './file-fields.ts';
import { resolvePath } from './file-path.ts';
import { collapseLeadingSlashes, createHtmlDocument } from './html-page.ts';
import { isShort, noteOpening, shortageError } from './shortage.ts';
import { type NormalOptions, normalizeOptions, type SendOptions } from './send-options.ts';

export type { SendOptions } from './send-options.ts';

type FileError = NodeJS.ErrnoException & { headers?: Record<string, string> };

export class SendStream extends Stream {
  readonly options: SendOptions;
  readonly path: string;
  readonly req: WebRequest;
  declare res: WebResponse;
  /** A file is found (false), its content is on its way (true). */
  isStreaming: boolean | undefined;
  readonly #settings: NormalOptions;

  /** @param settings the options as checked before, when many streams share them */
  constructor(req: WebRequest, pathname: string, options: SendOptions, settings?: NormalOptions) {
    super();
    this.options = options;
    this.path = pathname;
    this.req = req;
    this.isStreaming = undefined;
    this.#settings = settings ?? new.target.settingsOf(options);
  }

  /** The options checked and filled in. */
  static settingsOf(options: SendOptions): NormalOptions {
    return normalizeOptions(options);
  }

  /** Answers with an error, or emits it when somebody listens. */
  error(status: number, err?: Error | { headers: Record<string, string> }): void {
    if (this.listenerCount('error') > 0) {
      this.emit('error', createHttpError(status, err));
      return;
    }
    const { res } = this;
    const body = createHtmlDocument('Error', escapeHtml(statuses.message[status] || String(status)));
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    const headers = (err as FileError | undefined)?.headers;
    for (const name of Object.keys(headers ?? {})) res.setHeader(name, (headers as Record<string, string>)[name] as string);
    res.statusCode = status;
    setPageHeaders(res, body);
    res.end(body);
  }

  hasTrailingSlash(): boolean {
    // Version 4 takes any value for a path; the engine's message for what has no length is upstream's.
    return this.path[this.path.length - 1] === '/';
  }

  override pipe<T>(destination: T): T {
    this.res = destination as WebResponse;
    const file = resolvePath(this.path, this.#settings);
    if (typeof file === 'number') this.error(file);
    else if (this.#settings.index.length && this.hasTrailingSlash()) this.#sendIndex(file);
    else this.#sendFile(file);
    return destination;
  }

  #sendFile(file: string): void {
    if (fileCache.has(file)) setImmediate(() => this.#sendKept(file, () => this.#lookUp(file)));
    else this.#lookUp(file);
  }

  /**
   * Sends a file that is kept. In the loop's next phase, where upstream's look at the file system also comes
   * back at the earliest: what the handler does after calling us, and its promises, still change the headers.
   */
  #sendKept(file: string, otherwise: () => void): void {
    const stat = fileCache.stat(file);
    if (stat === undefined) otherwise();
    else this.#found(file, stat);
  }

  #lookUp(file: string): void {
    fs.stat(file, (err, stat) => {
      const endsWithSeparator = file.at(-1) === path.sep;
      if (err && err.code === 'ENOENT' && !path.extname(file) && !endsWithSeparator) {
        const { extensions } = this.#settings;
        this.#tryEach(
          extensions.map((extension) => `${file}.${extension}`),
          err,
        );
      } else if (err) {
        this.#onStatError(err);
      } else if (stat.isDirectory()) {
        this.#redirect(file);
      } else if (endsWithSeparator) {
        this.error(404);
      } else {
        this.#found(file, stat);
      }
    });
  }

  #sendIndex(directory: string): void {
    const [first] = this.#settings.index;
    const file = path.join(directory, first as string);
    const tryAll = (): void => this.#tryEach(this.#settings.index.map((name) => path.join(directory, name)));
    if (fileCache.has(file)) setImmediate(() => this.#sendKept(file, tryAll));
    else tryAll();
  }

  /** Sends the first of the files that exists. */
  #tryEach(files: readonly string[], err?: NodeJS.ErrnoException): void {
    const [file, ...rest] = files;
    if (file === undefined) {
      if (err) this.#onStatError(err);
      else this.error(404);
      return;
    }
    fs.stat(file, (statError, stat) => {
      if (statError) this.#tryEach(rest, statError);
      else if (stat.isDirectory()) this.#tryEach(rest);
      else this.#found(file, stat);
    });
  }

  /**
   * Stricter than upstream: a FIFO, a socket or a device is no file; opening one would hold a thread of the
   * pool for ever.
   */
  #found(file: string, stat: Stats): void {
    if (!stat.isFile()) {
      this.error(404);
      return;
    }
    this.isStreaming = false;
    this.emit('file', file, stat);
    this.send(file, stat);
  }

  #onStatError(error: NodeJS.ErrnoException): void {
    const { code } = error;
    this.error(code === 'ENAMETOOLONG' || code === 'ENOENT' || code === 'ENOTDIR' ? 404 : 500, error);
  }

  #redirect(file: string): void {
    const { res } = this;
    if (this.listenerCount('directory') > 0) {
      this.emit('directory', res, file);
      return;
    }
    if (this.hasTrailingSlash()) {
      this.error(403);
      return;
    }
    sendRedirect(res, encodeUrl(collapseLeadingSlashes(`${this.path}/`)));
  }

  /** Sends a file that exists. */
  send(file: string, stat: Stats): void {
    const { res, req, options } = this;
    if (res.headersSent) {
      this.error(500, new Error("Can't set headers after they are sent."));
      return;
    }
    this.setHeader(file, stat);
    if (!res.getHeader('Content-Type')) res.setHeader('Content-Type', this.contentTypeOf(file));
    if (isConditionalRequest(req.headers) && this.#answerCondition()) return;

    let offset = options.start || 0;
    let length = Math.max(0, stat.size - offset);
    if (options.end !== undefined) length = Math.min(length, options.end - offset + 1);
    if (this.#settings.acceptRanges && req.headers.range !== undefined && BYTES_RANGE.test(req.headers.range)) {
      const range = this.#range(req.headers.range, length);
      if (range === null) return;
      if (range !== undefined) {
        offset += range.start;
        length = range.end - range.start + 1;
      }
    }
    res.setHeader('Content-Length', length);
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    this.#content(file, stat, { offset, length });
  }

  /** True when a condition decided the answer. */
  #answerCondition(): boolean {
    const { res, req } = this;
    const validators = this.#validators();
    if (isPreconditionFailure(req.headers, validators)) {
      this.error(412);
      return true;
    }
    const { statusCode } = res;
    if ((statusCode < 200 || statusCode >= 300) && statusCode !== 304) return false;
    if (!this.isFresh(validators)) return false;
    for (const name of CONTENT_HEADERS) res.removeHeader(name);
    res.statusCode = 304;
    res.end();
    return true;
  }

  #validators(): Validators {
    const { res } = this;
    return {
      etag: res.getHeader('ETag') as string | undefined,
      lastModified: res.getHeader('Last-Modified') as string | undefined,
    };
  }

  contentTypeOf(file: string): string {
    return typeOfName(path.extname(file));
  }

  isFresh({ etag, lastModified }: Validators): boolean {
    return fresh(this.req.headers, { etag, 'last-modified': lastModified });
  }

  parseRange(length: number, header: string): Ranges | Result {
    return parseRange(length, header, { combine: true });
  }

  /** The one range to send; `undefined` for the whole file, `null` when the answer has been given. */
  #range(header: string, length: number): FileRange | undefined | null {
    const { res, req } = this;
    const range = theRange(isRangeFresh(req.headers, this.#validators()) ? this.parseRange(length, header) : -2);
    if (range === null) {
      const contentRange = `bytes */${length}`;
      res.setHeader('Content-Range', contentRange);
      this.error(416, { headers: { 'Content-Range': contentRange } });
      return null;
    }
    if (range === undefined) return undefined;
    res.statusCode = 206;
    res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${length}`);
    return range;
  }

  #content(file: string, stat: Stats, part: { offset: number; length: number }): void {
    const { res } = this;
    // For a client that is gone, upstream opens a stream all the same: its callers tell the end by that.
    if (!hasNodeEnd(res) || !isWritable(res)) {
      this.stream(file, part);
    } else if (!fileCache.isCacheable(stat)) {
      if (!this.#sendDirectly(file, stat, part)) this.stream(file, part);
    } else {
      const bytes = fileCache.bytes(file, stat);
      if (bytes !== undefined) {
        this.#sendBytes(bytes, part);
        return;
      }
      fileCache.load(file, stat);
      this.stream(file, part);
    }
  }

  #sendDirectly(file: string, stat: Stats, { offset, length }: { offset: number; length: number }): boolean {
    if (this.stream !== SendStream.prototype.stream || this.listenerCount('stream') > 0) return false;
    // Whether it gets there or not, also with a head that cannot be sent.
    this.isStreaming = true;
    const sent = (): void => void this.emit('end');
    if (!sendDirectly(this.res, { file, stat, offset, length }, this.options, sent)) return false;
    fileCache.note(file);
    return true;
  }

  #sendBytes(bytes: Buffer, { offset, length }: { offset: number; length: number }): void {
    const { res } = this;
    // Node spells this field otherwise when `end` writes the head; a file that is streamed has its head
    // written before.
    if (res.getHeader('Content-Disposition') !== undefined) res.writeHead(res.statusCode);
    res.end(length === bytes.length ? bytes : bytes.subarray(offset, offset + length));
    process.nextTick(() => this.emit('end'));
  }

  stream(file: string, { offset, length }: { offset: number; length: number }): void {
    const { res } = this;
    // An own loop rather than a spread: inherited options count.
    const options: Record<string, unknown> = {};
    for (const name in this.options) options[name] = this.options[name as keyof SendOptions];
    options.start = offset;
    options.end = Math.max(offset, offset + length - 1);
    this.isStreaming = true;
    if (isShort(options)) {
      setImmediate(() => this.#onStatError(shortageError(file)));
      return;
    }
    const content = fs.createReadStream(file, options as Parameters<typeof fs.createReadStream>[1]);
    const opened = noteOpening(content);
    this.emit('stream', content);
    content.pipe(res);
    onFinished(res, () => {
      opened();
      content.destroy();
    });
    content.on('error', (err) => {
      opened();
      content.destroy();
      this.#onStatError(err);
    });
    content.on('end', () => this.emit('end'));
  }

  setHeader(file: string, stat: Stats): void {
    const { res } = this;
    this.emit('headers', res, file, stat);
    eachFileField(this.#settings, stat, (name, value) => {
      if (!res.getHeader(name)) res.setHeader(name, value());
    });
  }
}

const CONTENT_HEADERS = ['Content-Encoding', 'Content-Language', 'Content-Length', 'Content-Range', 'Content-Type'];

/** A permanent redirect with its page. */
export function sendRedirect(res: WebResponse, location: string): void {
  const body = createHtmlDocument('Redirecting', `Redirecting to ${escapeHtml(location)}`);
  res.statusCode = 301;
  setPageHeaders(res, body);
  res.setHeader('Location', location);
  res.end(body);
}

function setPageHeaders(res: WebResponse, body: string): void {
  res.setHeader('Content-Type', 'text/html; charset=UTF-8');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.setHeader('Content-Security-Policy', "default-src 'none'");
  res.setHeader('X-Content-Type-Options', 'nosniff');
}

function createHttpError(status: number, err: Error | object | undefined): Error {
  if (!err) return createError(status);
  return err instanceof Error ? createError(status, err, { expose: false }) : createError(status, err);
}
