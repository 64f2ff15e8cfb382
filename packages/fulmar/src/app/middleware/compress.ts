/**
 * `compress()`: replies in a coding that the client takes. What is there as a whole is compressed in one
 * pass; what comes piece by piece leaves piece by piece: whenever the source makes a pause, all of it so far
 * is flushed. Never compresses what is coded already, a part of something, or what nobody may transform.
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { compression } from '../lazy.ts';
import { needNode } from '../needs-node.ts';
import { Reply } from '../reply-value.ts';
import { chooseCoding, type Coding, CODINGS } from './content-codings.ts';
import { isCompressible } from './compressible.ts';
import { named } from './named.ts';
import { toContent, type ReplyContent } from './reply-content.ts';
import { checkOptions, type Checks, isCount, isFunction, isListOf, shown } from '../checked-options.ts';

export interface CompressOptions {
  /** In the order in which they are taken where a client likes several alike. Default: zstd, br, gzip, deflate, as this host has them. */
  readonly encodings?: readonly Coding[];
  /** Shorter content stays as it is, in bytes. Default: 1024. */
  readonly threshold?: number;
  /** From fast to small: 1 to 9 for all, or for each its own. Default: gzip and deflate 6, br 4, zstd 3. */
  readonly level?: number | Readonly<Partial<Record<Coding, number>>>;
  /** Whether a reply of that type is compressed. Default: by what is known of types. */
  readonly filter?: (type: string, c: AnyContext) => boolean;
}

const LEVELS: Readonly<Record<Coding, readonly [least: number, most: number]>> = {
  zstd: [1, 22],
  br: [0, 11],
  gzip: [0, 9],
  deflate: [0, 9],
};
const LEVEL_DEFAULTS: Readonly<Record<Coding, number>> = { zstd: 3, br: 4, gzip: 6, deflate: 6 };
const LEVEL_MAX = 9;
/** What fits into one segment does not arrive sooner for being shorter. */
const THRESHOLD_BYTES = 1024;

const isCoding = (value: unknown): boolean => CODINGS.includes(value as Coding);

const CHECKS: Checks<CompressOptions> = {
  encodings: [(value) => isListOf(isCoding, value) && value.length > 0, `a list of ${CODINGS.join(', ')}`],
  threshold: [(value) => isCount(0, value), 'a number of bytes'],
  level: [isLevel, `1 to ${LEVEL_MAX}, or an object with the level of each encoding`],
  filter: isFunction('(type, c)'),
};

interface Rules {
  readonly encodings: readonly Coding[];
  readonly threshold: number;
  readonly levels: Readonly<Record<Coding, number>>;
  readonly filter: (type: string, c: AnyContext) => boolean;
}

/** Replies that are a part, or have no content. */
const WITHOUT_CODING: ReadonlySet<number> = new Set([204, 205, 206, 304]);
const NO_TRANSFORM = /(?:^|,)\s*no-transform\s*(?:,|$)/i;

export function compress(options: CompressOptions = {}): Middleware {
  checkOptions('compress', options, CHECKS);
  needNode('compress()', 'leave compression to the platform');
  const { encodings, threshold = THRESHOLD_BYTES, level = {}, filter = isCompressible } = options;
  const missing = encodings?.find((coding) => !compression().has(coding));
  if (missing !== undefined)
    throw new TypeError(
      `compress(): this host has no ${missing}${missing === 'zstd' ? ', which Node has from 22.15 on' : ''}; leave it out of encodings.`,
    );
  const rules: Rules = {
    encodings: encodings ?? CODINGS.filter((coding) => compression().has(coding)),
    threshold,
    levels: typeof level === 'number' ? { zstd: level, br: level, gzip: level, deflate: level } : { ...LEVEL_DEFAULTS, ...level },
    filter,
  };
  return named('compress', async (c, next) => {
    const value = await next();
    const content = c.isBegun ? null : toContent(c, value);
    return content === null || content.type === null ? value : ((await encoded(c, content, rules)) ?? content.value);
  });
}

/** Undefined: the value as it is. */
async function encoded(c: AnyContext, content: ReplyContent, rules: Rules): Promise<Reply | undefined> {
  const { encodings, threshold, levels, filter } = rules;
  if (WITHOUT_CODING.has(content.status) || content.field('content-range') !== undefined || !filter(content.type as string, c))
    return undefined;
  if (NO_TRANSFORM.test(content.field('cache-control') ?? '')) return undefined;
  const before = content.field('content-encoding');
  if (before !== undefined && before.toLowerCase() !== 'identity') return undefined;
  const { coding, isForced } = chooseCoding(c.header('accept-encoding'), encodings);
  if (coding === null || c.method === 'HEAD' || isShort(content.length(), isForced ? 1 : threshold)) {
    content.vary();
    return undefined;
  }
  const level = levels[coding];
  const whole = content.whole();
  const result =
    whole === null
      ? compression().pieces(content.pieces(), { coding, level, isFlushed: content.isFlushed })
      : await compression().whole(whole, { coding, level });
  if (c.isBegun) return undefined;
  content.settle();
  c.header('Vary', 'Accept-Encoding', { append: true });
  c.header('Content-Encoding', coding);
  c.lines?.delete('Accept-Ranges');
  weaken(c);
  return new Reply(null, result, [], content.isLive);
}

/** A length that is not known is taken for a long one. */
const isShort = (length: number, threshold: number): boolean => length === 0 || (length > 0 && length < threshold);

/** Other bytes than those that the tag is of: the same only in meaning. */
function weaken(c: AnyContext): void {
  const tag = c.lines?.get('etag');
  if (tag?.startsWith('"') === true) c.header('ETag', `W/${tag}`);
}

function isLevel(value: unknown): boolean {
  if (typeof value === 'number') return isCount(1, value) && value <= LEVEL_MAX;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const [coding, level] of Object.entries(value)) {
    const range = Object.hasOwn(LEVELS, coding) ? LEVELS[coding as Coding] : undefined;
    if (range === undefined) throw new TypeError(`compress(): level has no encoding ${shown(coding)}; it has ${CODINGS.join(', ')}.`);
    if (!isCount(range[0], level) || (level as number) > range[1])
      throw new TypeError(`compress(): level.${coding} is ${range[0]} to ${range[1]}, and this is ${shown(level)}.`);
  }
  return true;
}
