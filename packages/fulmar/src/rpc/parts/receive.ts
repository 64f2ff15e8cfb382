/**
 * A request that is a call with parts, from its first line to its end: parts live until the call is over, its time is
 * up or its client has left, whatever comes first.
 */
import { type AnyContext, HttpError } from '../../app/index.ts';
import type { UploadLimits } from '../api-types.ts';
import { type Asked, argsOf, checkVersion, parse, toAsked } from '../request.ts';
import { Content } from './content.ts';
import { IncomingStream } from './incoming-stream.ts';
import { Parts, PARTS_TYPE } from './parts.ts';

const FILES_MAX = 10;
const FILE_BYTES_MAX = 16 * 1024 * 1024;

export interface Received {
  readonly asked: Asked;
  /** The call is over. */
  readonly end: () => void;
}

/** Asked of each call: nearly all are JSON. */
export function hasParts(c: AnyContext): boolean {
  const type = c.header('content-type');
  if (type === undefined || type === 'application/json') return false;
  return type.split(';', 1)[0]?.trim().toLowerCase() === PARTS_TYPE;
}

/** A client that has left is no error of the server's. */
const toHttpError = (cause: unknown): unknown =>
  cause instanceof HttpError ? cause : new HttpError(400, 'The client left before its call was over.', { cause });

/** @throws HttpError 400, 413 */
export async function receive(c: AnyContext, { files = FILES_MAX, fileSize = FILE_BYTES_MAX }: UploadLimits = {}): Promise<Received> {
  const { bodyBytesMax: lineBytes } = c.settings;
  const content = new Content(c.body as AsyncIterable<Uint8Array>);
  const parts = new Parts(content, { files, fileSize, lineBytes });
  try {
    const line = await content.line(lineBytes);
    if (line === undefined) throw new HttpError(400, 'A call with parts begins with a line, which is the call, and there is no content.');
    const asked = toAsked(checkVersion(parse(line, 'The first line')));
    const params = argsOf(asked, parts.resolve);
    for (const [at, arg] of params.entries()) if (arg instanceof IncomingStream) arg.param = at;
    parts.begin();
    const { signal } = c;
    const leave = (): void => parts.end(toHttpError(signal.reason));
    signal.addEventListener('abort', leave, { once: true });
    const end = (): void => {
      signal.removeEventListener('abort', leave);
      parts.end(new TypeError('The call is over: its files and streams are read before its result is given.'));
    };
    if (signal.aborted) leave();
    return { asked: { ...asked, params, as: undefined }, end };
  } catch (error) {
    parts.end(error);
    throw error;
  }
}
