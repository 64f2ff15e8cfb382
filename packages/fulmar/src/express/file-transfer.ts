/**
 * What `res.sendFile` and `res.download` do with a file, and how they tell that it is sent. Loaded when first
 * used.
 */
import path from 'node:path';
import onFinished from 'on-finished';
import { onConnectionError } from '../http/index.ts';
import type { ExpressResponse, Next } from './message-types.ts';
import type { SendOptions, SendStream } from '../web/static/send-stream.ts';

export type Done = (err?: unknown) => void;
export type DownloadArguments = [filename?: unknown, options?: unknown, callback?: unknown];

export interface FileOptions extends SendOptions {
  headers?: Record<string, string>;
}

type Failure = Error & { code?: string; syscall?: string };

/** What happens at the end of a file nobody waits for: a directory, and errors, are for the next handler. */
export function passOn(next: Next): Done {
  return (err) => {
    const failure = err as Failure | undefined;
    if (failure?.code === 'EISDIR') next();
    // Errors of writing concern a client that is gone.
    else if (failure && failure.code !== 'ECONNABORTED' && failure.syscall !== 'write') next(failure);
  };
}

/** @param dispositionOf the value of Content-Disposition for a name */
export function sendDownload(
  res: ExpressResponse,
  file: string,
  [filename, options, callback]: DownloadArguments,
  dispositionOf: (name: string) => string,
): void {
  let done = callback;
  let name = filename as string | null | undefined;
  let given = (options || null) as FileOptions | null;
  if (typeof filename === 'function') {
    done = filename;
    name = null;
    given = null;
  } else if (typeof options === 'function') {
    done = options;
    given = null;
  }
  if (typeof filename === 'object' && (typeof options === 'function' || options === undefined)) {
    name = null;
    given = filename as FileOptions | null;
  }
  const headers: Record<string, string> = { 'Content-Disposition': dispositionOf(name || file) };
  for (const [key, value] of Object.entries(given?.headers ?? {})) {
    if (key.toLowerCase() !== 'content-disposition') headers[key] = value;
  }
  const sendOptions = Object.create(given) as FileOptions;
  sendOptions.headers = headers;
  res.sendFile(sendOptions.root ? file : path.resolve(file), sendOptions, done);
}

/** Streams the file and calls back once: when it is sent, or with what went wrong. */
export function transfer(res: ExpressResponse, file: SendStream, options: FileOptions, callback: Done): void {
  let isDone = false;
  const end: Done = (err) => {
    if (isDone) return;
    isDone = true;
    if (err === undefined) callback();
    else callback(err);
  };
  const abort = (): void => end(Object.assign(new Error('Request aborted'), { code: 'ECONNABORTED' }));
  file.on('directory', () => end(Object.assign(new Error('EISDIR, read'), { code: 'EISDIR' })));
  file.on('end', () => end());
  file.on('error', (err: unknown) => end(err));
  const fail = (err: unknown): void => ((err as Failure).code === 'ECONNRESET' ? abort() : end(err));
  // Where Node's socket tells of a reset: ahead of the response's own events.
  onConnectionError(res, fail);
  onFinished(res, (err) => {
    if (err) return fail(err);
    if (isDone) return;
    setImmediate(() => (file.isStreaming === false ? end() : abort()));
  });
  const { headers } = options;
  if (headers) {
    file.on('headers', (target: ExpressResponse) => {
      for (const key of Object.keys(headers)) target.setHeader(key, headers[key] as string);
    });
  }
  file.pipe(res);
}
