/**
 * What the clients of one run saw, as comparable text, step by step. Masked is what differs from run to run
 * by its nature: dates, times, random ids, ports; a field that follows from masked content (its length, its
 * hash) is masked with it.
 */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Reply } from '../../e2e/support/client.ts';
import { mask } from '../../e2e/support/transcript.ts';
import type { Mask } from '../../e2e/support/transcript.ts';
import type { Exchanged } from './wire.ts';

/**
 * A part of a conversation: its replies in the order of their requests' text, since real clients ask many
 * things at a time.
 */
export interface Step {
  readonly name: string;
  readonly replies: readonly string[];
  readonly notes: readonly string[];
}

const NATURAL: readonly Mask[] = [
  // A stack as text, in HTML, in JSON and in JSON within JSON: frames of the framework are ours.
  { pattern: /(?:(?:\n|\\+n|<br>|<li>) *(?:(?:&nbsp;|\xc2\xa0) *)*at (?:(?!<\/|"|\\"|\n|\\+n|<br>|<li>).)+(?:<\/li>)?)+/g, by: '<stack>' },
  { pattern: /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, by: '<time>' },
  { pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, by: '<uuid>' },
  { pattern: /\b(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\])(?::|%3A)\d{2,5}\b/gi, by: '<host>' },
  { pattern: /\b1[789]\d{8}(?:\d{3})?(?:\.\d+)?\b/g, by: '<epoch>' },
];

/** Compared in whole up to here; beyond, by what both ends show and the length. */
const SHOWN_CHARACTERS_MAX = 400_000;

const DECODE: Readonly<Record<string, (content: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

export function exchangeText({ method, target, content, reply }: Exchanged, masks: readonly Mask[]): string {
  const all = [...NATURAL, ...masks];
  const isSteady = content.length > 0 && mask(content.toString('latin1'), all) === content.toString('latin1');
  const asked = isSteady ? ` + ${content.length} bytes` : '';
  return `${mask(`${method} ${target}`, all)}${asked}\n${replyText(reply, all)}`;
}

/**
 * Texts of exchanges without the replies of those that `refused` names: who still sends may be cut off before
 * the reply has come.
 */
export function withoutRefusals(texts: readonly string[], refused: RegExp | undefined): string[] {
  return texts.map((text) => {
    const asked = text.slice(0, text.indexOf('\n'));
    return refused?.test(asked) === true ? `${asked}\n\n` : text;
  });
}

/** Texts of exchanges with those that `timed` names without content, once each. */
export function withoutTiming(texts: readonly string[], timed: RegExp | undefined): string[] {
  if (timed === undefined) return [...texts];
  const heads = new Set<string>();
  const kept = texts.filter((text) => {
    if (!timed.test(text.slice(0, text.indexOf('\n')))) return true;
    heads.add(text.slice(0, text.indexOf('\n\n')).replace(/^content-length: \d+$/im, 'Content-Length: <length>'));
    return false;
  });
  return [...kept, ...heads];
}

export function noteText(value: unknown, masks: readonly Mask[]): string {
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => (item instanceof Error ? { name: item.name, message: item.message } : item),
    1,
  );
  return mask(text ?? 'undefined', [...NATURAL, ...masks]);
}

function replyText(reply: Reply, masks: readonly Mask[]): string {
  const { text: raw, isEncoded } = decoded(reply);
  const content = mask(raw, masks);
  const isMasked = content !== raw;
  const fields = reply.fields.map(
    ([name, value]) => `${name}: ${fieldText(name.toLowerCase(), mask(value, masks), isMasked || isEncoded)}`,
  );
  const shown = content.length > SHOWN_CHARACTERS_MAX ? `${content.slice(0, SHOWN_CHARACTERS_MAX)}… ${content.length}` : content;
  const ends = reply.isComplete ? '' : '\n<cut off>';
  return `${reply.status} ${reply.reason}\n${fields.join('\n')}\n\n${shown}${reply.trailers.join('\n')}${ends}`;
}

function fieldText(name: string, value: string, isFree: boolean): string {
  if (name === 'keep-alive') return value.replace(/timeout=\d+/, 'timeout=<s>');
  if (name === 'sec-websocket-accept') return '<accept>';
  if (isFree && name === 'etag') return value.replace(/"[^"]+"/, '"<hash>"');
  return isFree && name === 'content-length' ? '<length>' : value;
}

function decoded(reply: Reply): { text: string; isEncoded: boolean } {
  const coding = reply.fields.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
  const decode = coding === undefined ? undefined : DECODE[coding.toLowerCase()];
  if (decode === undefined || reply.content.length === 0) return { text: reply.content.toString('latin1'), isEncoded: false };
  try {
    return { text: decode(reply.content).toString('latin1'), isEncoded: true };
  } catch (error) {
    return { text: `<not ${coding}: ${(error as Error).message}>`, isEncoded: true };
  }
}
