/**
 * Values whose content is there as a whole before it is sent: as that content, and its type where that
 * follows from the value.
 */
import { toJson } from '../json.ts';
import { Reply } from '../reply-value.ts';
import { isStreamed } from '../stream-reply.ts';
import { isThenable } from '../../host/thenable.ts';

export interface Whole {
  readonly content: string | Uint8Array;
  /** The same reply, which does not have to be made into content once more. */
  readonly value: unknown;
}

/**
 * Undefined for what comes piece by piece and for what has no content. @throws TypeError for what JSON cannot
 * say
 */
export function wholeOf(value: unknown): Whole | undefined {
  if (value instanceof Reply) return ofReply(value);
  if (typeof value === 'string') return { content: value, value };
  if (value === undefined || value === null || typeof value === 'function') return undefined;
  if (value instanceof ArrayBuffer) return { content: new Uint8Array(value), value };
  if (ArrayBuffer.isView(value)) return { content: new Uint8Array(value.buffer, value.byteOffset, value.byteLength), value };
  if (isOther(value)) return undefined;
  const content = toJson(value);
  return { content, value: new Reply('application/json; charset=utf-8', content) };
}

function ofReply({ type, value, lines, isLive }: Reply): Whole | undefined {
  const whole = wholeOf(value);
  if (whole === undefined) return undefined;
  const inner = whole.value instanceof Reply ? whole.value : null;
  const own = inner === null ? whole.value : inner.value;
  return { content: whole.content, value: new Reply(type ?? inner?.type ?? null, own, [...lines, ...(inner?.lines ?? [])], isLive) };
}

const isOther = (value: object | number | boolean | bigint | symbol): boolean =>
  typeof value === 'object' &&
  (value instanceof Response ||
    value instanceof Blob ||
    value instanceof URLSearchParams ||
    value instanceof Error ||
    isThenable(value) ||
    isStreamed(value));
