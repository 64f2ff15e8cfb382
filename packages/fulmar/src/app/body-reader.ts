/**
 * The content of a request, read when it is asked for: whole, within a limit, or piece by piece.
 */
import { toWebStream } from './web-stream.ts';
import type { ContentSink, Exchange } from '../exchange/types.ts';
import { filesOf, type FormValue, pairsOf, refuseType, toFormData, toObject } from './forms/form-data.ts';
import { type AllFormLimits, type FormLimits, toFormLimits } from './forms/limits.ts';
import type { FormPart } from './forms/parts-types.ts';
import { multipart } from './lazy.ts';
import { checkOptions, type Checks } from './checked-options.ts';
import { needNode } from './needs-node.ts';
import { onAbort } from './observing.ts';
import { HttpError } from './http-error.ts';
import { parseJson } from './json-text.ts';

const EMPTY = new Uint8Array(0);
/** Pieces that wait for their reader; then the client waits. */
const PIECES_MAX = 16;

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** What stands for bytes that are no UTF-8 where these are read without a complaint. */
const REPLACEMENT = '\ufffd';
const BYTE_ORDER_MARK = 0xfeff;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export interface FormOptions {
  readonly limits?: FormLimits;
  /** How names of fields and files are written where they are no ASCII. Default: utf8, as browsers write them. */
  readonly names?: 'utf8' | 'latin1';
}

const FORM_CHECKS: Checks<FormOptions> = {
  limits: [(value) => typeof value === 'object' && value !== null, 'an object of limits'],
  names: [(value) => value === 'utf8' || value === 'latin1', "'utf8' or 'latin1'"],
};

/** @throws TypeError for options that are something else than they may be */
function toFormOptions(who: string, options: FormOptions): { limits: AllFormLimits; names: 'utf8' | 'latin1' } {
  checkOptions(who, options, FORM_CHECKS);
  return { limits: toFormLimits(options.limits), names: options.names ?? 'utf8' };
}

export class BodyReader implements AsyncIterable<Uint8Array> {
  readonly #exchange: Exchange;
  #limit: number;
  /** Content that is read piece by piece has no limit unless one was asked for: it is not kept. */
  #streamLimit = Infinity;
  #whole: Promise<Uint8Array> | null = null;
  #isStreamed = false;

  /** `limit`: bytes. */
  constructor(exchange: Exchange, limit: number) {
    this.#exchange = exchange;
    this.#limit = limit;
  }

