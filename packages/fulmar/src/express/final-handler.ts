/**
 * The end of the way: answers a request no handler took (404) or an error nobody handled. The pages are
 * upstream's, byte for byte. Runs once per request at most; never for a request that was answered.
 */
import encodeUrl from 'encodeurl';
import escapeHtml from 'escape-html';
import onFinished from 'on-finished';
import parseUrl from 'parseurl';
import statuses from 'statuses';
import { failedInDev } from '../host/dev.ts';
import type { Application } from './application-types.ts';
import type { ExpressRequest, ExpressResponse } from './message-types.ts';

const SERVER_ERROR = 500;

interface ErrorLike {
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly headers?: unknown;
  readonly stack?: string;
}

interface Answer {
  readonly status: number;
  readonly message: string;
  readonly headers: Record<string, unknown> | undefined;
}

/** Answers with a 404, or with the error. `env` is the application's when the request came in. */
export function finalHandle(
  app: Application,
  req: ExpressRequest,
  res: ExpressResponse,
  { err, env, log }: { err: unknown; env: unknown; log: (app: Application, err: unknown) => void },
): void {
  if (!err && res.headersSent) return;
  const answer = err ? errorAnswer(err, res, env || process.env.NODE_ENV || 'development') : notFound(req);
  const isShown = err !== undefined && answer.status >= SERVER_ERROR && failedInDev(req, err);
  if (err && !isShown) setImmediate(log, app, err);
  if (res.headersSent) {
    req.socket?.destroy();
    return;
  }
  sendWhenRead(req, res, answer);
}

/** Prints an error that nobody handled. */
export function logError(app: Application, err: unknown): void {
  // oxlint-disable-next-line no-console -- upstream's behaviour: errors nobody handles are printed
  if (app.get('env') !== 'test') console.error(err);
}

function notFound(req: ExpressRequest): Answer {
  return { status: 404, message: `Cannot ${req.method} ${encodeUrl(resourceName(req) as string)}`, headers: undefined };
}

function resourceName(req: ExpressRequest): string | null | undefined {
  try {
    return (parseUrl.original(req) as { pathname: string | null }).pathname;
  } catch {
    return 'resource';
  }
}

function errorAnswer(err: unknown, res: ExpressResponse, env: unknown): Answer {
  const error = err as ErrorLike;
  let status = errorStatus(error.status) ?? errorStatus(error.statusCode);
  let headers: Record<string, unknown> | undefined;
  if (status === undefined) {
    status = errorStatus(res.statusCode) ?? 500;
  } else if (error.headers && typeof error.headers === 'object') {
    headers = { ...error.headers };
  }
  return { status, headers, message: errorMessage(error, env) || (statuses.message[status] as string) };
}

function errorStatus(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 400 && value < 600 ? value : undefined;
}

function errorMessage(error: ErrorLike, env: unknown): string | undefined {
  if (env === 'production') return undefined;
  if (error.stack) return error.stack;
  // oxlint-disable-next-line typescript/no-base-to-string -- whatever was thrown is shown as it prints itself
  return typeof error.toString === 'function' ? error.toString() : undefined;
}

function sendWhenRead(req: ExpressRequest, res: ExpressResponse, answer: Answer): void {
  if (onFinished.isFinished(req)) {
    send(req, res, answer);
    return;
  }
  req.unpipe();
  onFinished(req, () => send(req, res, answer));
  req.resume();
}

function send(req: ExpressRequest, res: ExpressResponse, { status, message, headers }: Answer): void {
  const body = createHtmlDocument(message);
  res.statusCode = status;
  if (req.httpVersionMajor < 2) res.statusMessage = statuses.message[status] as string;
  res.removeHeader('Content-Encoding');
  res.removeHeader('Content-Language');
  res.removeHeader('Content-Range');
  for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value as string);
  res.setHeader('Content-Security-Policy', "default-src 'none'");
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(body, 'utf8'));
  if (req.method === 'HEAD') res.end();
  else res.end(body, 'utf8');
}

function createHtmlDocument(message: string): string {
  const body = escapeHtml(message).replaceAll('\n', '<br>').replaceAll('  ', ' &nbsp;');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Error</title>
</head>
<body>
<pre>${body}</pre>
</body>
</html>
`;
}
