/**
 * Sessions that are their cookie: encrypted and sealed (AES-256-GCM, a key derived from the secret by HKDF),
 * so that a client can neither read nor change one. Nothing is kept here: an old copy of a cookie is right
 * until its time is over, and `destroy()` ends only the client's own.
 */
import type { Found, Keeper, Kept } from './session-types.ts';
import { parseObject } from './record.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Name and value: browsers keep no more (RFC 6265bis, 5.5). */
const COOKIE_BYTES_MAX = 4096;

/** Of the data's, and no failure of a store. */
export class TooLargeForCookie extends RangeError {}

export class SealedSessions implements Keeper {
  readonly isCookie = true;
  readonly #name: string;
  readonly #secrets: readonly string[];
  #keys: Promise<readonly CryptoKey[]> | null = null;

  constructor(name: string, secret: string | readonly string[]) {
    this.#name = name;
    this.#secrets = [secret].flat();
  }

  async find(cookie: string): Promise<Found | undefined> {
    const sealed = cookie.length > COOKIE_BYTES_MAX ? undefined : fromBase64url(cookie);
    if (sealed === undefined || sealed.byteLength <= IV_BYTES + TAG_BYTES) return undefined;
    const text = await this.#open(sealed);
    const content = text === undefined ? undefined : parseObject(text);
    if (content === undefined) return undefined;
    const { id, created, expires, data } = content;
    if (typeof id !== 'string' || typeof expires !== 'number' || expires <= Date.now()) return undefined;
    return { id, createdMs: Number(created), data: JSON.stringify(data) };
  }

  async keep(id: string, { data, createdMs }: Kept, ttlMs: number): Promise<string> {
    const text = `{"id":${JSON.stringify(id)},"created":${createdMs},"expires":${Date.now() + ttlMs},"data":${data}}`;
    const iv = globalThis.crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const [key] = await this.#all();
    const content = await globalThis.crypto.subtle.encrypt(this.#algorithm(iv), key as CryptoKey, encoder.encode(text));
    const value = toBase64url([iv, new Uint8Array(content)]);
    const length = this.#name.length + value.length;
    if (length > COOKIE_BYTES_MAX) {
      const most = `a cookie of ${length} bytes, and browsers keep ${COOKIE_BYTES_MAX} at most`;
      throw new TooLargeForCookie(`session(): the data makes ${most}: keep less of it, or take a store that is not 'cookie'.`);
    }
    return value;
  }

  touch(id: string, kept: Kept, ttlMs: number): Promise<string> {
    return this.keep(id, kept, ttlMs);
  }

  async end(): Promise<void> {}

  /** Undefined for what was sealed with none of the secrets, or under another name. */
  async #open(sealed: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
    const iv = sealed.subarray(0, IV_BYTES);
    const content = sealed.subarray(IV_BYTES);
    for (const key of await this.#all()) {
      try {
        return decoder.decode(await globalThis.crypto.subtle.decrypt(this.#algorithm(iv), key, content));
      } catch {
        // Another secret may be the right one.
      }
    }
    return undefined;
  }

  #algorithm(iv: Uint8Array<ArrayBuffer>): { name: string; iv: Uint8Array<ArrayBuffer>; additionalData: Uint8Array<ArrayBuffer> } {
    return { name: 'AES-GCM', iv, additionalData: encoder.encode(this.#name) };
  }

  #all(): Promise<readonly CryptoKey[]> {
    return (this.#keys ??= Promise.all(this.#secrets.map(keyOf)));
  }
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const { subtle } = globalThis.crypto;
  const material = await subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode('fulmar session') };
  return subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

function toBase64url(parts: readonly Uint8Array[]): string {
  let text = '';
  for (const part of parts) for (const byte of part) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
