/**
 * `crypto.webcrypto`, the global `crypto`: the Web Cryptography API on the functions of `node:crypto`.
 */
import { coded, invalidThis, missingArgs } from '../shared/errors.ts';
import type { KeyContent } from './key-bytes.ts';
import { getRandomValues, randomUUID } from './random.ts';
import { exposed } from '../web/idl.later.ts';
import { CryptoKey, normal, sortedUsages } from '../webcrypto/algorithm.ts';
import { exportKey, generateKey, importKey, keyOf } from '../webcrypto/keys.ts';
import { decrypt, deriveBits, deriveKey, digest, encrypt, sign, unwrapKey, verify, wrapKey } from '../webcrypto/operations.ts';

const OURS = Symbol('ours');

function illegal(): Error {
  return coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
}

type Operation = (...args: never[]) => Promise<unknown>;

/** A method of `SubtleCrypto`: checks `this` and the number of arguments. */
function method(name: string, operation: Operation, count: number): Operation {
  const run = async function (this: unknown, ...args: never[]): Promise<unknown> {
    if (!(this instanceof SubtleCrypto)) throw invalidThis('SubtleCrypto');
    if (args.length < count) {
      throw coded(
        TypeError,
        'ERR_MISSING_ARGS',
        `Failed to execute '${name}' on 'SubtleCrypto': ${count} arguments required, but only ${args.length} present.`,
      );
    }
    return operation(...args);
  };
  Object.defineProperties(run, { name: { value: name }, length: { value: count } });
  return run;
}

export class SubtleCrypto {
  constructor(key?: unknown) {
    if (key !== OURS) throw illegal();
  }
}

const METHODS: readonly (readonly [string, Operation, number])[] = [
  ['encrypt', encrypt as Operation, 3],
  ['decrypt', decrypt as Operation, 3],
  ['sign', sign as Operation, 3],
  ['verify', verify as Operation, 4],
  ['digest', digest as Operation, 2],
  ['generateKey', generateKey as Operation, 3],
  ['deriveKey', deriveKey as Operation, 5],
  ['deriveBits', deriveBits as Operation, 2],
  ['importKey', importKey as Operation, 5],
  ['exportKey', exportKey as Operation, 2],
  ['wrapKey', wrapKey as Operation, 4],
  ['unwrapKey', unwrapKey as Operation, 7],
];
for (const [name, operation, count] of METHODS) {
  Object.defineProperty(SubtleCrypto.prototype, name, {
    value: method(name, operation, count),
    writable: true,
    configurable: true,
    enumerable: true,
  });
}
exposed(SubtleCrypto);

export const subtle = new SubtleCrypto(OURS);

export class Crypto {
  constructor(key?: unknown) {
    if (key !== OURS) throw illegal();
  }
  get subtle(): SubtleCrypto {
    if (!(this instanceof Crypto)) throw invalidThis('Crypto');
    return subtle;
  }
  getRandomValues<T extends ArrayBufferView>(array: T): T {
    if (!(this instanceof Crypto)) throw invalidThis('Crypto');
    if (arguments.length === 0) throw missingArgs('typedArray');
    return getRandomValues(array);
  }
  randomUUID(options?: { readonly disableEntropyCache?: boolean }): string {
    if (!(this instanceof Crypto)) throw invalidThis('Crypto');
    return randomUUID(options);
  }
  /** As Node's: the class of keys. */
  get CryptoKey(): typeof CryptoKey {
    return CryptoKey;
  }
}
exposed(Crypto, ['CryptoKey']);

export const webcrypto = new Crypto(OURS);

/** `KeyObject.toCryptoKey` */
export function toCryptoKey(content: KeyContent, algorithm: unknown, extractable: boolean, usages: readonly string[]): CryptoKey {
  return keyOf(content, normal(algorithm), extractable, sortedUsages(usages));
}

export { CryptoKey };
