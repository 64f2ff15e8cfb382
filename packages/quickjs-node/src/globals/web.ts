/**
 * The web's globals. Each is made when it is first used: an application that uses none of them pays for none.
 */
import later, { type LateFile } from 'fulmar:later';
import { defineGlobals } from './define.ts';

/** Modules of the host and the globals each of them exports. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  [later.file<typeof import('../web/url.later.ts')>()]: ['URL', 'URLSearchParams'],
  [later.file<typeof import('../web/events.later.ts')>()]: ['Event', 'EventTarget', 'CustomEvent'],
  [later.file<typeof import('../web/abort.later.ts')>()]: ['AbortController', 'AbortSignal'],
  [later.file<typeof import('../web/blob.later.ts')>()]: ['Blob', 'File'],
  [later.file<typeof import('../web/messages.later.ts')>()]: ['BroadcastChannel', 'MessageChannel', 'MessagePort', 'MessageEvent'],
  [later.file<typeof import('../web/fetch.later.ts')>()]: ['fetch', 'FormData', 'Headers', 'Request', 'Response'],
  [later.file<typeof import('../web/websocket.later.ts')>()]: ['CloseEvent', 'WebSocket'],
  [later.file<typeof import('../web/streams.later.ts')>()]: [
    'ByteLengthQueuingStrategy',
    'CompressionStream',
    'CountQueuingStrategy',
    'DecompressionStream',
    'ReadableByteStreamController',
    'ReadableStream',
    'ReadableStreamBYOBReader',
    'ReadableStreamBYOBRequest',
    'ReadableStreamDefaultController',
    'ReadableStreamDefaultReader',
    'TextDecoderStream',
    'TextEncoderStream',
    'TransformStream',
    'TransformStreamDefaultController',
    'WritableStream',
    'WritableStreamDefaultController',
    'WritableStreamDefaultWriter',
  ],
};

export function defineWebGlobals(): void {
  for (const module in MODULES) defineGlobals(MODULES[module] as readonly string[], (name) => exported(module, name));
  defineGlobals(['Crypto', 'CryptoKey', 'SubtleCrypto'], (name) => webCrypto()[name]);
  defineGlobals(['crypto'], () => webCrypto()['webcrypto']);
  defineGlobals(['Intl'], () => locale().Intl);
  defineLocaleMethods();
}

type Locale = typeof import('../intl/intl.later.ts');
const locale = (): Locale => later<typeof import('../intl/intl.later.ts')>() as Locale;

/** QuickJS's own know neither options nor the usual forms. */
function defineLocaleMethods(): void {
  const methods: readonly [string, 'all' | 'date' | 'time'][] = [
    ['toLocaleString', 'all'],
    ['toLocaleDateString', 'date'],
    ['toLocaleTimeString', 'time'],
  ];
  for (const [name, kind] of methods) {
    define(Date.prototype, name, function (this: Date, locales?: unknown, options?: Intl.DateTimeFormatOptions) {
      return locale().dateText(this, kind, locales, options);
    });
  }
  for (const type of [Number, BigInt]) {
    define(type.prototype, 'toLocaleString', function (this: number | bigint, locales?: unknown, options?: Intl.NumberFormatOptions) {
      return locale().numberText(this.valueOf(), locales, options);
    });
  }
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
}

function webCrypto(): Record<string, unknown> {
  return later<typeof import('../crypto/webcrypto.later.ts')>() as Record<string, unknown>;
}

function exported(module: string, name: string): unknown {
  return later(module as LateFile<Record<string, unknown>>)[name];
}
