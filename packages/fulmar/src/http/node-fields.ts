/**
 * Where Node's own functions find the fields of a message: behind symbols of Node's, which a message of
 * Node's shows. Puts accessors for them on our prototypes; what they do is loaded when one of them is used.
 * And what is an instance of our classes.
 */
import type { Exchange } from '../exchange/types.ts';
import { borrowed } from './borrowed-loader.ts';
import { quickjsHost } from './quickjs-host.ts';
import { setOwn } from './node-http.ts';

/** A field of Node's, as something of ours. */
export interface NodeField<M> {
  readonly get: (message: M) => unknown;
  readonly set: (message: M, value: unknown) => void;
}

interface Message {
  readonly _exchange: Exchange | undefined;
}

interface Class {
  readonly prototype: object;
}

function defineField(prototype: object, key: symbol, kind: 'request' | 'response'): void {
  const field = (): NodeField<Message> | undefined => borrowed()[kind][key.description as string] as NodeField<Message> | undefined;
  Object.defineProperty(prototype, key, {
    get(this: Message): unknown {
      return this._exchange && field()?.get(this);
    },
    set(this: Message, value: unknown) {
      const known = this._exchange && field();
      if (known) known.set(this, value);
      else setOwn(this, key, value);
    },
    configurable: true,
  });
}

const isInstance = Function.prototype[Symbol.hasInstance];

/**
 * Gives `ours` the fields that a message of Node's, `makeSample()`, has behind symbols, and the messages of
 * `node`, those of its client among them, as instances; classes that extend `ours` have the instances they
 * always have.
 */
export function standInFor(ours: Class, node: Class, kind: 'request' | 'response', makeSample: () => object): void {
  Object.defineProperty(ours, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      return isInstance.call((this === ours ? node : this) as never, value);
    },
    writable: true,
    configurable: true,
  });
  const define = (): void => {
    for (const key of Object.getOwnPropertySymbols(makeSample())) {
      if (key.description !== 'shapeMode' && key.description !== 'kCapture') defineField(ours.prototype, key, kind);
    }
  };
  // Its own messages are loaded when somebody uses them; until then nobody can call one of their functions.
  if (quickjsHost === undefined || quickjsHost.hasMessages) define();
  else quickjsHost.onMessages.push(define);
}
