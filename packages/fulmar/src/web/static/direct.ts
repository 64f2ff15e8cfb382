/**
 * The one decision to let the engine send a file, past streams: taken when the reply's fields are set, and
 * only while nobody could tell the difference. Everything else is streamed by `send-stream.ts` as upstream
 * does it. Reads nothing itself.
 */
import fs, { type Stats } from 'node:fs';
import { Readable } from 'node:stream';
import type { Exchange } from '../../exchange/types.ts';
import { makeHead, sendOpenFile, takesFile } from '../../http/file-reply.ts';
import { quickjsHost, openFile } from '../../http/index.ts';
import type { WebResponse } from '../message-types.ts';
import type { SendOptions } from './send-options.ts';

export interface FilePart {
  readonly file: string;
  readonly stat: Stats;
  readonly offset: number;
  readonly length: number;
}

/**
 * Options of `fs.createReadStream`, which the file's options become: with any of them there has to be a
 * stream.
 */
const STREAM_OPTIONS = ['flags', 'encoding', 'fd', 'mode', 'autoClose', 'emitClose', 'highWaterMark', 'fs', 'signal'];

/** What a stream of a file uses of `node:fs`, with words that only Node's own functions have. */
const words: Readonly<Record<string, string>> = {
  createReadStream: 'lazyLoadStreams()',
  ReadStream: 'importFd(',
  open: 'binding.open(',
  read: 'binding.read(',
  close: 'binding.close(',
  pipe: 'awaitDrainWriters',
};
const names = Object.keys(words);

function memberOf(name: string): unknown {
  return name === 'pipe' ? Readable.prototype.pipe : (fs as unknown as Record<string, unknown>)[name];
}

/** The functions last found to be the host's own, by name. */
const own = new Map<string, unknown>();
// The QuickJS host's functions have no text: those of the start count, and of streams, which are loaded late,
// those of the first file.
if (quickjsHost !== undefined) for (const name of names) if (name !== 'pipe') own.set(name, memberOf(name));

function isOwn(name: string): boolean {
  const member = memberOf(name);
  if (own.get(name) === member) return true;
  const isKnown =
    quickjsHost === undefined
      ? typeof member === 'function' && Function.prototype.toString.call(member).includes(words[name] as string)
      : !own.has(name);
  if (isKnown) own.set(name, member);
  return isKnown;
}

/**
 * Whether files are read by the functions that came with the host: graceful-fs, mock-fs, memfs and
 * instrumentation replace them, and then see what is read. A file system beneath them that is not the
 * system's is noticed by `openFile`.
 */
function isFileSystemOwn(): boolean {
  return names.every(isOwn);
}

/** Lets the engine send the file. False: nothing was done, stream it. */
export function sendDirectly(res: WebResponse, part: FilePart, options: SendOptions, onSent: () => void): boolean {
  if (STREAM_OPTIONS.some((name) => name in options) || !takesFile(res, part.length) || !isFileSystemOwn()) return false;
  const fd = openFile(part.file, part.stat, part);
  if (fd < 0) return false;
  try {
    makeHead(res);
    sendOpenFile(res, fd, part, onSent);
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  return true;
}

/**
 * The same for an exchange whose reply has not begun; `begin` starts it, with the length of the part. False:
 * nothing was done.
 */
export function sendToExchange(exchange: Exchange, part: FilePart, begin: () => void): boolean {
  if (!exchange.takesFiles || !isFileSystemOwn()) return false;
  const fd = openFile(part.file, part.stat, part);
  if (fd < 0) return false;
  try {
    begin();
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  exchange.sendFile(fd, part.offset, part.length);
  return true;
}
