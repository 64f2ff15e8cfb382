/**
 * Are the replies of both hosts equal? Asked before any load; what differs is reported and not measured.
 *
 * A reply of which stock Node itself gives two versions (a time of day, a random id, a process's number) is
 * verified by status alone.
 */
import type { Question, Reply } from './request.ts';
import { isGenerated } from './request.ts';

/** A path that can be measured, and what its replies are. */
export interface Expectation {
  readonly path: string;
  readonly status: number;
  /** `undefined`: it changes from request to request. */
  readonly body: Buffer | undefined;
}

/** A path that cannot, and why. */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

/** What one host answered; the text is the message of what went wrong instead. */
export type Answer = Reply | string;

export interface Answers {
  readonly path: string;
  /** From two processes, at two times. Empty when stock Node cannot run the application. */
  readonly stock: readonly Answer[];
  readonly fulmar: readonly Answer[];
  /** The user named the path: an error status may be what is wanted. */
  readonly isNamed: boolean;
}

/** Characters of two replies that are shown where they part. */
const EXCERPT_LENGTH = 24;
const CLIENT_ERROR = 400;
const SERVER_ERROR = 500;

/** Says what to expect of a path, or why it is left out. */
export function judge({ path, stock, fulmar, isNamed }: Answers, question: Question): Expectation | LeftOut {
  const [first, ...others] = stock.length > 0 ? stock : fulmar;
  if (first === undefined) return { path, reason: 'nobody was asked' };
  const failed = [...stock, ...fulmar].find((answer) => typeof answer === 'string');
  if (failed !== undefined) return { path, reason: describeFailure(stock, fulmar) };
  const reference = first as Reply;
  const refused = describeStatus(reference.status, isNamed);
  if (refused !== undefined) return { path, reason: refused };
  const isVolatile = isGenerated(path, question) || others.some((other) => !isSameContent(reference, other as Reply));
  for (const answer of stock.length > 0 ? fulmar : []) {
    const difference = describeDifference(reference, answer as Reply, isVolatile);
    if (difference !== undefined) return { path, reason: difference };
  }
  const statuses = new Set([...stock, ...fulmar].map((answer) => (answer as Reply).status));
  if (statuses.size > 1) return { path, reason: `the status changes from request to request: ${[...statuses].join(', ')}` };
  return { path, status: reference.status, body: isVolatile ? undefined : reference.body };
}

function describeFailure(stock: readonly Answer[], fulmar: readonly Answer[]): string {
  const text = (answers: readonly Answer[]): string | undefined =>
    answers.find((answer) => typeof answer === 'string') as string | undefined;
  const ofStock = text(stock);
  const ofFulmar = text(fulmar);
  if (ofStock !== undefined && ofFulmar !== undefined) return `no reply: ${ofStock}`;
  return ofStock === undefined ? `no reply under Fulmar: ${ofFulmar}` : `no reply under stock Node: ${ofStock}`;
}

function describeStatus(status: number, isNamed: boolean): string | undefined {
  if (status >= SERVER_ERROR) return `it answers ${status}`;
  return status >= CLIENT_ERROR && !isNamed
    ? `it answers ${status}; name it with --path to measure that, or give what it needs with --header`
    : undefined;
}

function isSameContent(a: Reply, b: Reply): boolean {
  return a.body.equals(b.body);
}

function describeDifference(stock: Reply, fulmar: Reply, isVolatile: boolean): string | undefined {
  if (stock.status !== fulmar.status) return `the replies differ: status ${stock.status} under stock Node, ${fulmar.status} under Fulmar`;
  if (stock.type.toLowerCase() !== fulmar.type.toLowerCase()) {
    return `the replies differ: Content-Type "${stock.type}" under stock Node, "${fulmar.type}" under Fulmar`;
  }
  if (isVolatile || isSameContent(stock, fulmar)) return undefined;
  const place = stock.body.findIndex((byte, index) => fulmar.body[index] !== byte);
  const at = place < 0 ? stock.body.length : place;
  return `the replies differ from byte ${at} on: ${excerpt(stock, at)} under stock Node, ${excerpt(fulmar, at)} under Fulmar`;
}

function excerpt({ body }: Reply, start: number): string {
  return JSON.stringify(body.subarray(start, start + EXCERPT_LENGTH).toString('latin1'));
}
