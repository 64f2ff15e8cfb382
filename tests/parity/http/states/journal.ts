/**
 * The ordered list of what one connection's program saw, and the listeners that write it. Never causes
 * anything: listeners are added, fields are read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import type { Watching } from './model.ts';

type Coded = { readonly code?: string; readonly message?: string } | null | undefined;

/** An error by its code; its message where it has none. */
export const nameOf = (error: unknown): string => (error as Coded)?.code ?? (error as Coded)?.message ?? 'none';

const flags = (subject: object, names: readonly string[]): string => {
  const fields = subject as Readonly<Record<string, unknown>>;
  const set = names.filter((name) => fields[name] === true);
  const { errored } = fields;
  if (errored !== null && errored !== undefined) set.push(`errored=${nameOf(errored)}`);
  return `[${set.join(' ')}]`;
};

export const requestFlags = (req: IncomingMessage): string => flags(req, ['aborted', 'destroyed', 'complete', 'readableEnded', 'closed']);
export const replyFlags = (res: ServerResponse): string =>
  flags(res, ['headersSent', 'writableEnded', 'writableFinished', 'destroyed', 'closed']);
export const socketFlags = (socket: Socket): string => flags(socket, ['destroyed', 'readableEnded', 'writableEnded', 'writableFinished']);

export class Journal {
  readonly lines: string[] = [];
  readonly #watching: Watching;
  #moves = 0;
  #sockets = 0;

  constructor(watching: Watching) {
    this.#watching = watching;
  }

  /** How often anything happened, noted or not. */
  get moves(): number {
    return this.#moves;
  }

  note(line: string): void {
    this.#moves += 1;
    this.lines.push(line);
  }

  /** Something happened that is no difference by itself: a chunk came. */
  move(): void {
    this.#moves += 1;
  }

  watchMessages(req: IncomingMessage, res: ServerResponse, number: number): void {
    if (this.#watching === 'closes') {
      req.on('close', () => this.note(`req${number} close ${requestFlags(req)}`));
      res.on('close', () => this.note(`res${number} close ${replyFlags(res)}`));
      return;
    }
    for (const event of ['aborted', 'end', 'close'] as const) {
      req.on(event, () => this.note(`req${number} ${event} ${requestFlags(req)}`));
    }
    req.on('error', (error) => this.note(`req${number} error ${nameOf(error)} ${requestFlags(req)}`));
    for (const event of ['finish', 'close'] as const) res.on(event, () => this.note(`res${number} ${event} ${replyFlags(res)}`));
    res.on('error', (error) => this.note(`res${number} error ${nameOf(error)} ${replyFlags(res)}`));
    finished(req, (error) => this.note(`finished(req${number}) ${nameOf(error)}`));
    finished(res, (error) => this.note(`finished(res${number}) ${nameOf(error)}`));
    this.#watchSignal(res, number);
  }

  /** The usual way to stop work for a client that is gone. */
  #watchSignal(res: ServerResponse, number: number): void {
    const controller = new AbortController();
    controller.signal.addEventListener('abort', () => this.note(`signal${number} abort`));
    res.on('close', () => {
      if (!res.writableFinished) controller.abort();
    });
  }

  watchSocket(socket: Socket, name = `socket${(this.#sockets += 1)}`): void {
    socket.on('end', () => this.note(`${name} end ${socketFlags(socket)}`));
    socket.on('close', (hadError) => this.note(`${name} close ${hadError ? 'after an error ' : ''}${socketFlags(socket)}`));
    socket.on('error', (error) => this.note(`${name} error ${nameOf(error)} ${socketFlags(socket)}`));
  }
}
