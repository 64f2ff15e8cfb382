/**
 * `readline.Interface`: a stream's text, line by line. Editing a line is left to the terminal (its cooked
 * mode): there is no history, no completion and no cursor within the line.
 */
import { EventEmitter, on } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { StringDecoder } from 'node:string_decoder';
import { AbortError, coded, invalidArgValue } from '../shared/errors.ts';
import { validateAbortSignal, validateArray, validateNumber, validateUint32 } from '../shared/validators.ts';

const LINE_END = /\r?\n|\r(?!\n)|\u2028|\u2029/g;
const CRLF_DELAY_MS = 100;
/** Lines that wait for an asynchronous iterator before the input pauses. */
const WAITING_LINES_MAX = 1024;

export interface InterfaceOptions {
  readonly input: Readable & { isTTY?: boolean };
  readonly output?: Writable & { isTTY?: boolean; columns?: number };
  readonly completer?: (...args: never[]) => unknown;
  readonly terminal?: boolean;
  readonly history?: string[];
  readonly historySize?: number;
  readonly removeHistoryDuplicates?: boolean;
  readonly prompt?: string;
  readonly crlfDelay?: number;
  readonly escapeCodeTimeout?: number;
  readonly tabSize?: number;
  readonly signal?: AbortSignal;
}

function isOptions(value: unknown): value is InterfaceOptions {
  return typeof value === 'object' && value !== null && 'input' in value;
}

/** `(options)` or `(input, output, completer, terminal)` */
function optionsOf(input: unknown, output?: unknown, completer?: unknown, terminal?: unknown): InterfaceOptions {
  if (isOptions(input) && typeof (input as { on?: unknown }).on !== 'function') return input;
  return { input, output, completer, terminal } as InterfaceOptions;
}

function check(options: InterfaceOptions): void {
  const { completer, history, historySize, signal, tabSize, escapeCodeTimeout } = options;
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  if (completer !== undefined && completer !== null && typeof completer !== 'function') throw invalidArgValue('completer', completer);
  if (history !== undefined) validateArray(history, 'history');
  if (historySize !== undefined) validateNumber(historySize, 'historySize', 0);
  if (tabSize !== undefined) validateUint32(tabSize, 'tabSize', true);
  if (escapeCodeTimeout !== undefined && !Number.isFinite(escapeCodeTimeout)) {
    throw invalidArgValue('input.escapeCodeTimeout', escapeCodeTimeout);
  }
}

export class Interface extends EventEmitter {
  readonly input: InterfaceOptions['input'];
  readonly output: InterfaceOptions['output'];
  readonly crlfDelay: number;
  terminal: boolean;
  line = '';
  cursor = 0;
  history: string[];
  paused = false;
  closed = false;
  #prompt: string;
  #oldPrompt: string;
  #question: ((answer: string) => void) | undefined;
  readonly #decoder: StringDecoder;
  #rest = '';
  #returnAt = 0;
  #cleanup: () => void = () => {};

  constructor(input: unknown, output?: unknown, completer?: unknown, terminal?: unknown) {
    super();
    const options = optionsOf(input, output, completer, terminal);
    check(options);
    this.input = options.input;
    this.output = options.output;
    this.terminal = options.terminal ?? options.output?.isTTY === true;
    this.history = options.history ?? [];
    this.crlfDelay = options.crlfDelay === undefined ? CRLF_DELAY_MS : Math.max(CRLF_DELAY_MS, options.crlfDelay);
    this.#prompt = options.prompt ?? '> ';
    this.#oldPrompt = this.#prompt;
    this.#decoder = new (process.getBuiltinModule('node:string_decoder').StringDecoder)('utf8');
    this.#listen(options.signal);
    this.input.resume();
  }

