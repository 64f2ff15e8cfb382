/**
 * Content of a file as a reply's: who sends it piece by piece iterates over it, who has an exchange may let
 * the engine send it. Named here, so that nobody has to load what reads files to know one.
 */
import type { Exchange } from '../exchange/types.ts';

const kFileSource: unique symbol = Symbol('fulmar.fileSource');

export abstract class FileSource implements AsyncIterable<Uint8Array> {
  readonly byteLength: number;
  /** A mark that no value of an application has. */
  readonly [kFileSource] = true;

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

export const isFileSource = (value: object): value is FileSource => kFileSource in value;
