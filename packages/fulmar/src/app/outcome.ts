/**
 * What comes of a request: the handler's value as a reply, or its error by the handlers of errors. The last
 * step of `answer.ts`; nothing it does throws.
 */
import type { AnyContext } from './context.ts';
import { errorReply } from './errors.ts';
import { HttpError } from './http-error.ts';
import { ANSWERED } from './mount.ts';
import { sendValue } from './reply.ts';
import { Reply } from './reply-value.ts';
import { MalformedPath } from './router/malformed-path.ts';
import type { Route, Scope } from './scope.ts';
import { logFailure } from '../host/dev.ts';
import { isThenable } from '../host/thenable.ts';

export function send(scope: Scope, c: AnyContext, value: unknown): void {
  if (value === ANSWERED) return;
  try {
    const sent = sendValue(c, value);
    if (sent !== undefined) sent.catch((error: unknown) => fail(scope, c, error));
  } catch (error) {
    fail(scope, c, error === value ? error : placed(c, error));
  }
}

/** What cannot be sent has no frame of the application's: where its route stands says whose it is. */
function placed(c: AnyContext, error: unknown): unknown {
  const place = (c.entry as Partial<Route> | null)?.place?.text;
  if (!(error instanceof TypeError) || place === undefined || c.isBegun) return error;
  return new TypeError(`${error.message} ${c.method} ${c.route} has returned it (${place}).`, { cause: error });
}

/**
 * By the nearest app's handler, then by those around it. A reply that has begun cannot become another: the
 * connection is broken off.
 */
export function fail(scope: Scope, c: AnyContext, error: unknown): void {
  if (c.isBegun) {
    if (!c.exchange.open) return;
    logFailure(scope.settings.logger, c.exchange, `${c.method} ${c.pathname}: the reply was broken off`, { error, params: c.params });
    c.exchange.abort();
    return;
  }
  // Thrown to leave from deep within: a reply, and no error that anybody has to look at.
  if (error instanceof Response || error instanceof Reply) {
    if (c.failures === Infinity) return sendError(scope, c, new TypeError('A Response that was thrown could not be sent.'));
    c.failures = Infinity;
    if (error instanceof Response) c.statusCode = error.status;
    return send(scope, c, error);
  }
  const handlers = [...((c.entry as Route | null)?.scopes ?? []), scope].flatMap(({ errorHandler }) => errorHandler ?? []);
  const handler = handlers[c.failures++];
  if (handler === undefined) return sendError(scope, c, error);
  try {
    const value = handler(error, c);
    if (!isThenable(value)) return sendHandled(scope, c, value, error);
    value.then(
      (settled) => sendHandled(scope, c, settled, error),
      (second: unknown) => fail(scope, c, second),
    );
  } catch (second) {
    fail(scope, c, second);
  }
}

function sendHandled(scope: Scope, c: AnyContext, value: unknown, error: unknown): void {
  if ((value === undefined || value === c) && c.statusCode === 0) return sendError(scope, c, error);
  if (c.statusCode === 0) c.status(500);
  send(scope, c, value);
}

/** The last word: what goes wrong here (fields or details that cannot be sent) is for the log, too. */
function sendError({ settings }: Scope, c: AnyContext, error: unknown): void {
  c.failures = Infinity;
  const known = error instanceof MalformedPath ? new HttpError(400, error.message) : error;
  try {
    void sendValue(c, errorReply(c, known, settings));
  } catch (second) {
    c.lines = null;
    const told = errorReply(c, new Error('The reply of an error could not be made.', { cause: second }), settings);
    try {
      void sendValue(c, told);
    } catch {
      // A response of Node's kind, which somebody has begun to write to.
      c.exchange.abort();
    }
  }
}
