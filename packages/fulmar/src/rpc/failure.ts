/**
 * What a procedure answers when it cannot do what was asked and the client may know why: a return value, part of
 * the procedure's type. What is thrown instead is nobody's business but the log's.
 */

const NAME = /^[a-z][a-z0-9-]*$/i;

export interface FailureOptions<Type extends string, Data> {
  /** What a client tells failures apart by: letters, digits and hyphens. */
  readonly type: Type;
  /** Of the reply, 400 to 599. Default: 400. */
  readonly status?: number;
  /** For people; nothing that is not theirs to know. Default: the type. */
  readonly publicMessage?: string;
  readonly data?: Data;
}

export class RpcFailure<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly status: number;
  readonly publicMessage: string;
  readonly data: Data;

  constructor({ type, status = 400, publicMessage = type, data }: FailureOptions<Type, Data>) {
    if (typeof type !== 'string' || !NAME.test(type))
      throw new TypeError(`The type of an RPC error is letters, digits and hyphens, and this is ${JSON.stringify(type) ?? typeof type}.`);
    if (!Number.isInteger(status) || status < 400 || status > 599)
      throw new RangeError(`The status of an RPC error is 400 to 599, and this is ${String(status)}.`);
    if (typeof publicMessage !== 'string')
      throw new TypeError(`publicMessage of an RPC error is a text, and this is ${typeof publicMessage}.`);
    this.type = type;
    this.status = status;
    this.publicMessage = publicMessage;
    this.data = data as Data;
  }
}

/** An error that the client is to see: return it. @throws TypeError, RangeError for what none can be made of */
export function rpcError<const Type extends string, Data = undefined>(options: FailureOptions<Type, Data>): RpcFailure<Type, Data> {
  return new RpcFailure(options);
}
