/**
 * The web's globals. Each is made when it is first used: an application that uses none of them pays for none.
 */
import internal from 'fulmar:internal';
import type { InternalByName } from '../internal-modules.ts';
import { defineGlobals } from './define.ts';

/** Modules of the runtime and the globals each of them exports. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  'web/url': ['URL', 'URLSearchParams'],
  'web/events': ['Event', 'EventTarget', 'CustomEvent'],
  'web/abort': ['AbortController', 'AbortSignal'],
  'web/blob': ['Blob', 'File'],
  'web/messages': ['BroadcastChannel', 'MessageChannel', 'MessagePort', 'MessageEvent'],
  'web/fetch': ['fetch', 'FormData', 'Headers', 'Request', 'Response'],
  'web/websocket': ['CloseEvent', 'WebSocket'],
  'web/streams': [
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

type Locale = typeof import('../lazy/intl.ts');
const locale = (): Locale => internal('lazy/intl.cjs') as Locale;

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
  return internal('lazy/crypto/webcrypto.cjs') as Record<string, unknown>;
}

function exported(module: string, name: string): unknown {
  return ((internal as InternalByName)(`lazy/${module}.cjs`) as Record<string, unknown>)[name];
}
