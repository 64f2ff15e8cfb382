/**
 * Replies as comparable text. What differs from run to run by its nature (dates, ports, process ids) is masked here and in
 * one place; every other byte counts. The keep-alive timeout is masked because Fulmar's default differs on purpose.
 */
import type { Reply } from './client.ts';

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
  const content = mask(reply.content.toString('latin1'), masks);
  const isMasked = masks.length > 0 && content !== mask(reply.content.toString('latin1'), []);
  return {
    line: `${reply.status} ${reply.reason}`,
    fields: reply.fields.map(([name, value]) => `${name}: ${fieldText(name.toLowerCase(), mask(value, masks), isMasked)}`),
    content,
    isComplete: reply.isComplete,
  };
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
