/**
 * `etag()`: a tag of the reply's content, and 304 without content for a client that has it already (RFC 9110,
 * 8.8.3 and 13.1.2). For GET and HEAD with 200 whose content is there as a whole; a tag that the handler has
 * set is taken instead.
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { named } from './named.ts';
import { checkOptions, type Checks, isBoolean } from '../checked-options.ts';
import { wholeOf } from './whole-value.ts';

export interface EtagOptions {
  /** `W/"…"`: a middleware around it may still change bytes, as compression does. Default: true. */
  readonly weak?: boolean;
}

const CHECKS: Checks<EtagOptions> = { weak: isBoolean };

/** Characters of a tag: 162 bits, so that two contents never share one. */
const TAG_LENGTH = 27;
const encoder = new TextEncoder();

export function etag(options: EtagOptions = {}): Middleware {
  checkOptions('etag', options, CHECKS);
  const { weak = true } = options;
  return named('etag', async (c, next) => {
    const returned = await next();
    if ((c.method !== 'GET' && c.method !== 'HEAD') || (c.statusCode !== 0 && c.statusCode !== 200) || c.isBegun) return returned;
    const whole = wholeOf(returned);
    if (whole === undefined) return returned;
    const tag = c.lines?.get('etag') ?? (await tagOf(whole.content, weak));
    c.header('ETag', tag);
    return isKnown(c, tag) ? unchanged(c) : whole.value;
  });
}

function unchanged(c: AnyContext): null {
  c.lines?.delete('Content-Type');
  c.status(304);
  return null;
}

async function tagOf(content: string | Uint8Array, weak: boolean): Promise<string> {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  const text = btoa(String.fromCharCode(...digest)).slice(0, TAG_LENGTH);
  return `${weak ? 'W/' : ''}"${text}"`;
}

/** By the weak comparison: W/ makes no difference. */
function isKnown(c: AnyContext, tag: string): boolean {
  const asked = c.header('if-none-match');
  if (asked === undefined) return false;
  if (asked.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return [...asked.matchAll(/"[^"]*"/g)].some(([known]) => known === opaque);
}
