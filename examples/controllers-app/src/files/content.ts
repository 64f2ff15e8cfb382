/** A content as a reply: a download, in whole or a part of it, and nothing at all for who has it already. */
import { HttpException, HttpStatus, StreamableFile } from 'fulmar/controllers';
import type { Disk } from './disk.ts';
import type { StoredFile } from './file.ts';
import { partOf } from './range.ts';

/** What of Express's request and response is used. */
export interface ContentRequest {
  readonly headers: { readonly range?: string; readonly 'if-range'?: string; readonly 'if-none-match'?: string };
}
export interface ContentResponse {
  status(code: number): ContentResponse;
  set(fields: Record<string, string>): ContentResponse;
  attachment(name: string): ContentResponse;
}

/** `undefined`: its head says all. @throws HttpException of 416 */
export async function contentOf(
  file: StoredFile,
  disk: Disk,
  { headers }: ContentRequest,
  response: ContentResponse,
): Promise<StreamableFile | undefined> {
  // A content never changes: its name on the disk is as good as a hash, and is not told otherwise.
  const etag = `"${file.stored}"`;
  response.set({ ETag: etag, 'Cache-Control': 'private, no-cache', 'Accept-Ranges': 'bytes' });
  if (headers['if-none-match'] === etag) {
    response.status(HttpStatus.NOT_MODIFIED);
    return undefined;
  }
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
  const part = isSame ? partOf(headers.range, file.bytes) : null;
  if (part === 'none') {
    response.set({ 'Content-Range': `bytes */${file.bytes}` });
    throw new HttpException('Range Not Satisfiable', HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE);
  }
  const { first, last } = part ?? { first: 0, last: file.bytes - 1 };
  if (part !== null) response.status(HttpStatus.PARTIAL_CONTENT).set({ 'Content-Range': `bytes ${first}-${last}/${file.bytes}` });
  const type = file.type === 'text/plain' ? 'text/plain; charset=utf-8' : file.type;
  // A browser shows nothing of it, whatever it is.
  response.attachment(file.name).set({ 'Content-Type': type, 'Content-Security-Policy': 'sandbox' });
  const content = file.bytes === 0 ? Buffer.alloc(0) : await disk.read(file.stored, first, last);
  return new StreamableFile(content, { length: last - first + 1 });
}
