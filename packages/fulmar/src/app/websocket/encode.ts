/**
 * What is sent, once for all who get it: text and bytes as they are, anything else as JSON.
 */
import { toJson } from '../json.ts';
import { isThenable } from '../../host/thenable.ts';

export interface Encoded {
  readonly data: string | Uint8Array;
  readonly bytes: number;
  readonly isBinary: boolean;
}

const encoder = new TextEncoder();

/** @throws TypeError for what is no message */
export function encode(message: unknown): Encoded {
  if (typeof message === 'string') return ofText(message);
  if (message instanceof Uint8Array) return ofBytes(message);
  if (ArrayBuffer.isView(message)) return ofBytes(new Uint8Array(message.buffer, message.byteOffset, message.byteLength));
  if (message instanceof ArrayBuffer) return ofBytes(new Uint8Array(message));
  if (typeof Blob === 'function' && message instanceof Blob)
    throw new TypeError('A Blob is read before it is sent: send(await blob.arrayBuffer()).');
  if (isThenable(message)) throw new TypeError('A promise is no message: send(await …).');
  return ofText(toJson(message));
}

/** As bytes: whoever sends it to many does not encode it for each. */
function ofText(text: string): Encoded {
  const data = encoder.encode(text);
  return { data, bytes: data.byteLength, isBinary: false };
}

const ofBytes = (data: Uint8Array): Encoded => ({ data, bytes: data.byteLength, isBinary: true });
