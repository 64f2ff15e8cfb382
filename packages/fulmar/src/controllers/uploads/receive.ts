/**
 * An upload on its way through multer: `req.file`, `req.files` and `req.body` are there when it is done. What is
 * answered before it is received is not received further; files of a request that a pipe refuses are removed.
 */
import { finished } from 'node:stream';
import { isRejectedByPipes } from '../pipeline/rejected.ts';
import { closeGaps } from '../pipes/untrusted.ts';
import type { Messages } from '../http/express-door.ts';
import type { Multer, UploadMiddleware } from './multer-types.ts';
import { uploadException } from './upload-errors.ts';

type Req = Messages['req'];
type Res = Messages['res'];

/** Rejects with what the client is told. */
export async function receive(middleware: UploadMiddleware, req: Req, res: Res): Promise<void> {
  let isReceiving = true;
  const stop = finished(res, () => {
    if (isReceiving && !req.complete) req.destroy();
  });
  try {
    await new Promise<void>((resolve, reject) => {
      middleware(req, res, (error) => (error ? reject(uploadException(error) as Error) : resolve()));
    });
  } finally {
    isReceiving = false;
    stop();
  }
  const body: unknown = req.body;
  // Of multer; any other body is not its.
  if (typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === null) closeGaps(body);
}

/** When the reply has left, so that a filter still finds them. */
export function removeRefused({ storage }: Multer, req: Req, res: Res): void {
  if (!isRejectedByPipes(req)) return;
  finished(res, () => {
    for (const file of storedFiles(req)) {
      try {
        storage._removeFile(req, file, () => undefined);
      } catch {
        // The request has failed already, and that is what its client was told.
      }
    }
  });
}

function storedFiles(req: Req): unknown[] {
  const { file, files } = req as { file?: unknown; files?: unknown };
  if (file) return [file];
  return Array.isArray(files) ? (files as unknown[]) : Object.values((files ?? {}) as object).flat();
}
