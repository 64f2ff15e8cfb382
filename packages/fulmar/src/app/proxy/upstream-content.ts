/** An upstream's content as the value of a handler: of the length that it says, of the type that is set. */
import type { AnyContext } from '../context.ts';
import { Reply } from '../reply-value.ts';
import { SizedSource } from '../../web/sized-source.ts';
import type { UpstreamReply } from './proxy-types.ts';

class UpstreamContent extends SizedSource {
  readonly #pieces: AsyncIterable<Uint8Array>;

  constructor(pieces: AsyncIterable<Uint8Array>, length: number) {
    super(length);
    this.#pieces = pieces;
  }

  override sendTo(): boolean {
    return false;
  }

  override [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#pieces[Symbol.asyncIterator]();
  }
}

const WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 205, 304]);

/** Live: the head leaves when it has come, whenever the first piece does. */
export function toUpstreamValue(c: AnyContext, { status, content, length }: UpstreamReply): unknown {
  if (WITHOUT_CONTENT.has(status)) return null;
  if (content === null && c.method !== 'HEAD') return new Reply(null, new UpstreamContent(nothing(), 0), [], true);
  return new Reply(null, new UpstreamContent(content ?? nothing(), length), [], true);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
