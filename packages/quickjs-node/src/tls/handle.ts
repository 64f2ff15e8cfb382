/**
 * A stream handle that encrypts: plain text for the socket above, TLS for the stream below, which may be any
 * Duplex.
 */
import ops from 'fulmar:ops';
import type { TlsConnection, TlsOffer, TlsReceived, TlsSettings } from 'fulmar:ops';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressOut, Done, StreamHandle } from '../net/handle.ts';
import { LATIN1 } from '../buffer/encodings.ts';

const nop = (): void => undefined;
const EPIPE = -32;
/**
 * What a client may send, in bytes, while the settings are waited for; behind that, its connection is not
 * read.
 */
const HELD_MAX = 64 * 1024;

/** As OpenSSL knows one who speaks HTTP to a server of TLS: by the first bytes, which nothing answers. */
const PLAIN = /^(?:(GET |POST |HEAD |PUT )|CONNE)/;
const PLAIN_BYTES = 5;

/** What the socket above is told. */
export interface TlsEvents {
  /**
   * The handshake is over; nothing was sent or handed on yet, and nothing will be to a peer that is refused
   * here.
   */
  secured(): void;
  /** A client's first message has come, and the settings are waited for. */
  offered(offer: TlsOffer): void;
  failed(error: string): void;
  /** A client has got a session that a later connection can go on with. */
  session(): void;
}

interface Names {
  _getsockname?(): AddressOut;
  _getpeername?(): AddressOut;
  setNoDelay?(on: boolean): unknown;
  setKeepAlive?(on: boolean, ms: number): unknown;
  ref?(): unknown;
  unref?(): unknown;
}

/**
 * What Node makes a socket of a stream with that is none; TLS here takes any stream as it is. Packages get
 * hold of it by `_parentWrap`.
 */
function JSStreamSocket(stream: Duplex): Duplex {
  return stream;
}

export class TlsHandle implements StreamHandle {
  readonly lower: Duplex & Names;
  readonly connection: TlsConnection;
  readonly events: TlsEvents;
  reading = false;
  onread: StreamHandle['onread'] = nop;
  bytesRead = 0;
  bytesWritten = 0;
  readonly fd = -1;
  isSecure = false;
  isEnded = false;
  isClosed = false;
  isReferenced = true;
  /** A server that has not heard from the client yet. */
  isFirst: boolean;
  isOffered = false;
  isAccepted = false;
  /** Bytes that have come since the offer, and wait for the settings. */
  held = 0;
  waiting: Buffer[] = [];
  /** Written before the peer was known. */
  early: (readonly [bytes: Uint8Array, done: Done])[] = [];

  /** Without settings a server waits for the client's first message and asks for them. */
  constructor(lower: Duplex, isServer: boolean, settings: TlsSettings | undefined, events: TlsEvents) {
    this.lower = lower;
    this.events = events;
    this.isFirst = isServer;
    this.connection = ops.tlsConnection(isServer, settings);
    // When the peer ends is for the stream above to answer: the stream below must not end by itself
    // meanwhile.
    if (lower instanceof net.Socket) lower.allowHalfOpen = true;
    lower.on('data', (chunk: Buffer) => this.receive(chunk));
    lower.on('end', () => this.ended());
    lower.on('close', () => this.ended());
  }

  /** The stream below as Node has it there. */
  get _parentWrap(): object {
    return this.lower instanceof net.Socket ? this.lower : (Object.create(JSStreamSocket.prototype as object) as object);
  }

  get writeQueueSize(): number {
    return this.lower.writableLength;
  }

  /** Sends what the protocol has to say. */
  flush(done?: Done): void {
    const bytes = this.connection.take();
    if (bytes === undefined || this.lower.destroyed || this.lower.writableEnded) {
      done?.(bytes === undefined ? 0 : EPIPE);
      return;
    }
    this.lower.write(Buffer.from(bytes), (error) => done?.(error ? ((error as NodeJS.ErrnoException).errno ?? EPIPE) : 0));
  }

