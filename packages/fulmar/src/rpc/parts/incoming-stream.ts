/**
 * A stream that a client sends, as its procedure reads it: an async iterable, whose items are judged one by one. Who
 * stops to read it has the rest thrown away; what does not fit is thrown where it is read, and ends it.
 */
import { InvalidParams, type RpcIssue } from '../errors.ts';
import type { PartSource } from './parts.ts';

export type JudgeItem = (value: unknown) => Judged | Promise<Judged>;
type Judged = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly RpcIssue[] };

export class IncomingStream implements AsyncIterableIterator<unknown> {
  /** The number of the parameter, for what is told of items. */
  param = 0;
  readonly #source: PartSource;
  readonly #judge: JudgeItem;
  #count = 0;
  #isOver = false;

  constructor(source: PartSource, judge: JudgeItem = (value) => ({ value })) {
    this.#source = source;
    this.#judge = judge;
  }

  /** The same with items judged. */
  of(judge: JudgeItem): IncomingStream {
    return new IncomingStream(this.#source, judge);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<unknown, undefined>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      const next = await this.#source.next();
      if (next === undefined) {
        this.#isOver = true;
        return { done: true, value: undefined };
      }
      const at = this.#count;
      this.#count += 1;
      const judged = await this.#judge(next.value);
      if (judged.issues === undefined) return { done: false, value: judged.value };
      throw new InvalidParams(judged.issues.map((issue) => ({ ...issue, path: [this.param, at, ...issue.path] })));
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  return(): Promise<IteratorResult<unknown, undefined>> {
    this.#leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  #leave(): void {
    this.#isOver = true;
    this.#source.leave();
  }
}
