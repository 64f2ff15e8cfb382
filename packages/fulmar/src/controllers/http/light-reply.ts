/**
 * The reply of a route that needs no `res`: what Express sends for the same value, in one step and without its
 * objects. Everything out of the ordinary (conditions, HEAD, fields of the content) is for `res` to answer.
 */
import type { AnyContext } from '../../app/index.ts';
import { ANSWERED } from '../../app/mount.ts';
import { DIGEST_CHARS, DIGEST_PLACE_SHIFT, ReplyFlag } from '../../exchange/format.ts';

/** Stands where the engine writes the digest. */
const PLACEHOLDER = 'A'.repeat(DIGEST_CHARS);
const TAG_AT_END = ReplyFlag.digest | ((DIGEST_CHARS + '"\r\n'.length) << DIGEST_PLACE_SHIFT);
const EMPTY_TAG = 'ETag: W/"0-2jmj7l5rSw0yVb/vlWAYkK/YBwk"\r\n';
const NO_CONTENT = 204;

/** Of replies up to this long, the block that depends on their length alone is kept. */
const KEPT_BYTES_MAX = 1024;

const makeTag = (bytes: number): string => (bytes === 0 ? EMPTY_TAG : `ETag: W/"${bytes.toString(16)}-${PLACEHOLDER}"\r\n`);

/** The field lines of replies of one type, which differ by the length of their content. */
export class Blocks {
  readonly #begin: string;
  readonly #type: string;
  readonly #kept: string[] = [];

  /** `first`: what stands before all others. */
  constructor(first: string, type: string) {
    this.#begin = first;
    this.#type = `Content-Type: ${type}\r\n`;
  }

  of(bytes: number, c: AnyContext): string {
    const { lines } = c;
    if (lines !== null) return this.#begin + lines.block() + this.#type + makeTag(bytes);
    if (bytes > KEPT_BYTES_MAX) return this.#begin + this.#type + makeTag(bytes);
    return (this.#kept[bytes] ??= this.#begin + this.#type + makeTag(bytes));
  }
}

function flagsOf({ exchange }: AnyContext): number {
  return ReplyFlag.date | (exchange.keepAlive ? ReplyFlag.keepAlive : ReplyFlag.closeField | ReplyFlag.closeAfter);
}

/** Whether a reply with content can be given here. */
export function isLight(c: AnyContext, status: number): boolean {
  const { exchange, lines } = c;
  if (lines !== null && (lines.has('content-type') || lines.has('etag'))) return false;
  if (status < 200 || status === NO_CONTENT || status === 205 || status === 304) return false;
  return !exchange.conditional && exchange.method !== 'HEAD';
}

export function sendText(c: AnyContext, status: number, blocks: Blocks, text: string): typeof ANSWERED {
  const bytes = Buffer.byteLength(text);
  const flags = flagsOf(c) | ReplyFlag.contentLength | (bytes === 0 ? 0 : TAG_AT_END);
  c.statusCode = status;
  c.exchange.reply(status, null, blocks.of(bytes, c), flags, text);
  return ANSWERED;
}

/** A reply without content; not of HEAD, which says how long it would be. */
export function sendNothing(c: AnyContext, status: number, first: string): typeof ANSWERED {
  const { exchange, lines } = c;
  const block = lines === null ? first : first + lines.block();
  c.statusCode = status;
  exchange.reply(status, null, block, flagsOf(c) | (status === NO_CONTENT ? ReplyFlag.noContent : ReplyFlag.contentLength), null);
  return ANSWERED;
}
