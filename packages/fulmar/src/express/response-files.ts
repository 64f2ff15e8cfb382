/** Members of `express.response` that send files: `sendFile` and `download`. */
import path from 'node:path';
import { create as createDisposition } from 'content-disposition';
import { type Done, type DownloadArguments, type FileOptions, passOn, sendDownload, transfer } from './file-transfer.ts';
import type { ExpressResponse, Next } from './message-types.ts';
import { SendStream } from '../web/static/send-stream.ts';

function sendFile(this: ExpressResponse, file: unknown, options?: unknown, callback?: Done): void {
  const { req } = this;
  const next = req.next as Next;
  if (!file) throw new TypeError('path argument is required to res.sendFile');
  if (typeof file !== 'string') throw new TypeError('path must be a string to res.sendFile');
  const done = (typeof options === 'function' ? options : callback) as Done | undefined;
  const given = (typeof options === 'function' ? {} : options || {}) as FileOptions;
  if (!given.root && !path.isAbsolute(file)) {
    throw new TypeError('path must be absolute or specify root to res.sendFile');
  }
  const pathname = encodeURI(file);
  given.etag = this.app.enabled('etag');
  transfer(this, new SendStream(req, pathname, given), given, done ?? passOn(next));
}

function download(this: ExpressResponse, file: string, ...rest: DownloadArguments): void {
  sendDownload(this, file, rest, (name) => createDisposition(path.basename(name)));
}

export const fileMembers = { sendFile, download };
