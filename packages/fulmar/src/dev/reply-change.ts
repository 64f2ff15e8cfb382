/**
 * Changes whole replies on their way to the engine: a script before `</body>`, a page in place of what is said of an
 * error. Length and entity tag fit what is sent afterwards. Touches no reply that is streamed, encoded or without content.
 */
import { createHash } from 'node:crypto';
import { DIGEST_CHARS, DIGEST_PLACE_SHIFT, ReplyFlag } from '../exchange/format.ts';
import { CLIENT_PATH } from './client-script.ts';
import { INJECTED_BYTES_MAX } from './limits.ts';

/** The arguments of `Exchange.reply`. */
export interface WholeReply {
  readonly status: number;
  readonly reason: string | null;
  readonly block: string;
  readonly flags: number;
  readonly body: string | Uint8Array | null;
  readonly encoding: 'utf8' | 'latin1';
  /** What stands in place of the digest that the engine would have filled in. */
  readonly digest?: string;
}

const SCRIPT = `<script src="${CLIENT_PATH}"></script>`;
const NO_CONTENT = 204;
const PARTIAL = 206;
/** A browser shows what comes with it, and all of that is there. */
const isShown = (status: number): boolean => status !== NO_CONTENT && status !== PARTIAL && (status < 300 || status >= 400);

const FLAGS = (1 << DIGEST_PLACE_SHIFT) - 1;
/** What is said of content that another one replaces. */
const OF_CONTENT =
  /^(?:content-(?:type|length|encoding|language|range|disposition|security-policy(?:-report-only)?)|transfer-encoding|etag|last-modified|cache-control|x-content-type-options|referrer-policy)$/i;

/** The value of a field of a block, of the first line. */
function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\r\n').find((one) => one.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  return line?.slice(name.length + 1).trim();
}

export const isHtml = (block: string): boolean =>
  /^text\/html(?:;|$)/i.test(fieldOf(block, 'content-type') ?? '') && (fieldOf(block, 'content-encoding') ?? 'identity') === 'identity';

/** The same reply where it is no page, is a part of one, or has the script already. */
export function withScript(reply: WholeReply): WholeReply {
  const { status, flags, block, body } = reply;
  if (body === null || (flags & ReplyFlag.noContent) !== 0 || !isShown(status)) return reply;
  if (body.length > INJECTED_BYTES_MAX || !isHtml(block)) return reply;
  const changed = typeof body === 'string' ? inText(body) : inBytes(body);
  if (changed === null) return reply;
  const own = withOwnDigest(reply, body);
  return { ...own, body: changed, block: lengthened(own.block, SCRIPT.length) };
}

/** A page of ours in place of the reply; fields that do not speak of its content stay. */
export function withPage({ status, reason, block, flags }: WholeReply, { fields, html }: { fields: string; html: string }): WholeReply {
  const kept = block.split('\r\n').filter((line) => line !== '' && !OF_CONTENT.test(line.slice(0, Math.max(line.indexOf(':'), 0))));
  const gone = ReplyFlag.digest | ReplyFlag.chunked | ReplyFlag.chunkedField;
  return {
    status,
    reason,
    block: kept.map((line) => `${line}\r\n`).join('') + fields,
    flags: (flags & FLAGS & ~gone) | ReplyFlag.contentLength,
    body: html,
    encoding: 'utf8',
  };
}

/** A part of a page begins otherwise. */
const WHOLE_PAGE = /^\s{0,100}<!doctype html/i;

function inText(body: string): string | null {
  const at = endOfBody(body);
  return at < 0 ? null : body.slice(0, at) + SCRIPT + body.slice(at);
}

function inBytes(body: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const at = endOfBody(bytes.toString('latin1'));
  return at < 0 ? null : Buffer.concat([bytes.subarray(0, at), Buffer.from(SCRIPT), bytes.subarray(at)]);
}

/** Of the last one, the end of a page that leaves the tag out, as it may; -1 also where the script is there. */
function endOfBody(text: string): number {
  if (text.includes(CLIENT_PATH)) return -1;
  return [...text.matchAll(/<\/body\s{0,20}>/gi)].at(-1)?.index ?? (WHOLE_PAGE.test(text) ? text.length : -1);
}

/**
 * The tag stays that of what the application made, so that it knows the tag again in a condition: each content of its
 * own has one of ours.
 */
function withOwnDigest(reply: WholeReply, body: string | Uint8Array): WholeReply {
  const { block, flags, encoding } = reply;
  if ((flags & ReplyFlag.digest) === 0) return reply;
  const at = block.length - (flags >>> DIGEST_PLACE_SHIFT);
  const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : body;
  const digest = createHash('sha1').update(bytes).digest('base64').slice(0, DIGEST_CHARS);
  return {
    ...reply,
    block: block.slice(0, at) + digest + block.slice(at + DIGEST_CHARS),
    flags: flags & FLAGS & ~ReplyFlag.digest,
    digest,
  };
}

/** Where the block says the length itself. */
const lengthened = (block: string, more: number): string =>
  block.replace(
    /^(content-length:[ \t]*)(\d{1,15})(?=[ \t]*\r$)/im,
    (_, name: string, digits: string) => name + String(Number(digits) + more),
  );
