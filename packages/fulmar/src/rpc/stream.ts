/**
 * A result that comes item by item, as lines of JSON: `{"value":…}` for each, then `{"done":true}`, or
 * `{"error":…}` where it fails. A client that leaves, and a server that ends, end its source at once: no generator,
 * whose end would wait for the item that it has asked for.
 */
import { HttpError } from '../app/index.ts';
import { noteStream } from '../app/open-streams.ts';
import type { Request } from './call.ts';
import { toTold } from './errors.ts';
import { RpcFailure } from './failure.ts';
import type { Endpoint } from './tree.ts';

export const STREAM_TYPE = 'application/x-ndjson';

type Result = IteratorResult<string, undefined>;
const DONE: Result = { done: true, value: undefined };

export class Lines implements AsyncIterableIterator<string> {
  readonly #source: AsyncIterator<unknown>;
  readonly #endpoint: Endpoint;
  readonly #request: Request;
  readonly #whenOver: () => void;
  /** Takes it from the list of those that are open. */
  #forget: (() => void) | null = null;
  #isOver = false;
  /** Answers who waits for an item that does not come any more. */
  #settle: (result: Result) => void = () => {};

  constructor(source: AsyncIterable<unknown>, endpoint: Endpoint, request: Request, whenOver: () => void = () => {}) {
    this.#source = source[Symbol.asyncIterator]();
    this.#endpoint = endpoint;
    this.#request = request;
    this.#whenOver = whenOver;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (this.#isOver) return Promise.resolve(DONE);
    this.#forget ??= noteStream(this.#request.c.settings, () => this.#goAway());
    return new Promise((resolve) => {
      this.#settle = resolve;
      void this.#line().then(resolve);
    });
  }

  return(): Promise<Result> {
    this.#leave();
    this.#settle(DONE);
    return Promise.resolve(DONE);
  }

  async #line(): Promise<Result> {
    let isAsked = true;
    try {
      const { done, value } = await this.#source.next();
      isAsked = false;
      if (this.#isOver) return DONE;
      if (done === true) return this.#last('{"done":true}\n');
      if (value instanceof RpcFailure) {
        this.#leave();
        return { done: false, value: this.#errorLine(value) };
      }
      const members = await this.#endpoint.encode(value);
      return { done: false, value: `{${members === '' ? '"as":"undefined","value":null' : members.slice(1)}}\n` };
    } catch (error) {
      if (this.#isOver) return DONE;
      if (!isAsked) this.#leave();
      return this.#last(this.#errorLine(error));
    }
  }

  /** The source has ended by itself. */
  #last(value: string): Result {
    this.#over();
    return { done: false, value };
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#over();
    const tell = (error: unknown): void => this.#request.log.error(`the end of ${this.#endpoint.name}`, error);
    void Promise.resolve()
      .then(() => this.#source.return?.())
      .catch(tell);
  }

  #over(): void {
    this.#isOver = true;
    this.#forget?.();
    this.#whenOver();
  }

  /** The server stops to listen, and waits for no stream. */
  #goAway(): void {
    const error = new HttpError(503, 'The server is going away.');
    const value = this.#errorLine(error);
    this.#leave();
    this.#request.c.abort(error);
    this.#settle({ done: false, value });
  }

  #errorLine(error: unknown): string {
    return `${JSON.stringify({ error: toTold(error, this.#endpoint.name, this.#request.log) })}\n`;
  }
}
