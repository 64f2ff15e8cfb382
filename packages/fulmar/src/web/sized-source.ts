/**
 * Content of a reply that comes in pieces and whose length is known before: a file's, an upstream's. Of a file
 * the engine may send it. Named here, so that nobody has to load what reads files to know one.
 */
import type { Exchange } from '../exchange/types.ts';

const kSizedSource: unique symbol = Symbol('fulmar.sizedSource');

export abstract class SizedSource implements AsyncIterable<Uint8Array> {
  readonly byteLength: number;
  /** A mark that no value of an application has. */
  readonly [kSizedSource] = true;

  constructor(byteLength: number) {
    this.byteLength = byteLength;
  }

  /**
   * Lets the engine send it as the reply that `begin` starts. False: nothing was done, it has to be iterated
   * over.
   */
  abstract sendTo(exchange: Exchange, begin: () => void): boolean;
  abstract [Symbol.asyncIterator](): AsyncIterator<Uint8Array>;
}

export const isSizedSource = (value: object): value is SizedSource => kSizedSource in value;
