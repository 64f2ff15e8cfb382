/**
 * Replies as comparable text. What differs from run to run by its nature (dates, ports, process ids) is
 * masked here and in one place, and content that is coded with gzip or deflate is compared inflated: how it
 * is compressed is nobody's promise. Every other byte counts. The keep-alive timeout is masked because
 * Fulmar's default differs on purpose.
 */
import { constants, gunzipSync, inflateSync } from 'node:zlib';
import { field, type Reply } from './client.ts';

export interface Mask {
  readonly pattern: RegExp;
  readonly by: string;
}

const ALWAYS: readonly Mask[] = [
  { pattern: /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, by: '<date>' },
  { pattern: /(?:127\.0\.0\.1|localhost|\[::1\]):\d{4,5}/g, by: '<host>' },
];

export interface ReplyText {
  readonly line: string;
  readonly fields: readonly string[];
  readonly content: string;
  readonly isComplete: boolean;
}

export function toText(reply: Reply, masks: readonly Mask[] = []): ReplyText {
  const plain = inflated(reply).toString('latin1');
  const content = mask(plain, masks);
  const isMasked = masks.length > 0 && content !== mask(plain, []);
  return {
    line: `${reply.status} ${reply.reason}`,
    fields: reply.fields.map(([name, value]) => `${name}: ${fieldText(name.toLowerCase(), mask(value, masks), isMasked)}`),
    content,
    isComplete: reply.isComplete,
  };
}

/**
 * The content of a coded reply, as far as it came; content that is not coded as its field says stays as it
 * is.
 */
function inflated(reply: Reply): Buffer {
  const inflate = { gzip: gunzipSync, deflate: inflateSync }[field(reply, 'content-encoding') ?? ''];
  if (inflate === undefined || reply.content.length === 0) return reply.content;
  try {
    return inflate(reply.content, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return reply.content;
  }
}

function fieldText(name: string, value: string, isMasked: boolean): string {
  if (name === 'keep-alive') return value.replace(/timeout=\d+/, 'timeout=<s>');
  // The validator of content that had to be masked: its hash differs, its form does not.
  if (name === 'etag' && isMasked) return value.replace(/-[^"]+"/, '-<hash>"');
  return value;
}

export function mask(text: string, masks: readonly Mask[]): string {
  return [...ALWAYS, ...masks].reduce((all, { pattern, by }) => all.replace(pattern, by), text);
}
