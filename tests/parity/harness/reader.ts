/**
 * A small HTTP/1.1 response reader: bytes in, one reply out. Used by the raw client; never touches a socket.
 * It is our own so that nothing between the server and the comparison repairs or reorders what was sent.
 */
import type { ReplyOutcome } from './case.ts';

export interface ReadResult {
  readonly reply: ReplyOutcome;
  readonly consumed: number;
}

const CRLF = '\r\n';
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * The first final reply in `bytes`, or undefined while it is incomplete. `ended`: the peer will send no more.
 */
export function readReply(bytes: Buffer, method: string, ended: boolean): ReadResult | undefined {
  const interim: string[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(HEAD_END, at);
    if (end === -1) return undefined;
    const head = bytes.toString('latin1', at, end);
    const bodyAt = end + HEAD_END.length;
    const status = Number(head.slice(9, 12));
    if (!/^HTTP\/1\.[01] \d{3}( |$|\r)/.test(head)) return malformed(bytes, head);
    if (status >= 100 && status < 200 && status !== 101) {
      interim.push(head);
      at = bodyAt;
      continue;
    }
    return finish(bytes, { head, bodyAt, status, interim, bodiless: hasNoContent(method, status) }, ended);
  }
}

interface Head {
  readonly head: string;
  readonly bodyAt: number;
  readonly status: number;
  readonly interim: readonly string[];
  readonly bodiless: boolean;
}

function hasNoContent(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304 || status === 101;
}

function finish(bytes: Buffer, head: Head, ended: boolean): ReadResult | undefined {
  const lines = head.head.split(CRLF);
  const base = {
    statusLine: lines[0] ?? '',
    headers: lines.slice(1).map(toField),
    interim: head.interim,
    trailers: [] as (readonly [string, string])[],
  };
  if (head.bodiless) return { reply: { ...base, body: '', framing: 'none' }, consumed: head.bodyAt };
  if (valueOf(base.headers, 'transfer-encoding')?.toLowerCase() === 'chunked') return readChunked(bytes, head, base);
  const length = valueOf(base.headers, 'content-length');
  if (length !== undefined) {
    const end = head.bodyAt + Number(length);
    if (bytes.length < end) return undefined;
    return { reply: { ...base, body: bytes.toString('latin1', head.bodyAt, end), framing: 'length' }, consumed: end };
  }
  if (!ended) return undefined;
  return { reply: { ...base, body: bytes.toString('latin1', head.bodyAt), framing: 'close' }, consumed: bytes.length };
}

type Base = Pick<ReplyOutcome, 'statusLine' | 'headers' | 'interim'>;

function readChunked(bytes: Buffer, head: Head, base: Base): ReadResult | undefined {
  const parts: string[] = [];
  let at = head.bodyAt;
  for (;;) {
    const lineEnd = bytes.indexOf(CRLF, at, 'latin1');
    if (lineEnd === -1) return undefined;
    const line = bytes.toString('latin1', at, lineEnd);
    if (!/^[0-9a-f]+$/i.test(line)) return malformed(bytes, `chunk size ${line}`);
    const size = Number.parseInt(line, 16);
    at = lineEnd + 2;
    if (size === 0) break;
    if (bytes.length < at + size + 2) return undefined;
    parts.push(bytes.toString('latin1', at, at + size));
    at += size + 2;
  }
  const trailers: (readonly [string, string])[] = [];
  for (;;) {
    const lineEnd = bytes.indexOf(CRLF, at, 'latin1');
    if (lineEnd === -1) return undefined;
    const line = bytes.toString('latin1', at, lineEnd);
    at = lineEnd + 2;
    if (line === '') break;
    trailers.push(toField(line));
  }
  return { reply: { ...base, body: parts.join(''), framing: 'chunked', trailers }, consumed: at };
}

function malformed(bytes: Buffer, found: string): ReadResult {
  const reply = { ...emptyReply(), failure: `malformed: ${found.slice(0, 200)}`, partial: bytes.toString('latin1', 0, 400) };
  return { reply, consumed: bytes.length };
}

export function emptyReply(): ReplyOutcome {
  return { statusLine: '', headers: [], body: '', framing: 'none', trailers: [], interim: [] };
}

function toField(line: string): readonly [string, string] {
  const colon = line.indexOf(': ');
  return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 2)];
}

export function valueOf(headers: ReplyOutcome['headers'], name: string): string | undefined {
  return headers.find(([found]) => found.toLowerCase() === name)?.[1];
}
