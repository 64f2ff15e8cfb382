/**
 * `fulmar/client/binary`: the binary form of calls and results, for clients that want it. A module of its own, so that
 * other clients do not carry it.
 */
import { BINARY_TYPE } from '../../fulmar/src/shape/binary/form.ts';
import { fromBinary, toBinary } from '../../fulmar/src/shape/binary/values.ts';
import type { Binary, Speaking } from './client-types.ts';

/** For the option `binary` of `createClient()`. */
export const binary: Binary = { type: BINARY_TYPE, begin: () => new InBytes() };

class InBytes implements Speaking {
  readonly type = BINARY_TYPE;
  readonly headers = { Accept: `${BINARY_TYPE}, application/json;q=0.9` };
  /** Content goes in the binary form once a reply has come in it: no call is sent twice to find out. */
  #isTaken = false;

  encode(call: object, bytesMin: number): Uint8Array<ArrayBuffer> | undefined {
    if (!this.#isTaken) return undefined;
    const bytes = toBinary(call);
    return bytes.length > bytesMin ? bytes : undefined;
  }

  decoder({ headers, status }: Response): typeof decoded | undefined {
    const isIt = headers.get('content-type') === BINARY_TYPE;
    // A server that was replaced by an older one says 415 once.
    this.#isTaken = isIt || (this.#isTaken && status !== 415);
    return isIt ? decoded : undefined;
  }
}

function decoded(content: ArrayBuffer): unknown {
  const reply = fromBinary(new Uint8Array(content));
  const { results } = (reply ?? {}) as { readonly results?: unknown };
  if (!Array.isArray(results)) return reply;
  // Of a batch each result is a reply of its own.
  return { ...(reply as object), results: results.map((one: unknown) => (one instanceof Uint8Array ? fromBinary(one) : one)) };
}
