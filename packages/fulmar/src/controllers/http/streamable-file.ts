/**
 * `StreamableFile`: bytes or a stream as a reply, with what is said of it.
 */
import { Readable } from 'node:stream';

export interface StreamableFileOptions {
  type?: string;
  disposition?: string | string[];
  length?: number;
}
export interface StreamableHandlerResponse {
  destroyed: boolean;
  headersSent: boolean;
  statusCode: number;
  send: (body: string) => void;
  end: () => void;
  destroy?: () => void;
}
type ErrorHandler = (error: Error, response: StreamableHandlerResponse) => void;

export class StreamableFile {
  readonly options: StreamableFileOptions;
  readonly #stream: Readable;
  #handleError: ErrorHandler = answerError;

  /** @throws TypeError for what is neither bytes nor a stream */
  constructor(bytesOrStream: Uint8Array | Readable, options: StreamableFileOptions = {}) {
    if (bytesOrStream instanceof Uint8Array) {
      this.#stream = new Readable({ read: () => undefined });
      this.#stream.push(bytesOrStream);
      this.#stream.push(null);
      this.options = { ...options, length: options.length ?? bytesOrStream.byteLength };
      return;
    }
    if (typeof (bytesOrStream as Partial<Readable> | null)?.pipe !== 'function')
      throw new TypeError(`A StreamableFile takes bytes or a stream, and this is of type ${typeof bytesOrStream}.`);
    this.#stream = bytesOrStream;
    this.options = options;
    // One that fails before it is sent would end the process: the failure is looked for then.
    bytesOrStream.on('error', () => undefined);
  }

  getStream(): Readable {
    return this.#stream;
  }

  getHeaders(): { type: string; disposition: string | string[] | undefined; length: number | undefined } {
    const { type = 'application/octet-stream', disposition, length } = this.options;
    return { type, disposition, length };
  }

  get errorHandler(): ErrorHandler {
    return this.#handleError;
  }

  setErrorHandler(handler: ErrorHandler): this {
    this.#handleError = handler;
    return this;
  }
}

/** What has left cannot be taken back: it must not look complete. */
function answerError(_error: Error, response: StreamableHandlerResponse): void {
  if (response.destroyed) return;
  if (response.headersSent) {
    response.destroy?.();
    return;
  }
  response.statusCode = 400;
  response.send('Bad Request');
}