  /** @internal Another limit, for what is read piece by piece as well. @throws HttpError 413 for content that is declared longer */
  limitTo(bytes: number): void {
    this.#limit = bytes;
    this.#streamLimit = bytes;
    if (this.#exchange.contentState !== 'none') checkDeclared(this.#exchange, bytes);
  }

  /** All of it. @throws HttpError 413 beyond the limit */
  bytes(): Promise<Uint8Array> {
    if (this.#isStreamed)
      return Promise.reject(new TypeError('The content is being read piece by piece: it cannot be had as a whole, too.'));
    return (this.#whole ??= readWhole(this.#exchange, this.#limit));
  }

  /** As UTF-8. @throws HttpError 400 for bytes that are none */
  async text(): Promise<string> {
    const bytes = await this.bytes();
    try {
      return strictUtf8.decode(bytes);
    } catch (cause) {
      throw new HttpError(400, 'The content is not UTF-8.', { cause });
    }
  }

  /** @throws HttpError 415 when it is said to be something else, 400 when it is none */
  async json<T = unknown>(): Promise<T> {
    const type = mediaType(this.#exchange);
    if (!isJson(type)) {
      throw new HttpError(415, `JSON is expected, and the content is said to be ${type}.`);
    }
    const text = this.textThatCame() ?? (await this.text());
    if (text === '') throw new HttpError(400, 'JSON is expected, and there is no content.');
    return parseJson(text) as T;
  }

  /**
   * The fields of a form, `application/x-www-form-urlencoded` or `multipart/form-data`; of the latter the
   * files, too, in memory. @throws HttpError 415 for another type, 413 beyond a limit, 400 for what is none
   */
  async form(options: FormOptions = {}): Promise<FormData> {
    const { limits, names } = toFormOptions('form', options);
    const type = mediaType(this.#exchange);
    if (type !== FORM && type !== MULTIPART) return refuseType(type, 'A form');
    return toFormData(await this.#entries(type, { limits, names }));
  }

  async #entries(
    type: string,
    { limits, names }: { limits: AllFormLimits; names: 'utf8' | 'latin1' },
  ): Promise<Iterable<readonly [string, FormValue]>> {
    if (type === FORM) return pairsOf(await this.text(), limits);
    return filesOf({ content: await this.bytes(), contentType: this.#exchange.header('content-type') ?? '', names }, limits);
  }

  /**
   * The parts of `multipart/form-data`, one after the other, while they come: files are read piece by piece.
   * @throws HttpError 415 for another type; while it is read 413 beyond a limit, 400 for what is no form
   */
  multipart(options: FormOptions = {}): AsyncGenerator<FormPart, void, undefined> {
    const settings = toFormOptions('multipart', options);
    const type = mediaType(this.#exchange);
    if (type !== MULTIPART) return refuseType(type, `A form of the type ${MULTIPART}`);
    needNode('multipart()', 'take c.request.formData()');
    return multipart()(this, this.#exchange.header('content-type') ?? '', settings);
  }

  /**
   * @internal What a schema is given: JSON, or a form as queries are; `undefined` where there is no content, which is
   * the schema's to judge. A promise of it only where it has not come yet.
   * @throws HttpError 415 for another type, 400 for what is not of its type
   */
  value(): unknown {
    if (this.#exchange.contentState === 'none') return undefined;
    const type = mediaType(this.#exchange);
    if (isForm(type)) return this.#entries(type, { limits: toFormLimits(), names: 'utf8' }).then(toObject);
    if (!isJson(type)) return refuseType(type, 'JSON or a form');
    const text = this.textThatCame();
    return text === null ? this.text().then(toValue) : toValue(text);
  }

  /**
   * @internal The whole content where it came with the head, as nearly always; null where it did not, and where a look
   * at each of its bytes has to say whether it is UTF-8. @throws HttpError 413 beyond the limit
   */
  textThatCame(): string | null {
    if (this.#isStreamed || this.#exchange.contentState !== 'inline') return null;
    checkDeclared(this.#exchange, this.#limit);
    const text = this.#exchange.inlineText();
    return text.includes(REPLACEMENT) || text.charCodeAt(0) === BYTE_ORDER_MARK ? null : text;
  }

  /** @internal Whether the content is said to be a form. */
  get isForm(): boolean {
    return isForm(mediaType(this.#exchange));
  }

  /** Piece by piece; the client waits while nobody asks for the next one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#whole !== null) {
      yield await this.#whole;
      return;
    }
    this.#isStreamed = true;
    let length = 0;
    for await (const piece of piecesOf(this.#exchange)) {
      length += piece.byteLength;
      if (length > this.#streamLimit) throw tooLarge(this.#streamLimit);
      yield piece;
    }
  }

  /** The same as a web stream. */
  stream(): ReadableStream<Uint8Array> {
    return toWebStream(this[Symbol.asyncIterator]());
  }
}

const isForm = (type: string): type is typeof FORM | typeof MULTIPART => type === FORM || type === MULTIPART;

const isJson = (type: string): boolean => type === '' || type === JSON_TYPE || type.endsWith('+json') || type === 'text/json';

const toValue = (text: string): unknown => (text === '' ? undefined : parseJson(text));

/** Type and subtype in lower case, without parameters; empty where none is said. */
function mediaType(exchange: Exchange): string {
  const given = exchange.header('content-type');
  if (given === undefined) return '';
  if (given === JSON_TYPE) return given;
  const end = given.indexOf(';');
  return (end < 0 ? given : given.slice(0, end)).trim().toLowerCase();
}

function tooLarge(limit: number): HttpError {
  return new HttpError(413, `Content of ${limit} bytes is accepted at most.`, { details: { limit } });
}

/** @throws HttpError 413 */
function checkDeclared(exchange: Exchange, limit: number): void {
  const declared = Number(exchange.header('content-length') ?? NaN);
  if (declared > limit || exchange.inlineBytes > limit) throw tooLarge(limit);
}

async function readWhole(exchange: Exchange, limit: number): Promise<Uint8Array> {
  const { contentState } = exchange;
  if (contentState === 'none') return EMPTY;
  checkDeclared(exchange, limit);
  if (contentState === 'inline') return exchange.inlineContent();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of piecesOf(exchange)) {
    length += piece.byteLength;
    if (length > limit) throw tooLarge(limit);
    pieces.push(piece);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** Hands over what comes, one piece at a time. */
class Pieces implements ContentSink {
  readonly #exchange: Exchange;
  readonly #waiting: Uint8Array[] = [];
  #isPaused = false;
  #isEnded = false;
  #error: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  onContent(chunk: Uint8Array): void {
    this.#waiting.push(chunk);
    if (this.#waiting.length >= PIECES_MAX && !this.#isPaused) {
      this.#isPaused = true;
      this.#exchange.pauseContent();
    }
    this.#wake?.();
  }

  onContentEnd(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  fail(error: Error): void {
    this.#error = error;
    this.#wake?.();
  }

  /** Undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const piece = this.#waiting.shift();
      if (piece !== undefined) return piece;
      if (this.#error !== null) throw this.#error;
      if (this.#isEnded) return undefined;
      if (this.#isPaused) {
        this.#isPaused = false;
        this.#exchange.readContent(this);
        continue;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = null;
    }
  }
}

async function* piecesOf(exchange: Exchange): AsyncGenerator<Uint8Array, void, undefined> {
  const state = exchange.contentState;
  if (state === 'none') return;
  const inline = exchange.inlineContent();
  if (inline.byteLength > 0) yield inline;
  if (state === 'inline') return;
  const pieces = new Pieces(exchange);
  const forget = onAbort(exchange, (error) =>
    pieces.fail(new HttpError(400, 'The client left before the content was complete.', { cause: error })),
  );
  let isComplete = false;
  try {
    exchange.readContent(pieces);
    for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) yield piece;
    isComplete = true;
  } finally {
    forget();
    if (!isComplete) exchange.discardContent();
  }
}
