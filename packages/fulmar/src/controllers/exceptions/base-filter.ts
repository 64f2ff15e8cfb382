/**
 * What becomes of an error that no filter answers: its status and its body. Nothing of the inside is told.
 */
import { HttpError } from '../../app/index.ts';
import { STATUS_CODES } from '../../http/index.ts';
import { logFailure } from '../../host/dev.ts';
import { ANSWERED } from '../../app/mount.ts';
import type { ArgumentsHost, ExceptionFilter } from '../nest-types.ts';
import { Host } from '../pipeline/host.ts';
import { replyBy } from '../http/message-reply.ts';
import { isLight, sendText } from '../http/light-reply.ts';
import { HttpException, IntrinsicException } from './http-exception.ts';

const UNKNOWN = 'Internal server error';
const UNTOLD = JSON.stringify({ statusCode: 500, message: UNKNOWN });

export interface ErrorReply {
  readonly status: number;
  readonly body: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What an error says of itself where no reply has such a status, as one of the server's. */
export function toErrorReply(exception: unknown): ErrorReply {
  const reply = errorReplyOf(exception);
  return isStatus(reply.status) ? reply : { status: 500, body: { statusCode: 500, message: UNKNOWN } };
}

/** Of a reply that ends a request. */
const isStatus = (status: number): boolean => Number.isInteger(status) && status >= 200 && status <= 999;

function errorReplyOf(exception: unknown): ErrorReply {
  if (exception instanceof HttpException) {
    const body = exception.getResponse();
    const status = exception.getStatus();
    if (isObject(body)) return { status, body };
    return {
      status,
      body: { statusCode: status, message: body, ...(exception.errorCode !== undefined && { errorCode: exception.errorCode }) },
    };
  }
  const status = statusOf(exception) ?? 500;
  if (status === 500 && statusOf(exception) === null) return { status, body: { statusCode: 500, message: UNKNOWN } };
  const { expose, message } = exception as { expose?: unknown; message?: unknown };
  return { status, body: { statusCode: status, message: expose === false ? (STATUS_CODES[status] ?? UNKNOWN) : message } };
}

/** Of errors as http-errors makes them, of the app's, and of plain objects of that shape. */
function statusOf(error: unknown): number | null {
  if (error instanceof HttpError) return error.status;
  if (!isObject(error)) return null;
  const { statusCode, status, expose, message } = error;
  if (typeof statusCode !== 'number') return null;
  if (error instanceof Error) return typeof expose === 'boolean' && status === statusCode ? statusCode : null;
  return Number.isInteger(statusCode) && statusCode >= 400 && statusCode < 600 && typeof message === 'string' && message !== ''
    ? statusCode
    : null;
}

/** Answers it. */
export function answerError(host: Host, exception: unknown): typeof ANSWERED {
  if (!(exception instanceof IntrinsicException) && statusOf(exception) === null)
    logFailure(host.environment.logger, host.c.exchange, host.title, { error: exception, params: host.c.params });
  const { status, body } = toErrorReply(exception);
  if (!host.hasMessages) {
    if (host.c.isBegun) {
      host.c.exchange.abort();
      return ANSWERED;
    }
    if (isLight(host.c, status) && !host.environment.hasSettings) {
      const text = JSON.stringify(body);
      if (text !== undefined) return sendText(host.c, status, host.environment.json, text);
    }
  }
  const { res } = host.messages;
  if (res.headersSent) res.end();
  else replyBy(res, body, status);
  return ANSWERED;
}

/** The last answer: one that told of the error has failed. Never throws. */
export function answerUntold(host: Host, failure: unknown): typeof ANSWERED {
  try {
    logFailure(host.environment.logger, host.c.exchange, host.title, { error: failure, params: host.c.params });
  } catch {
    // A log that fails has nobody to be told to.
  }
  try {
    const { c } = host;
    const isHead = c.exchange.method === 'HEAD';
    if (!host.hasMessages && !c.isBegun && !isHead) return sendText(c, 500, host.environment.json, UNTOLD);
    const { res } = host.messages;
    if (res.headersSent) res.destroy();
    else {
      for (const name of res.getHeaderNames()) res.removeHeader(name);
      res.writeHead(500, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': UNTOLD.length }).end(UNTOLD);
    }
  } catch {
    host.c.exchange.abort();
  }
  return ANSWERED;
}

/** The filter that is there without any, to be extended. */
export class BaseExceptionFilter<T = any> implements ExceptionFilter<T> {
  catch(exception: T, host: ArgumentsHost): void {
    if (!(host instanceof Host)) throw new TypeError('A BaseExceptionFilter takes the host that a filter was given.');
    answerError(host, exception);
  }
}
