/**
 * The reply of a route by `res`, as Nest's adapter of Express gives it.
 */
import type { Response } from '../../express/index.ts';
import { STATUS_CODES } from '../../http/index.ts';
import { StreamableFile, type StreamableHandlerResponse } from './streamable-file.ts';

const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** `application/json`, `application/problem+json`. */
function isJsonType(type: string): boolean {
  const media = (type.split(';')[0] ?? '').trim().toLowerCase();
  return media.startsWith('application/json') || media.endsWith('+json');
}

/** `status`: another than that of `res`. */
export function replyBy(res: Response, body: unknown, status?: number): void {
  if (status !== undefined) res.status(status);
  if (body === undefined || body === null) res.send();
  else if (body instanceof StreamableFile) sendFile(res, body);
  else {
    const type = res.getHeader('Content-Type');
    // Somebody has said what the content is, and an error is something else.
    if (typeof type === 'string' && !isJsonType(type) && isErrorBody(body, status)) res.setHeader('Content-Type', 'application/json');
    const sent = body instanceof Error && res.statusCode >= 400 ? withoutDetails(res.statusCode) : body;
    if (isObject(sent)) res.json(sent);
    else res.send(String(sent));
  }
}

const isErrorBody = (body: unknown, status: number | undefined): boolean =>
  ((body as { statusCode?: unknown }).statusCode as number) >= 400 || (isObject(body) && status !== undefined && status >= 400);

const withoutDetails = (statusCode: number): object => ({ statusCode, message: STATUS_CODES[statusCode] ?? 'Error' });

function sendFile(res: Response, file: StreamableFile): void {
  const stream = file.getStream();
  const fail = (error: Error): void => {
    if (!res.headersSent) res.setHeader('Content-Type', 'text/plain; charset=utf-8');
    file.errorHandler(error, res as unknown as StreamableHandlerResponse);
  };
  if (stream.errored) return fail(stream.errored);
  const { type, disposition, length } = file.getHeaders();
  setUnlessSet(res, 'Content-Type', type);
  setUnlessSet(res, 'Content-Disposition', disposition);
  if (res.getHeader('Transfer-Encoding') === undefined) setUnlessSet(res, 'Content-Length', length);
  stream.once('error', fail);
  res.once('close', () => {
    if (!stream.readableEnded) stream.destroy();
  });
  if (res.req.method === 'HEAD') {
    const end = (): void => void res.end();
    stream.once('readable', end).once('end', end);
    return;
  }
  stream.pipe(res);
}

function setUnlessSet(res: Response, name: string, value: string | string[] | number | undefined): void {
  if (value !== undefined && res.getHeader(name) === undefined) res.setHeader(name, Array.isArray(value) ? value.join(',') : value);
}