  #listen(signal: AbortSignal | undefined): void {
    const onData = (chunk: string | Buffer): void => this.#take(chunk);
    const onEnd = (): void => this.#ended();
    const onError = (error: Error): void => void this.emit('error', error);
    const onInterrupt = (): void => void this.emit('SIGINT');
    const close = (): void => this.close();
    this.input.on('data', onData);
    this.input.on('end', onEnd);
    this.input.on('error', onError);
    this.on('newListener', (name) => {
      if (name === 'SIGINT' && this.terminal && this.listenerCount('SIGINT') === 0) process.on('SIGINT', onInterrupt);
    });
    if (signal?.aborted) process.nextTick(close);
    else signal?.addEventListener('abort', close, { once: true });
    this.#cleanup = () => {
      this.input.removeListener('data', onData);
      this.input.removeListener('end', onEnd);
      this.input.removeListener('error', onError);
      process.removeListener('SIGINT', onInterrupt);
      signal?.removeEventListener('abort', close);
    };
  }

  get columns(): number {
    return this.output?.columns ?? Infinity;
  }

  /** Splits text into lines; what is not ended yet waits. */
  #take(chunk: string | Uint8Array): void {
    let text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk as Buffer);
    if (text === '') return;
    if (this.#returnAt > 0 && Date.now() - this.#returnAt <= this.crlfDelay && text.startsWith('\n')) text = text.slice(1);
    this.#returnAt = text.endsWith('\r') ? Date.now() : 0;
    const all = this.#rest + text;
    let from = 0;
    for (const { index, 0: end } of all.matchAll(LINE_END)) {
      const line = all.slice(from, index);
      from = index + end.length;
      this.#rest = all.slice(from);
      this.#tell(line);
    }
    this.#rest = all.slice(from);
  }

  #ended(): void {
    const last = this.#rest + this.#decoder.end();
    this.#rest = '';
    if (last.length > 0) this.#tell(last);
    this.close();
  }

  #tell(line: string): void {
    const answer = this.#question;
    if (answer === undefined) {
      this.emit('line', line);
      return;
    }
    this.#question = undefined;
    this.setPrompt(this.#oldPrompt);
    answer(line);
  }

  #checkOpen(): void {
    if (this.closed) throw coded(Error, 'ERR_USE_AFTER_CLOSE', 'readline was closed');
  }

  setPrompt(prompt: string): void {
    this.#prompt = prompt;
  }

  getPrompt(): string {
    return this.#prompt;
  }

  prompt(_preserveCursor?: boolean): void {
    this.#checkOpen();
    if (this.paused) this.resume();
    if (this.output !== undefined && this.output !== null) this.output.write(this.#prompt);
  }

  /** Asks; the next line is the answer. */
  ask(query: string, answer: (line: string) => void): void {
    this.#checkOpen();
    if (this.#question !== undefined) {
      this.prompt();
      return;
    }
    this.#oldPrompt = this.#prompt;
    this.setPrompt(query);
    this.#question = answer;
    this.prompt();
  }

  /** The answer is not waited for any more. */
  forget(): void {
    if (this.#question === undefined) return;
    this.#question = undefined;
    this.setPrompt(this.#oldPrompt);
  }

  pause(): this {
    if (this.paused) return this;
    this.input.pause();
    this.paused = true;
    this.emit('pause');
    return this;
  }

  resume(): this {
    if (!this.paused) return this;
    this.input.resume();
    this.paused = false;
    this.emit('resume');
    return this;
  }

  write(data: string | Uint8Array | null | undefined, _key?: object): void {
    this.#checkOpen();
    if (this.paused) this.resume();
    if (data !== null && data !== undefined) this.#take(data);
  }

  close(): void {
    if (this.closed) return;
    this.pause();
    this.#cleanup();
    this.closed = true;
    this.emit('close');
  }

  getCursorPos(): { rows: number; cols: number } {
    return { rows: 0, cols: this.#prompt.length + this.#rest.length };
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<string> {
    const lines = on(this, 'line', { close: ['close'], highWaterMark: WAITING_LINES_MAX } as never) as AsyncIterator<[string]>;
    const iterator = {
      next: async () => {
        const { done, value } = await lines.next();
        return done === true ? { done, value: undefined } : { done: false as const, value: value[0] };
      },
      return: async () => {
        await lines.return?.();
        this.close();
        return { done: true as const, value: undefined };
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator as AsyncIterableIterator<string>;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

export function aborted(signal: AbortSignal): Error {
  return new AbortError(undefined, { cause: signal.reason });
}