  receive(chunk: Buffer): void {
    const plain = this.isFirst ? PLAIN.exec(ops.toText(chunk, LATIN1, 0, Math.min(PLAIN_BYTES, chunk.length))) : null;
    this.isFirst = false;
    if (plain !== null) {
      this.events.failed(plain[1] === undefined ? 'HttpsProxyRequest' : 'HttpRequest');
      return;
    }
    this.process(this.connection.receive(chunk));
    if (this.isSecure || this.isClosed) return;
    if (this.isOffered) {
      this.held += chunk.length;
      if (this.held > HELD_MAX && !this.isAccepted) this.lower.pause();
      return;
    }
    const { offer } = this.connection.state();
    if (offer === undefined) return;
    this.isOffered = true;
    this.events.offered(offer);
  }

  /** Goes on after an offer; throws when the settings are wrong. */
  accept(settings: TlsSettings): void {
    const received = this.connection.accept(settings);
    this.isAccepted = true;
    this.lower.resume();
    this.process(received);
  }

  process([error, handshaking, closed, newSessions, ...plain]: TlsReceived): void {
    if (!handshaking && !this.isSecure && error === '') {
      this.isSecure = true;
      this.events.secured();
      if (this.isClosed) return;
      this.sendEarly();
    }
    this.flush();
    if (this.isClosed) return;
    for (let count = 0; count < newSessions && !this.isClosed; count += 1) this.events.session();
    for (const part of plain) this.deliver(Buffer.from(part));
    if (error !== '') this.events.failed(error);
    // What was read has its turn first: it may be answered.
    else if (closed) setImmediate(() => this.ended());
  }

  sendEarly(): void {
    for (const [bytes, done] of this.early.splice(0)) {
      this.connection.send(bytes);
      this.flush(done);
    }
  }

  deliver(chunk: Buffer): void {
    if (this.isClosed) return;
    if (!this.reading) {
      this.waiting.push(chunk);
      this.lower.pause();
      return;
    }
    this.bytesRead += chunk.length;
    this.onread(chunk, 0);
  }

  ended(): void {
    if (this.isEnded || this.isClosed) return;
    if (this.waiting.length > 0 && this.isSecure) return;
    this.isEnded = true;
    this.onread(null, 0);
  }

  readStart(): number {
    this.reading = true;
    if (this.waiting.length > 0) setImmediate(() => this.drain());
    else this.lower.resume();
    return 0;
  }

  drain(): void {
    while (this.reading && this.waiting.length > 0) this.deliver(this.waiting.shift() as Buffer);
    if (this.waiting.length > 0) return;
    if (this.lower.readableEnded || this.lower.destroyed) this.ended();
    else if (this.reading) this.lower.resume();
  }

  readStop(): number {
    this.reading = false;
    return 0;
  }

  write(data: string | Uint8Array, encoding: string, done: Done): number {
    const bytes = typeof data === 'string' ? Buffer.from(data, encoding as BufferEncoding) : data;
    this.bytesWritten += bytes.byteLength;
    if (this.isSecure) {
      this.connection.send(bytes);
      this.flush(done);
    } else this.early.push([bytes, done]);
    return 1;
  }

  shutdown(done: Done): number {
    // Before the handshake is over there is nothing to take leave of.
    if (this.isSecure) this.connection.end();
    this.flush(() => {
      this.lower.end();
      done(0);
    });
    return 0;
  }

  close(done?: () => void): void {
    this.isClosed = true;
    if (this.lower.destroyed) setImmediate(() => done?.());
    else {
      this.lower.once('close', () => done?.());
      this.lower.destroy();
    }
  }

  ref(): void {
    this.isReferenced = true;
    this.lower.ref?.();
  }

  unref(): void {
    this.isReferenced = false;
    this.lower.unref?.();
  }

  hasRef(): boolean {
    return this.isReferenced;
  }

  getAsyncId(): number {
    return 0;
  }

  getsockname(out: AddressOut): number {
    Object.assign(out, this.lower._getsockname?.());
    return 0;
  }

  getpeername(out: AddressOut): number {
    Object.assign(out, this.lower._getpeername?.());
    return 0;
  }

  setNoDelay(on: boolean): number {
    this.lower.setNoDelay?.(on);
    return 0;
  }

  setKeepAlive(on: boolean, seconds: number): number {
    this.lower.setKeepAlive?.(on, seconds * 1000);
    return 0;
  }
}
