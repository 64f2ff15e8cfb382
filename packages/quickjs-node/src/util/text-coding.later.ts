/**
 * `TextEncoder` and `TextDecoder`: UTF-8 by the host, UTF-16 and windows-1252.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgType, invalidThis } from '../shared/errors.ts';
import { Buffer } from '../buffer/class.ts';
import { UTF16LE, UTF8 } from '../buffer/encodings.ts';
import { StringDecoder } from '../string_decoder/decoder.ts';

const LABELS: Readonly<Record<string, readonly string[]>> = {
  'utf-8': ['utf-8', 'utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'],
  'utf-16le': ['utf-16le', 'utf-16', 'ucs-2', 'csunicode', 'iso-10646-ucs-2', 'unicode', 'unicodefeff'],
  'utf-16be': ['utf-16be', 'unicodefffe'],
  'windows-1252': [
    'windows-1252',
    'ansi_x3.4-1968',
    'ascii',
    'cp1252',
    'cp819',
    'csisolatin1',
    'ibm819',
    'iso-8859-1',
    'iso-ir-100',
    'iso8859-1',
    'iso88591',
    'iso_8859-1',
    'iso_8859-1:1987',
    'l1',
    'latin1',
    'us-ascii',
    'x-cp1252',
  ],
};

function encodingOf(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  return Object.keys(LABELS).find((encoding) => LABELS[encoding]?.includes(name));
}

/** What windows-1252 has in place of the control characters 0x80 to 0x9f. */
const WINDOWS =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

function tagged(prototype: object, name: string): void {
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  for (const key of Object.getOwnPropertyNames(prototype)) {
    if (key !== 'constructor') Object.defineProperty(prototype, key, { enumerable: true });
  }
}

export class TextEncoder {
  get encoding(): string {
    if (!(this instanceof TextEncoder)) throw invalidThis('TextEncoder');
    return 'utf-8';
  }

  encode(input: unknown = ''): Uint8Array {
    const bytes = ops.fromText(String(input), UTF8);
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  encodeInto(src: unknown, dest: unknown): { read: number; written: number } {
    if (typeof src !== 'string') throw invalidArgType('src', 'string', src);
    if (!(dest instanceof Uint8Array)) throw invalidArgType('dest', 'Uint8Array', dest);
    const written = ops.writeText(dest, UTF8, src, 0, dest.length);
    return { read: ops.toText(dest, UTF8, 0, written).length, written };
  }
}
tagged(TextEncoder.prototype, 'TextEncoder');

interface DecoderOptions {
  readonly fatal?: boolean;
  readonly ignoreBOM?: boolean;
}

function viewOf(input: unknown): Uint8Array {
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (input instanceof ArrayBuffer || input instanceof SharedArrayBuffer) return new Uint8Array(input as ArrayBuffer);
  const message = 'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.';
  throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', message);
}

function invalidData(encoding: string): Error {
  const message = `The encoded data was not valid for encoding ${encoding}`;
  return coded(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA', message);
}

export class TextDecoder {
  readonly #encoding: string;
  readonly #fatal: boolean;
  readonly #ignoreBOM: boolean;
  #stream: InstanceType<typeof StringDecoder> | undefined;
  #started = false;

  constructor(encoding: unknown = 'utf-8', options: DecoderOptions | null = {}) {
    const label = String(encoding);
    const known = encodingOf(label);
    if (known === undefined) throw coded(RangeError, 'ERR_ENCODING_NOT_SUPPORTED', `The "${label}" encoding is not supported`);
    if (options !== null && typeof options !== 'object' && typeof options !== 'function') {
      throw invalidArgType('options', 'Object', options);
    }
    this.#encoding = known;
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBOM = Boolean(options?.ignoreBOM);
  }

  get encoding(): string {
    return this.#encoding;
  }

  get fatal(): boolean {
    return this.#fatal;
  }

  get ignoreBOM(): boolean {
    return this.#ignoreBOM;
  }

  decode(input: unknown = new Uint8Array(0), options: { readonly stream?: boolean } | null = {}): string {
    let bytes = viewOf(input);
    if (this.#encoding === 'windows-1252') {
      return ops.toText(bytes, 4, 0, bytes.length).replace(/[\u0080-\u009f]/g, (char) => WINDOWS.charAt(char.charCodeAt(0) - 0x80));
    }
    if (this.#encoding === 'utf-16be') bytes = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
    const text = this.#text(bytes, options?.stream === true);
    const first = !this.#started;
    this.#started = options?.stream === true && (this.#started || text !== '');
    return first && !this.#ignoreBOM && text.startsWith('\ufeff') ? text.slice(1) : text;
  }

  #text(bytes: Uint8Array, stream: boolean): string {
    const utf8 = this.#encoding === 'utf-8';
    if (!stream && this.#stream === undefined) {
      if (this.#fatal && utf8) return fatal(bytes);
      const text = ops.toText(bytes, utf8 ? UTF8 : UTF16LE, 0, bytes.length);
      return utf8 ? text : this.#checkedUnits(text, bytes.length % 2 === 1);
    }
    const decoder = (this.#stream ??= new StringDecoder(utf8 ? 'utf8' : 'utf16le'));
    if (!stream) this.#stream = undefined;
    const before = decoder.lastTotal - decoder.lastNeed;
    const pending = decoder.lastChar.slice(0, before);
    const text = stream ? decoder.write(bytes) : decoder.end(bytes);
    if (this.#fatal && text.includes('\ufffd')) {
      const whole = new Uint8Array(pending.length + bytes.length);
      whole.set(pending);
      whole.set(bytes, pending.length);
      fatal(whole.subarray(0, whole.length - (stream ? decoder.lastTotal - decoder.lastNeed : 0)));
    }
    return utf8 ? text : this.#checkedUnits(text, false);
  }

  /** Lone surrogates and half units are not text. */
  #checkedUnits(text: string, odd: boolean): string {
    const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
    if (this.#fatal && (odd || lone.test(text))) throw invalidData(this.#encoding);
    return text.replace(lone, '\ufffd') + (odd ? '\ufffd' : '');
  }
}
tagged(TextDecoder.prototype, 'TextDecoder');

function fatal(bytes: Uint8Array): string {
  try {
    return ops.fatalUtf8(bytes);
  } catch {
    throw invalidData('utf-8');
  }
}
