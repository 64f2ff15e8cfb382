/**
 * What a client is told when a call fails: of failures all that they say, of what is thrown an id, which stands
 * in the log as well. Never tells the text of an error that nobody meant for it.
 */
import { HttpError } from '../app/index.ts';
import { toWire, type Wire } from '../shape/wire-hints.ts';
import { RpcFailure } from './failure.ts';

/** What does not fit: the first step of the path is a parameter's number, from 0, or the name of a value or a field. */
export interface RpcIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
}

export interface Told {
  readonly type: string;
  readonly status: number;
  readonly message: string;
  readonly data?: unknown;
  readonly as?: Wire['as'];
  readonly id?: string;
  readonly issues?: readonly RpcIssue[];
}

export interface ErrorLog {
  error(...what: unknown[]): void;
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'bad-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'too-large',
  415: 'unsupported-type',
  422: 'invalid-params',
  424: 'dependency',
  429: 'too-many-requests',
  503: 'unavailable',
  504: 'timeout',
};
/** From 500 on the message is ours for these alone. */
const OF_OURS: ReadonlySet<number> = new Set([503, 504]);
const ID_LENGTH = 12;

const INVALID = {
  params: 'The parameters are not valid.',
  values: 'What the client sends with every call is not valid.',
  headers: 'The fields of the request are not valid.',
} as const;

/** Refused before the procedure ran: parameters that do not fit, or what its middleware reads. */
export class InvalidParams extends HttpError {
  readonly issues: readonly RpcIssue[];

  constructor(issues: readonly RpcIssue[], what: keyof typeof INVALID = 'params') {
    super(422, INVALID[what], { details: { type: `invalid-${what}` } });
    this.issues = issues;
  }
}

export function toTold(error: unknown, where: string, log: ErrorLog): Told {
  if (error instanceof RpcFailure) return toldOfFailure(error, where, log);
  if (error instanceof HttpError && (error.status < 500 || OF_OURS.has(error.status))) {
    const { status } = error;
    const type = error.details['type'];
    const told = { type: typeof type === 'string' ? type : (TYPES[status] ?? 'error'), status, message: error.message };
    return error instanceof InvalidParams ? { ...told, issues: error.issues } : told;
  }
  const id = makeId();
  log.error(`${id} ${where}`, error);
  return { type: 'internal', status: 500, message: 'Internal Server Error', id };
}

function toldOfFailure({ type, status, publicMessage, data }: RpcFailure, where: string, log: ErrorLog): Told {
  const told = { type, status, message: publicMessage };
  if (data === undefined) return told;
  try {
    const { json, as } = toWire(data);
    return { ...told, data: json, ...(as === undefined ? {} : { as }) };
  } catch (error) {
    return toTold(new Error(`data of the RPC error ${type} cannot be sent`, { cause: error }), where, log);
  }
}

/** No secret, and no two alike for long. */
function makeId(): string {
  let id = '';
  while (id.length < ID_LENGTH) id += Math.random().toString(36).slice(2);
  return id.slice(0, ID_LENGTH);
}
