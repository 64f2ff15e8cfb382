/**
 * The Web Cryptography API, loaded when it is first used.
 */
import later from 'fulmar:later';
import type { KeyContent } from './key-bytes.ts';

export interface WebCryptoModule {
  toCryptoKey(content: KeyContent, algorithm: unknown, extractable: boolean, usages: readonly string[]): unknown;
}

export function lazyWebCrypto(): WebCryptoModule {
  return later<typeof import('./webcrypto.later.ts')>() as WebCryptoModule;
}
