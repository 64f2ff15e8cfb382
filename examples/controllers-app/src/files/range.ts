/** The part of a content that a `Range` asks for (RFC 9110, 14). Of several parts, and of what is none, the whole is sent. */
export interface Part {
  readonly first: number;
  readonly last: number;
}

/** `null`: all of it. `'none'`: it is not in there. */
export function partOf(range: string | undefined, bytes: number): Part | null | 'none' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const count = Math.min(Number(to), bytes);
    return count === 0 ? 'none' : { first: bytes - count, last: bytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== '' && Number(to) < first) return null;
  return first >= bytes ? 'none' : { first, last };
}
