/**
 * `MessageChannel`, `MessagePort` and `BroadcastChannel`, within this process.
 */
import { coded } from '../shared/errors.ts';
import { defineHandler, Event, EventTarget, listenersChanged } from './events.later.ts';
import { exposed } from './idl.later.ts';

const OURS = Symbol('ours');
let pair: (a: MessagePort, b: MessagePort) => void;

interface MessageInit {
  readonly data?: unknown;
  readonly origin?: string;
  readonly lastEventId?: string;
  readonly source?: unknown;
  readonly ports?: readonly MessagePort[];
}

export class MessageEvent extends Event {
  readonly data: unknown;
  readonly origin: string;
  readonly lastEventId: string;
  readonly source: unknown;
  readonly ports: readonly MessagePort[];

  constructor(type: string, init: MessageInit = {}) {
    super(type);
    this.data = init.data ?? null;
    this.origin = init.origin ?? '';
    this.lastEventId = init.lastEventId ?? '';
    this.source = init.source ?? null;
    this.ports = init.ports ?? [];
  }
}

/** A queue of messages that starts when somebody listens. */
export class MessagePort extends EventTarget {
  #other: MessagePort | undefined;
  #waiting: unknown[] = [];
  #started = false;
  #referenced = false;
  #timer: NodeJS.Timeout | undefined;

  static {
    pair = (a, b) => {
      a.#other = b;
      b.#other = a;
    };
  }

  constructor(key?: unknown) {
    if (key !== OURS) throw coded(TypeError, 'ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called');
    super();
  }

  postMessage(message: unknown, options?: readonly unknown[] | { readonly transfer?: readonly unknown[] }): void {
    const transfer = Array.isArray(options) ? (options as unknown[]) : (options as { transfer?: unknown[] } | undefined)?.transfer;
    const copy: unknown = structuredClone(message, transfer === undefined ? undefined : { transfer: transfer as never });
    const other = this.#other;
    if (other !== undefined) other.#take(copy);
  }

  #take(message: unknown): void {
    this.#waiting.push(message);
    if (this.#started) setImmediate(() => this.#deliver());
  }

  #deliver(): void {
    if (this.#waiting.length === 0 || !this.#started) return;
    const data = this.#waiting.shift();
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  start(): void {
    if (this.#started || this.#other === undefined) return;
    this.#started = true;
    for (let count = this.#waiting.length; count > 0; count -= 1) setImmediate(() => this.#deliver());
  }

  override [listenersChanged](type: string, count: number): void {
    if (type !== 'message') return;
    if (count > 0) {
      this.ref();
      this.start();
    } else {
      this.unref();
    }
  }

  close(): void {
    const other = this.#other;
    if (other === undefined) return;
    this.#other = undefined;
    other.#other = undefined;
    for (const port of [this, other]) {
      port.unref();
      setImmediate(() => port.dispatchEvent(new Event('close')));
    }
  }

  /** A port that is listened to keeps the process alive. */
  ref(): void {
    if (this.#referenced || this.#other === undefined) return;
    this.#referenced = true;
    this.#timer = setInterval(() => {}, 2 ** 30);
  }

  unref(): void {
    this.#referenced = false;
    if (this.#timer !== undefined) clearInterval(this.#timer);
    this.#timer = undefined;
  }

  hasRef(): boolean {
    return this.#referenced;
  }

  on(type: string, listener: (value: unknown) => void): this {
    this.addEventListener(type, (event) => listener((event as MessageEvent).data));
    return this;
  }

  once(type: string, listener: (value: unknown) => void): this {
    this.addEventListener(type, (event) => listener((event as MessageEvent).data), { once: true });
    return this;
  }
}

exposed(MessagePort);
for (const type of ['message', 'messageerror', 'close']) defineHandler(MessagePort, type);

export class MessageChannel {
  readonly port1 = new MessagePort(OURS);
  readonly port2 = new MessagePort(OURS);

  constructor() {
    pair(this.port1, this.port2);
  }
}

/** All open channels by their names. */
const channels = new Map<string, Set<BroadcastChannel>>();

export class BroadcastChannel extends EventTarget {
  readonly #name: string;
  #closed = false;

  constructor(name: string) {
    super();
    this.#name = `${name}`;
    const all = channels.get(this.#name);
    if (all === undefined) channels.set(this.#name, new Set([this]));
    else all.add(this);
  }

  get name(): string {
    return this.#name;
  }

  postMessage(message: unknown): void {
    if (this.#closed) throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    const data = structuredClone(message);
    for (const channel of channels.get(this.#name) ?? []) {
      if (channel === this) continue;
      setImmediate(() => {
        if (!channel.#closed) channel.dispatchEvent(new MessageEvent('message', { data }));
      });
    }
  }

  close(): void {
    this.#closed = true;
    const all = channels.get(this.#name);
    all?.delete(this);
    if (all?.size === 0) channels.delete(this.#name);
  }

  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

exposed(BroadcastChannel);
for (const type of ['message', 'messageerror']) defineHandler(BroadcastChannel, type);
