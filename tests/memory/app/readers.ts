/**
 * The ways in which the application reads content. Each gives every chunk to `take`, in order, and resolves
 * at the end or when the peer has left.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, Readable, Transform } from 'node:stream';
import type { RequestPlan } from '../harness/plan.ts';

export type Take = (chunk: Uint8Array) => void;
type Read = (req: IncomingMessage, take: Take, res: ServerResponse) => Promise<void>;

const READ_BYTES = 1000;

function ended(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    req.once('end', resolve).once('close', resolve).once('error', resolve);
  });
}

async function takeAll(chunks: AsyncIterable<unknown>, take: Take): Promise<void> {
  for await (const chunk of chunks) take(chunk as Uint8Array);
}

const READERS: Readonly<Record<string, Read>> = {
  data: (req, take) => {
    req.on('data', take);
    return ended(req);
  },
  'for-await': (req, take) => takeAll(req, take),
  'read-n': (req, take) => {
    req.on('readable', () => {
      let piece: Buffer | null;
      while ((piece = (req.read(READ_BYTES) ?? req.read()) as Buffer | null) !== null) take(piece);
    });
    return ended(req);
  },
  'to-web': (req, take) => takeAll(Readable.toWeb(req) as AsyncIterable<unknown>, take),
  'pipe-through': (req, take) => {
    const through = new PassThrough();
    req.once('error', () => through.destroy());
    req.once('close', () => {
      if (!req.complete) through.destroy();
    });
    req.pipe(through);
    through.on('data', take);
    return new Promise((resolve) => {
      through.once('close', resolve).once('end', resolve);
    });
  },
};

/** Reads as the plan says; a peer that leaves is no error. */
export async function readContent(req: IncomingMessage, res: ServerResponse, plan: RequestPlan, take: Take): Promise<void> {
  const read = READERS[plan.reader];
  if (read === undefined) return;
  try {
    await read(req, take, res);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ECONNRESET' && code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ABORT_ERR') throw error;
  }
}

/** The content as the reply, looked at on its way but not touched. */
export function pipeBack(req: IncomingMessage, res: ServerResponse, take: Take): void {
  const look = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      take(chunk);
      done(null, chunk);
    },
  });
  req.once('error', () => look.destroy());
  req.pipe(look).pipe(res);
}
