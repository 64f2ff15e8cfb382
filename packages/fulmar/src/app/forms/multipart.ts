/**
 * `multipart/form-data`, part by part, as fast as it is read: what busboy finds, within limits, and errors
 * that say whose fault it is. Loaded with the first such form.
 */
import { roomIn } from '../room.ts';
import busboy from 'busboy';
import { HttpError } from '../http-error.ts';
import { IncomingFile } from './file-part.ts';
import { type AllFormLimits, beyond } from './limits.ts';
import type { FieldPart, FormPart } from './parts-types.ts';

/** RFC 2046, 5.1.1. */
const BOUNDARY_LENGTH_MAX = 70;
const BOUNDARY = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i;
// oxlint-disable-next-line no-control-regex -- what no name of a file has
const CONTROLS = /[\0-\x1f\x7f]/g;

export interface MultipartSettings {
  readonly limits: AllFormLimits;
  /** Of names that are written as they are. */
  readonly names: 'utf8' | 'latin1';
}

type Parser = ReturnType<typeof busboy>;

const encoder = new TextEncoder();

class Multipart {
  readonly #limits: AllFormLimits;
  readonly #parser: Parser;
  readonly #parts: (FieldPart | IncomingFile)[] = [];
  #count = 0;
  #error: unknown = null;
  #isEnded = false;
  #wake: (() => void) | null = null;

  constructor(contentType: string, { limits, names }: MultipartSettings) {
    this.#limits = limits;
    this.#parser = parserOf(contentType, { limits, names });
    this.#parser
      .on('field', (name, value, { mimeType, valueTruncated }) => {
        if (valueTruncated === true)
          return this.#fail(beyond('fieldSize', limits.fieldSize, `The field ${JSON.stringify(name)} is too long`));
        this.#add(name, (checked) => ({ kind: 'field', name: checked, value, type: mimeType }));
      })
      .on('file', (name, stream, { filename = '', mimeType }) => {
        // Also of a file that nobody reads.
        stream.on('error', () => {});
        stream.on('limit', () => this.#fail(beyond('fileSize', limits.fileSize, `The file ${JSON.stringify(name)} is too long`)));
        const info = { filename: unescaped(filename).replaceAll(CONTROLS, ''), type: mimeType };
        this.#add(name, (checked) => new IncomingFile({ name: checked, ...info }, stream, (error) => this.#error ?? toHttpError(error)));
      })
      .on('fieldsLimit', () => this.#fail(beyond('fields', limits.fields, 'The form has too many fields')))
      .on('filesLimit', () => this.#fail(beyond('files', limits.files, 'The form has too many files')))
      .on('error', (error) => this.#fail(error))
      .on('close', () => {
        this.#isEnded = true;
        this.#wake?.();
      });
  }

  /** Ends when all parts have been given. Who stops before has the rest of the content thrown away. */
  async *read(content: AsyncIterable<Uint8Array>): AsyncGenerator<FormPart, void, undefined> {
    const feeding = this.#feed(content);
    try {
      for (;;) {
        const part = this.#parts.shift();
        if (part !== undefined) {
          yield part;
          if (part.kind === 'file') part.drain();
        } else if (this.#error !== null) throw this.#error;
        else if (this.#isEnded) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      for (const part of this.#parts) if (part.kind === 'file') part.drain();
      if (!this.#isEnded) this.#error ??= new TypeError('A file is read before the loop over the parts is left: await what reads it.');
      this.#isEnded = true;
      this.#parser.destroy();
      void feeding;
    }
  }

  async #feed(content: AsyncIterable<Uint8Array>): Promise<void> {
    const parser = this.#parser;
    try {
      for await (const piece of content) {
        if (parser.destroyed) return;
        if (!parser.write(piece)) await roomIn(parser);
        if (parser.destroyed) return;
      }
      parser.end();
    } catch (error) {
      this.#fail(error);
    }
  }

  #add(given: string | undefined, make: (name: string) => FieldPart | IncomingFile): void {
    const { parts, fieldNameSize } = this.#limits;
    this.#count += 1;
    if (given === undefined) return this.#fail(new HttpError(400, 'A part of the form has no name.'));
    const name = unescaped(given);
    if (encoder.encode(name).byteLength > fieldNameSize)
      return this.#fail(beyond('fieldNameSize', fieldNameSize, 'A name of the form is too long'));
    if (this.#count > parts) return this.#fail(beyond('parts', parts, 'The form has too many parts'));
    if (this.#error !== null) return;
    this.#parts.push(make(name));
    this.#wake?.();
  }

  #fail(error: unknown): void {
    if (this.#error !== null || this.#isEnded) return;
    this.#error = toHttpError(error);
    this.#parser.destroy(this.#error as Error);
    this.#wake?.();
  }
}

function parserOf(contentType: string, { limits, names }: MultipartSettings): Parser {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? '';
  if (boundary === '' || boundary.length > BOUNDARY_LENGTH_MAX)
    throw new HttpError(400, `A form names a boundary of 1 to ${BOUNDARY_LENGTH_MAX} characters, and this one has ${boundary.length}.`);
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: names,
      // The parser tells of what reaches a limit; beyond it is one more. Parts are counted here, and those it skips there.
      limits: {
        fieldSize: limits.fieldSize + 1,
        fileSize: limits.fileSize + 1,
        fields: limits.fields,
        files: limits.files,
        parts: limits.parts + 1,
      },
    });
  } catch (cause) {
    throw new HttpError(400, 'The type of the content is none that could be read.', { cause });
  }
}

/** What browsers escape in names, and nothing else (HTML, multipart/form-data encoding algorithm). */
function unescaped(name: string): string {
  return name.includes('%') ? name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n') : name;
}

function toHttpError(error: unknown): unknown {
  if (error instanceof HttpError) return error;
  return new HttpError(400, `The content is no form: ${error instanceof Error ? error.message : String(error)}.`, { cause: error });
}

/** @throws HttpError 400, 413, also while it is read */
export default function readMultipart(
  content: AsyncIterable<Uint8Array>,
  contentType: string,
  settings: MultipartSettings,
): AsyncGenerator<FormPart, void, undefined> {
  return new Multipart(contentType, settings).read(content);
}
