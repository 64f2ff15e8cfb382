/**
 * A file as the answer to an exchange: conditions and ranges are decided and the reply's fields set, as
 * `send-stream.ts` does it for messages. Sends nothing itself.
 */
import path from 'node:path';
import type { Stats } from 'node:fs';
import fresh from 'fresh';
import parseRange from 'range-parser';
import type { Exchange } from '../../exchange/types.ts';
import { typeOfName } from '../media-types.ts';
import { isPreconditionFailure, isRangeFresh, type Validators } from './conditions.ts';
import { fileCache } from './file-cache.ts';
import { FileContent } from './file-content.ts';
import { BYTES_RANGE, eachFileField, type FileRange, theRange } from './file-fields.ts';
import type { NormalOptions } from './send-options.ts';

export interface FoundFile {
  readonly file: string;
  readonly stat: Stats;
}

/** The fields of the reply. */
export interface ReplyFields {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
}

export interface FileAnswer {
  /** 200, 206, 304; 412 and 416 are for the caller to put into words. */
  readonly status: 200 | 206 | 304 | 412 | 416;
  readonly content: Uint8Array | FileContent | null;
}

const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range', 'cache-control'];

/** `isPlain`: the reply has a status of its own, and is neither conditional nor a part. */
export function answerFile(
  exchange: Exchange,
  fields: ReplyFields,
  { file, stat }: FoundFile,
  how: NormalOptions & { isPlain?: boolean },
): FileAnswer {
  eachFileField(how, stat, (name, value) => {
    if (fields.get(name) === undefined) fields.set(name, value());
  });
  const whole = { start: 0, end: stat.size - 1 };
  if (how.isPlain === true) return contentOf({ file, stat }, whole, 200);
  const validators = { etag: fields.get('etag'), lastModified: fields.get('last-modified') };
  const asked = exchange.conditional ? conditionsOf(exchange) : {};
  if (exchange.conditional) {
    if (isPreconditionFailure(asked, validators)) return { status: 412, content: null };
    if (isUnchanged(asked, validators)) return { status: 304, content: null };
  }
  const header = how.acceptRanges ? exchange.header('range') : undefined;
  if (header === undefined || !BYTES_RANGE.test(header) || !isRangeFresh(asked, validators)) return contentOf({ file, stat }, whole, 200);
  const range = theRange(parseRange(stat.size, withinFile(header, stat.size), { combine: true }));
  if (range === null) {
    fields.set('Content-Range', `bytes */${stat.size}`);
    return { status: 416, content: null };
  }
  if (range === undefined) return contentOf({ file, stat }, whole, 200);
  fields.set('Content-Range', `bytes ${range.start}-${range.end}/${stat.size}`);
  return contentOf({ file, stat }, range, 206);
}

const LAST_BYTES = /^ *bytes= *-(\d+) *$/;

/** The last bytes of a file that has fewer are all of it (RFC 9110, 14.1.2); the parser takes them for none. */
function withinFile(header: string, size: number): string {
  const last = LAST_BYTES.exec(header)?.[1];
  return last !== undefined && Number(last) > size ? 'bytes=0-' : header;
}

export const typeOfFile = (file: string): string => typeOfName(path.extname(file));

function conditionsOf(exchange: Exchange): Record<string, string> {
  const asked: Record<string, string> = {};
  for (const name of CONDITIONS) {
    const value = exchange.header(name);
    if (value !== undefined) asked[name] = value;
  }
  return asked;
}

/** A client that has asked for nothing but the file has no copy that it could keep. */
function isUnchanged(asked: Record<string, string>, { etag, lastModified }: Validators): boolean {
  if (asked['if-none-match'] === undefined && asked['if-modified-since'] === undefined) return false;
  return fresh(asked, { etag, 'last-modified': lastModified });
}

function contentOf({ file, stat }: FoundFile, { start, end }: FileRange, status: 200 | 206): FileAnswer {
  const length = Math.max(0, end - start + 1);
  if (length === 0) return { status, content: new Uint8Array(0) };
  if (fileCache.isCacheable(stat)) {
    const bytes = fileCache.bytes(file, stat);
    if (bytes !== undefined) return { status, content: length === bytes.length ? bytes : bytes.subarray(start, start + length) };
    fileCache.load(file, stat);
  }
  return { status, content: new FileContent({ file, stat, offset: start, length }) };
}
