/**
 * Version 4's members of `express.response` that send files or name them (S…, F… in
 * docs/internals/express4.md).
 */
import path from 'node:path';
import contentDisposition from 'content-disposition4';
import depd from 'depd';
import { type Done, type FileOptions, passOn, sendDownload, transfer } from '../file-transfer.ts';
import type { ExpressResponse, Next } from '../message-types.ts';
import { createAnnouncer } from './announcer.ts';
import { SendStream4, settingsOf } from './send-stream.ts';

const deprecate = depd('express');
const announceSendFile = createAnnouncer();
const announceSendfile = createAnnouncer();

function sendFile(this: ExpressResponse, file: unknown, options?: unknown, callback?: Done): void {
  if (!file) throw new TypeError('path argument is required to res.sendFile');
  if (typeof file !== 'string') throw new TypeError('path must be a string to res.sendFile');
  const given = optionsOf(options);
  if (!given.root && !isAbsolute(file)) throw new TypeError('path must be absolute or specify root to res.sendFile');
  const stream = new SendStream4(this.req, encodeURI(file), given, settingsOf(given, announceSendFile));
  transfer(this, stream, given, doneOf(this, options, callback));
}

/** S13: the path is taken as it is: relative to the working directory, and with escapes. */
function sendfile(this: ExpressResponse, file: string, options?: unknown, callback?: Done): void {
  const given = optionsOf(options);
  const stream = new SendStream4(this.req, file, given, settingsOf(given, announceSendfile));
  transfer(this, stream, given, doneOf(this, options, callback));
}

function optionsOf(options: unknown): FileOptions {
  return (typeof options === 'function' ? {} : options || {}) as FileOptions;
}

function doneOf(res: ExpressResponse, options: unknown, callback: Done | undefined): Done {
  return ((typeof options === 'function' ? options : callback) as Done | undefined) || passOn(res.req.next as Next);
}

/** S13: Windows device paths and network paths are absolute on every system. */
export function isAbsolute(file: string): boolean {
  return file[0] === '/' || (file[1] === ':' && (file[2] === '\\' || file[2] === '/')) || file.startsWith('\\\\');
}

// S11: content-disposition 0.5, here and in `attachment`.
function download(this: ExpressResponse, file: string, filename: unknown, options: unknown, callback: unknown): void {
  sendDownload(this, file, [filename, options, callback], contentDisposition);
}

function attachment(this: ExpressResponse, filename?: string): ExpressResponse {
  if (filename) this.type(path.extname(filename));
  this.set('Content-Disposition', contentDisposition(filename));
  return this;
}

export const fileMembers = {
  sendFile,
  sendfile: deprecate.function(sendfile, 'res.sendfile: Use res.sendFile instead'),
  download,
  attachment,
};
