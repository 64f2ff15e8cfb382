/**
 * Recorded bytes as requests and replies: a plain reader of HTTP/1.1 messages, for what a server sent to a
 * client that understood it.
 */
import type { Reply } from '../../e2e/support/client.ts';
import type { Recorded } from './recorder.ts';

export interface Exchanged {
  readonly method: string;
  readonly target: string;
  /** Content of the request. */
  readonly content: Buffer;
  readonly reply: Reply;
}

interface Message {
  readonly start: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly content: Buffer;
  readonly trailers: readonly string[];
  readonly isComplete: boolean;
  /** Where the next message begins. */
  readonly end: number;
}

const BODILESS = new Set([204, 304]);

/**
 * Requests of a connection, each with its reply; a request that was never answered has a reply of status 0.
 */
export function readExchanges(recorded: Recorded): Exchanged[] {
  const asked = Buffer.concat(recorded.toServer);
  const said = Buffer.concat(recorded.toClient);
  const found: Exchanged[] = [];
  let askedAt = 0;
  let saidAt = 0;
  while (askedAt < asked.length) {
    const request = readMessage(asked, askedAt, { isRequest: true });
    if (request === undefined) break;
    askedAt = request.end;
    const [method = '', target = ''] = request.start.split(' ');
    let reply = readMessage(said, saidAt, { method });
    while (reply !== undefined && isInterim(reply)) {
      saidAt = reply.end;
      reply = readMessage(said, saidAt, { method });
    }
    saidAt = reply?.end ?? saidAt;
    found.push({ method, target, content: request.content, reply: toReply(reply) });
    // What follows an upgrade is another protocol; its client notes what it saw.
    if (reply === undefined || reply.start.includes(' 101')) break;
  }
  return found;
}

function isInterim(reply: Message): boolean {
  return /^HTTP\/1\.1 1(?!01)\d\d/.test(reply.start);
}

function toReply(message: Message | undefined): Reply {
  if (message === undefined)
    return { status: 0, reason: 'no reply', fields: [], content: Buffer.alloc(0), trailers: [], isComplete: false };
  const [, status = '0', reason = ''] = /^HTTP\/1\.\d (\d+) ?(.*)$/.exec(message.start) ?? [];
  return { ...message, status: Number(status), reason };
}

interface Kind {
  readonly isRequest?: boolean;
  /** Of the request that a reply answers. */
  readonly method?: string;
}

function readMessage(bytes: Buffer, from: number, kind: Kind): Message | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n', from);
  if (headEnd === -1) return undefined;
  const [start = '', ...lines] = bytes.subarray(from, headEnd).toString('latin1').split('\r\n');
  const fields = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const);
  const head = { start, fields };
  const at = headEnd + 4;
  const value = (name: string): string | undefined => fields.find(([key]) => key.toLowerCase() === name)?.[1];
  const status = Number(start.split(' ')[1]);
  const none = { ...head, content: Buffer.alloc(0), trailers: [], isComplete: true, end: at };
  if (kind.isRequest !== true && (kind.method === 'HEAD' || BODILESS.has(status) || status < 200)) return none;
  if (/chunked$/i.test(value('transfer-encoding') ?? '')) return { ...head, ...readChunks(bytes, at) };
  const length = value('content-length');
  if (length !== undefined) {
    const end = Math.min(bytes.length, at + Number(length));
    return { ...head, content: bytes.subarray(at, end), trailers: [], isComplete: end === at + Number(length), end };
  }
  if (kind.isRequest === true) return none;
  return { ...head, content: bytes.subarray(at), trailers: [], isComplete: true, end: bytes.length };
}

function readChunks(bytes: Buffer, from: number): Pick<Message, 'content' | 'trailers' | 'isComplete' | 'end'> {
  const pieces: Buffer[] = [];
  let at = from;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd === -1 ? Number.NaN : Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (Number.isNaN(size) || lineEnd + 2 + size + 2 > bytes.length) {
      return { content: Buffer.concat(pieces), trailers: [], isComplete: false, end: bytes.length };
    }
    at = lineEnd + 2;
    if (size === 0) break;
    pieces.push(bytes.subarray(at, at + size));
    at += size + 2;
  }
  const trailers: string[] = [];
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) break;
    const line = bytes.subarray(at, lineEnd).toString('latin1');
    at = lineEnd + 2;
    if (line === '') break;
    trailers.push(line);
  }
  return { content: Buffer.concat(pieces), trailers, isComplete: true, end: at };
}
