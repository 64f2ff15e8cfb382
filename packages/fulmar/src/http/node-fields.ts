// Where Node's own functions find the fields of a message: behind symbols of Node's, which a message of Node's shows. Puts accessors
// for them on our prototypes; what they do is loaded when one of them is used.
import type { Exchange } from '../exchange/types.ts';
import { borrowed } from './lazy.ts';
import { nativeHost } from './native-host.ts';

/** A field of Node's, as something of ours. */
export interface NodeField<M> {
  readonly get: (message: M) => unknown;
  readonly set: (message: M, value: unknown) => void;
}

interface Message {
  readonly _exchange: Exchange | undefined;
}

/** Descriptions of symbols of Node's that say nothing of a message, but of an emitter. */
const emitters = new Set(['shapeMode', 'kCapture']);

function defineField(prototype: object, key: symbol, kind: 'request' | 'response'): void {
  const name = key.description as string;
  const field = (): NodeField<Message> | undefined => borrowed()[kind][name] as NodeField<Message> | undefined;
  Object.defineProperty(prototype, key, {
    get(this: Message): unknown {
      return this._exchange === undefined ? undefined : field()?.get(this);
    },
    set(this: Message, value: unknown) {
      const known = this._exchange === undefined ? undefined : field();
      if (known !== undefined) known.set(this, value);
      else Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
    },
    configurable: true,
  });
}

/** Gives `prototype` the fields that a message of Node's, `makeSample()`, has behind symbols. */
export function defineNodeFields(prototype: object, kind: 'request' | 'response', makeSample: () => object): void {
  const define = (): void => {
    for (const key of Object.getOwnPropertySymbols(makeSample())) {
      if (!emitters.has(String(key.description))) defineField(prototype, key, kind);
    }
  };
  // Its own messages are loaded when somebody uses them; until then nobody can call one of their functions.
  if (nativeHost === undefined || nativeHost.hasMessages) define();
  else nativeHost.onMessages.push(define);
}
