/**
 * Streamed content between the engine and its sink: what came while the sink was paused waits here, in order, at most one
 * receive (64 KiB), because a paused exchange is not received for.
 */
import type { ContentSink } from './types.ts';

export class ContentFlow {
  /** The engine has delivered the end. */
  ended = false;
  #sink: ContentSink | null = null;
  #paused = true;
  #waiting: Buffer[] = [];
  #trailers: string[] | null = null;

  /** Somebody takes content and more may come. */
  get isTaken(): boolean {
    return this.#sink !== null && !this.ended;
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
    this.#waiting = [];
    this.#sink = null;
  }

  receive(chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#flush();
  }

  receiveEnd(trailers: string[]): void {
    this.#trailers = trailers;
    this.#flush();
  }

  #flush(): void {
    while (this.#sink !== null && !this.#paused && this.#waiting.length > 0) this.#sink.onContent(this.#waiting.shift()!);
    if (this.#trailers === null || this.#sink === null || this.#paused || this.#waiting.length > 0) return;
    const trailers = this.#trailers;
    this.#trailers = null;
    this.#sink.onContentEnd(trailers);
  }
}
