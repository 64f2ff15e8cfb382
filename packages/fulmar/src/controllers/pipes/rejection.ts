/**
 * How pipes refuse a value: by the exception of `errorHttpStatusCode`, or by what the application makes of it. The
 * status is looked at when the pipe is made, so that a wrong one is told at start.
 */
import { exceptionFor } from '../exceptions/by-status.ts';

const BAD_REQUEST = 400;

export interface RejectingOptions {
  /** Default: 400. */
  errorHttpStatusCode?: number;
  /** What is thrown, made of what is wrong. */
  exceptionFactory?: (error: string) => any;
}
export interface ParsingOptions extends RejectingOptions {
  /** `undefined` and `null` are left as they are. */
  optional?: boolean;
}

/** @throws TypeError for options that are none, and for a status without an exception */
export function rejectionOf(pipe: object, options: { errorHttpStatusCode?: number; exceptionFactory?: unknown }): (error: any) => any {
  const { name } = pipe.constructor;
  const { exceptionFactory, errorHttpStatusCode = BAD_REQUEST } = options;
  const Exception = exceptionFor(name, errorHttpStatusCode);
  if (exceptionFactory === undefined || exceptionFactory === null) return (error: string | object) => new Exception(error);
  if (typeof exceptionFactory !== 'function')
    throw new TypeError(`exceptionFactory of ${name} is a function that makes an error, and this is of type ${typeof exceptionFactory}.`);
  return exceptionFactory as (error: unknown) => any;
}

export const isNil = (value: unknown): value is null | undefined => value === undefined || value === null;
export const isRecord = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null;
