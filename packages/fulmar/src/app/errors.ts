/**
 * An error as a reply: a problem (RFC 9457) or `{ error }`. What is told of errors from 500 on is an id,
 * which stands in the log as well.
 */
import { logFailure } from '../host/dev.ts';
import { HttpError, isExposed, statusOf, titleOf } from './http-error.ts';
import { Reply } from './reply-value.ts';
import type { AnyContext } from './context.ts';

export type ErrorFormat = 'problem' | 'simple';

/** Takes what nobody outside is to see. */
export interface Logger {
  error(...what: unknown[]): void;
}

/** Fields that were said of a value which is not sent; what middleware has set before (CORS, an id) stays. */
const OF_THE_VALUE = ['Content-Type', 'Content-Encoding', 'Content-Disposition', 'ETag', 'Last-Modified', 'Cache-Control'];

const ID_LENGTH = 12;

/** For people to quote and to look for in the log: no secret, and no two alike for long. */
function makeId(): string {
  let id = '';
  while (id.length < ID_LENGTH) id += Math.random().toString(36).slice(2);
  return id.slice(0, ID_LENGTH);
}

/** Sets the reply's status and fields. */
export function errorReply(c: AnyContext, error: unknown, { format, logger }: { format: ErrorFormat; logger: Logger }): Reply {
  const status = statusOf(error);
  const known = error instanceof HttpError ? error : null;
  for (const name of OF_THE_VALUE) c.lines?.delete(name);
  c.status(status);
  for (const [name, value] of Object.entries(known?.headers ?? {})) c.header(name, value);
  const title = titleOf(status);
  if (status >= 500) {
    const id = makeId();
    logFailure(logger, c.exchange, `${id} ${c.method} ${c.pathname}`, { error, params: c.params });
    return format === 'problem' ? problem({ title, status, instance: `urn:error:${id}` }) : simple({ error: title, id });
  }
  const message = isExposed(error) ? error.message : title;
  const details = known?.details ?? {};
  if (format === 'simple') return simple({ error: message, ...details });
  const detail = message === title ? {} : { detail: message };
  return problem({ ...(known === null || known.type === 'about:blank' ? {} : { type: known.type }), title, status, ...detail, ...details });
}

const problem = (members: object): Reply => new Reply('application/problem+json; charset=utf-8', JSON.stringify(members));
const simple = (members: object): Reply => new Reply('application/json; charset=utf-8', JSON.stringify(members));
