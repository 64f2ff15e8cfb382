/**
 * Reads the replies on a closed connection: strict, so that a broken frame from the server shows up as an
 * error.
 */

export interface Reply {
  readonly status: number;
  readonly reason: string;
  /** In order, names as sent. */
  readonly fields: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** The connection ended before the content did. */
  readonly cut: boolean;
}

export function field(reply: Reply, name: string): string | undefined {
  return reply.fields.find(([n]) => n.toLowerCase() === name.toLowerCase())?.[1];
}

interface Read {
  readonly body: Buffer;
  readonly end: number;
  readonly cut: boolean;
}

function readChunked(raw: Buffer, from: number): Read {
  const parts: Buffer[] = [];
  let at = from;
  for (;;) {
    const eol = raw.indexOf('\r\n', at);
    if (eol < 0) return { body: Buffer.concat(parts), end: raw.length, cut: true };
    const line = raw.toString('latin1', at, eol);
    if (!/^[0-9a-f]+$/i.test(line)) throw new Error(`broken chunk size in a reply: ${JSON.stringify(line)}`);
    const size = Number.parseInt(line, 16);
    at = eol + 2;
    if (size === 0) return readTrailers(raw, at, Buffer.concat(parts));
    if (at + size + 2 > raw.length) return { body: Buffer.concat([...parts, raw.subarray(at)]), end: raw.length, cut: true };
    parts.push(raw.subarray(at, at + size));
    at += size;
    if (raw.toString('latin1', at, at + 2) !== '\r\n') throw new Error('no CRLF after the data of a chunk in a reply');
    at += 2;
  }
}

function readTrailers(raw: Buffer, from: number, body: Buffer): Read {
  if (raw.toString('latin1', from, from + 2) === '\r\n') return { body, end: from + 2, cut: false };
  const end = raw.indexOf('\r\n\r\n', from);
  return end < 0 ? { body, end: raw.length, cut: true } : { body, end: end + 4, cut: false };
}

function readContent(raw: Buffer, from: number, reply: Omit<Reply, 'body' | 'cut'>, isHead: boolean): Read {
  const { status } = reply;
  if (isHead || status < 200 || status === 204 || status === 304) return { body: Buffer.alloc(0), end: from, cut: false };
  const full = { ...reply, body: Buffer.alloc(0), cut: false };
  if (/chunked/i.test(field(full, 'transfer-encoding') ?? '')) return readChunked(raw, from);
  const declared = field(full, 'content-length');
  if (declared === undefined) return { body: raw.subarray(from), end: raw.length, cut: false };
  if (!/^\d+$/.test(declared)) throw new Error(`broken Content-Length in a reply: ${declared}`);
  const end = from + Number(declared);
  return { body: raw.subarray(from, end), end: Math.min(end, raw.length), cut: end > raw.length };
}

/** All replies in `raw`. `heads`: indexes (interim replies not counted) of replies to HEAD requests. */
export function parseReplies(raw: Buffer, heads: readonly number[] = []): Reply[] {
  const replies: Reply[] = [];
  let at = 0;
  let final = 0;
  while (at < raw.length) {
    const end = raw.indexOf('\r\n\r\n', at);
    if (end < 0) throw new Error(`bytes that are no reply: ${JSON.stringify(raw.toString('latin1', at, at + 200))}`);
    const [line = '', ...lines] = raw.toString('latin1', at, end).split('\r\n');
    const match = /^HTTP\/1\.[01] (\d{3}) ?([^\r\n]*)$/.exec(line);
    if (!match) throw new Error(`bytes that are no reply: ${JSON.stringify(line)}`);
    const fields = lines.map((text) => {
      const colon = text.indexOf(':');
      if (colon <= 0) throw new Error(`broken field line in a reply: ${JSON.stringify(text)}`);
      return [text.slice(0, colon), text.slice(colon + 1).trim()] as const;
    });
    const head = { status: Number(match[1]), reason: match[2] ?? '', fields };
    const content = readContent(raw, end + 4, head, heads.includes(final));
    if (head.status >= 200) final += 1;
    replies.push({ ...head, body: content.body, cut: content.cut });
    at = content.end;
  }
  return replies;
}
