/**
 * The Web Cryptography API, loaded when it is first used.
 */
import internal from 'fulmar:internal';
import type { KeyContent } from '../../crypto/key-bytes.ts';

export interface WebCryptoModule {
  toCryptoKey(content: KeyContent, algorithm: unknown, extractable: boolean, usages: readonly string[]): unknown;
}

export function lazyWebCrypto(): WebCryptoModule {
  return internal('lazy/crypto/webcrypto.cjs') as WebCryptoModule;
}
