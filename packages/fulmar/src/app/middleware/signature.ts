/**
 * Text that has been given away and comes back: what was signed here and what was not. The format is that of
 * `cookie-signature` (HMAC-SHA-256 in base64 behind a dot), which Express uses. Never hides the text.
 */
import type { Check } from '../checked-options.ts';
import { isListOf } from '../checked-options.ts';
import { isOneOfSecrets } from './same-secret.ts';

const isSecret = (value: unknown): boolean => typeof value === 'string' && value !== '';
export const SECRET: Check = [
  (value) => isSecret(value) || (isListOf(isSecret, value) && value.length > 0),
  'a text, or a list of them of which the first signs and all are accepted; none is empty',
  'secret',
];

const encoder = new TextEncoder();
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

export class Signer {
  readonly #secrets: readonly string[];
  /** Made with the first use, and once. */
  #keys: Promise<readonly CryptoKey[]> | null = null;

  /** The first signs, all are accepted: a secret is replaced by standing in front of the old one for a time. */
  constructor(secrets: string | readonly string[]) {
    this.#secrets = [secrets].flat();
  }

  async sign(text: string): Promise<string> {
    const [key] = await this.#all();
    return `${text}.${await signatureOf(text, key as CryptoKey)}`;
  }

  /** Undefined for what none of the secrets has signed. */
  async unsign(signed: string): Promise<string | undefined> {
    const dot = signed.lastIndexOf('.');
    if (dot < 0) return undefined;
    const text = signed.slice(0, dot);
    const expected = await Promise.all((await this.#all()).map((key) => signatureOf(text, key)));
    return isOneOfSecrets(signed.slice(dot + 1), expected) ? text : undefined;
  }

  #all(): Promise<readonly CryptoKey[]> {
    return (this.#keys ??= Promise.all(
      this.#secrets.map((secret) => globalThis.crypto.subtle.importKey('raw', encoder.encode(secret), ALGORITHM, false, ['sign'])),
    ));
  }
}

async function signatureOf(text: string, key: CryptoKey): Promise<string> {
  const bytes = new Uint8Array(await globalThis.crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, '');
}
