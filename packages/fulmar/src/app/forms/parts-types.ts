/** The parts of a form as a handler is given them, one after the other. Types only. */

export interface FieldPart {
  readonly kind: 'field';
  readonly name: string;
  readonly value: string;
  /** The media type that the client names; `text/plain` where it names none. */
  readonly type: string;
}

export interface SaveOptions {
  /** Replaces a file that is there. Default: false, an error. */
  readonly overwrite?: boolean;
}

/**
 * A file that is still on its way: read once, by one of its ways, before the next part is asked for; what
 * nobody reads of it is thrown away. Each of them throws HttpError 413 beyond the file's limit and 400 for
 * content that breaks off.
 */
export interface FilePart extends AsyncIterable<Uint8Array> {
  readonly kind: 'file';
  readonly name: string;
  /** As the client names it, without folders and control characters: a name, never a path. May be empty. */
  readonly filename: string;
  readonly type: string;
  stream(): ReadableStream<Uint8Array>;
  bytes(): Promise<Uint8Array>;
  /** As UTF-8. */
  text(): Promise<string>;
  /** In memory. */
  file(): Promise<File>;
  /** Into a file of the system. What is not complete is deleted. */
  saveTo(path: string, options?: SaveOptions): Promise<{ readonly path: string; readonly size: number }>;
}

export type FormPart = FieldPart | FilePart;
