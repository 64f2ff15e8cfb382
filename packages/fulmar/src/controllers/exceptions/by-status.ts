/**
 * The exceptions of the family by their status: what `errorHttpStatusCode` of a pipe names.
 */
import * as family from './family.ts';
import { HttpException } from './http-exception.ts';

type ExceptionClass = new (objectOrError?: string | object, described?: string) => HttpException;

/** Each is asked for its status once, so that no second table has to be kept. */
const EXCEPTIONS: ReadonlyMap<number, ExceptionClass> = new Map(
  Object.values(family).map((one) => [new one().getStatus(), one as ExceptionClass]),
);

/** @throws TypeError where no exception has it */
export function exceptionFor(who: string, status: number): ExceptionClass {
  const found = EXCEPTIONS.get(status);
  if (found !== undefined) return found;
  const known = [...EXCEPTIONS.keys()].toSorted((one, other) => one - other).join(', ');
  throw new TypeError(
    `errorHttpStatusCode of ${who} is a status that has an exception, and this is ${String(status)}: take one of ${known}.`,
  );
}

/** A list would become the message of a body: it is the body. */
export const withBody = (Exception: ExceptionClass, body: object, status: number): HttpException =>
  Array.isArray(body) ? new HttpException(body, status) : new Exception(body);
