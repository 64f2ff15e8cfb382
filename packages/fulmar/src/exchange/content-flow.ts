/**
 * Streamed content between the engine and its sink: what came while the sink was paused waits here, in order,
 * at most one receive (64 KiB), because a paused exchange is not received for.
 */
import type { ContentSink } from './types.ts';

export class ContentFlow {
  /** The engine has delivered the end. */
  ended = false;
  #sink: ContentSink | null = null;
  #paused = true;
  /** Written and read by index: an application may have replaced `Array.prototype.push` and `shift`. */
  #waiting: Buffer[] = [];
  /** The first of them that is still to be delivered. */
  #next = 0;
  #trailers: string[] | null = null;

  /** Somebody takes content and more may come. */
  get isTaken(): boolean {
    return this.#sink !== null && !this.ended;
  }

  /** What comes waits until the sink asks for it. */
  hold(sink: ContentSink): void {
    this.#sink = sink;
  }

  /** Delivers what waits. True: the engine should go on. */
  resume(sink: ContentSink): boolean {
    this.#sink = sink;
    const wasPaused = this.#paused;
    this.#paused = false;
    this.#flush();
    return wasPaused && !this.#paused && !this.ended;
  }

  /** True: the engine should stop. */
  pause(): boolean {
    if (this.#paused) return false;
    this.#paused = true;
    return !this.ended;
  }

  discard(): void {
    this.#empty();
    this.#sink = null;
  }

  receive(chunk: Buffer): void {
    this.#waiting[this.#waiting.length] = chunk;
    this.#flush();
  }

  receiveEnd(trailers: string[]): void {
    this.#trailers = trailers;
    this.#flush();
  }

  #flush(): void {
    while (this.#sink !== null && !this.#paused && this.#waiting.length > 0) {
      const chunk = this.#waiting[this.#next++] as Buffer;
      if (this.#next === this.#waiting.length) this.#empty();
      this.#sink.onContent(chunk);
    }
    if (this.#trailers === null || this.#sink === null || this.#paused || this.#waiting.length > 0) return;
    const trailers = this.#trailers;
    this.#trailers = null;
    this.#sink.onContentEnd(trailers);
  }

  #empty(): void {
    this.#waiting.length = 0;
    this.#next = 0;
  }
}
