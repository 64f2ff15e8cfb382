/**
 * How long `fetch` waits for a server: undici's limits, for the connection, for the head of the reply and for
 * each further piece of its content. `FULMAR_NATIVE_FETCH_LIMIT_MS` makes all of them one number; it is for
 * tests.
 */
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { bodyTimeout, connectTimeout, headersTimeout } from './transport-errors.ts';

interface Limits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyMs: number;
}

const LIMITS: Limits = { connectMs: 10_000, headersMs: 300_000, bodyMs: 300_000 };

let limits: Limits | undefined;

function currentLimits(): Limits {
  if (limits === undefined) {
    const ms = Number(process.env['FULMAR_NATIVE_FETCH_LIMIT_MS'] ?? 0);
    limits = ms > 0 ? { connectMs: ms, headersMs: ms, bodyMs: ms } : LIMITS;
  }
  return limits;
}

/** An application may have put timers of its own in place of the global ones. */
const timers = (): typeof import('node:timers') => process.getBuiltinModule('node:timers');

interface Encrypting extends Socket {
  readonly encrypted?: true;
  readonly secureConnecting?: boolean;
}

/** Waits for one request and tells `refuse` when it has waited too long. */
export class Patience {
  readonly #url: URL;
  readonly #refuse: (error: Error) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Content of unknown length is on its way to the server. */
  isSending = false;
  /** The reader takes no content for now. */
  isPaused = false;

  constructor(url: URL, refuse: (error: Error) => void) {
    this.#url = url;
    this.#refuse = refuse;
  }

  /** Of an attempt to send the request. */
  watch(request: ClientRequest): void {
    request.once('socket', (socket: Encrypting) => this.#connecting(request, socket));
    // Content that is read late must not make the reply late.
    request.on('drain', () => this.refresh());
    request.once('finish', () => this.refresh());
  }

  #connecting(request: ClientRequest, socket: Encrypting): void {
    const event = socket.encrypted === true ? 'secureConnect' : 'connect';
    if (!socket.connecting && (socket.encrypted !== true || socket.secureConnecting !== true)) {
      this.#head(request);
      return;
    }
    const { connectMs } = currentLimits();
    this.#wait(connectMs, () => this.#refuse(connectTimeout(socket, this.#url, connectMs)));
    socket.once(event, () => this.#head(request));
  }

  #head(request: ClientRequest): void {
    this.#wait(currentLimits().headersMs, () => {
      // As undici: while content is being made for a server that takes it, nobody waits for the reply.
      if (!this.isSending || request.writableNeedDrain) this.#refuse(headersTimeout());
    });
  }

  /** The head has come. */
  content(): void {
    this.#wait(currentLimits().bodyMs, () => {
      if (!this.isPaused) this.#refuse(bodyTimeout());
    });
  }

  /** Something has happened. */
  refresh(): void {
    this.#timer?.refresh();
  }

  end(): void {
    if (this.#timer !== undefined) timers().clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(ms: number, then: () => void): void {
    this.end();
    this.#timer = timers().setTimeout(then, ms);
    // The connection keeps the process.
    this.#timer.unref();
  }
}
