/**
 * A transport connection as JavaScript sees it. Made on first use, the same object for all exchanges of the
 * connection.
 */
import type { Binding, RawAddress } from './binding.ts';
import { toContent } from './content-text.ts';
import { socketError } from './errors.ts';
import type { Connection, ConnectionObserver, SocketAddress } from './types.ts';

/** Answers of `write` functions of the binding. */
const ROOM = 0;

export class EngineConnection implements Connection {
  observer: ConnectionObserver | null = null;
  open: boolean;
  readonly slot: number;
  readonly generation: number;
  readonly #binding: Binding;
  #remote: SocketAddress | null | undefined;
  #local: SocketAddress | null | undefined;
  #received = 0;
  #sent = 0;

  constructor(binding: Binding, slot: number, generation: number) {
    this.#binding = binding;
    this.slot = slot;
    this.generation = generation;
    this.open = binding.watch(slot, generation) === 1;
  }

  get remote(): SocketAddress | null {
    if (this.#remote === undefined || this.#remote === null) {
      this.#remote = toAddress(this.#binding.peerAddress(this.slot, this.generation));
      // Who asks for one often asks for the other after the reply (tracers do), when the connection may be
      // gone.
      void this.local;
    }
    return this.#remote;
  }

  get local(): SocketAddress | null {
    this.#local ??= toAddress(this.#binding.localAddress(this.slot, this.generation));
    return this.#local;
  }

  get bytesRead(): number {
    return this.open ? this.#binding.transferred(this.slot, this.generation)[0] : this.#received;
  }

  get bytesWritten(): number {
    return this.open ? this.#binding.transferred(this.slot, this.generation)[1] : this.#sent;
  }

  write(chunk: string | Uint8Array, encoding?: BufferEncoding): boolean {
    if (!this.open) return false;
    this.#binding.collect(); // Replies given before go out before.
    return this.#binding.writeRaw(this.slot, this.generation, toContent(chunk, encoding)) === ROOM;
  }

  get bufferedBytes(): number {
    if (!this.open) return 0;
    this.#binding.collect();
    return this.#binding.bufferedRaw(this.slot, this.generation);
  }

  end(): void {
    if (!this.open) return;
    this.#binding.collect();
    this.#binding.endRaw(this.slot, this.generation);
  }

  destroy(reset = false): void {
    if (!this.open) return;
    this.#binding.collect(); // What node:http would have written already is not lost.
    this.#binding.destroy(this.slot, this.generation, reset);
  }

  pause(): void {
    if (this.open) this.#binding.pauseRaw(this.slot, this.generation, true);
  }

  resume(): void {
    if (this.open) this.#binding.pauseRaw(this.slot, this.generation, false);
  }

  setTimeout(ms: number): void {
    if (this.open) this.#binding.setSocketTimeout(this.slot, this.generation, ms);
  }

  setNoDelay(on: boolean): void {
    if (this.open) this.#binding.setNoDelay(this.slot, this.generation, on);
  }

  setKeepAlive(on: boolean, initialDelayMs: number): void {
    if (this.open) this.#binding.setKeepAlive(this.slot, this.generation, on, initialDelayMs);
  }

  ref(): void {
    if (this.open) this.#binding.setReferenced(this.slot, this.generation, true);
  }

  unref(): void {
    if (this.open) this.#binding.setReferenced(this.slot, this.generation, false);
  }

  /** The engine has closed the descriptor. */
  closed(reason: number, received: number, sent: number): void {
    if (!this.open) return;
    this.open = false;
    this.#received = received;
    this.#sent = sent;
    this.observer?.onClose(socketError(reason));
  }
}

export function toAddress(raw: RawAddress | null): SocketAddress | null {
  return raw === null ? null : { address: raw[0], port: raw[1], family: raw[2] };
}
