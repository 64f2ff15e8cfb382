/**
 * DNS messages (RFC 1035, 3596, 2782, 3403, 6698, 8659): questions as bytes, answers as the objects that `node:dns` gives.
 */

export const KINDS: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  TLSA: 52,
  ANY: 255,
  CAA: 257,
};

const HEADER_BYTES = 12;
const LABEL_BYTES_MAX = 63;
const NAME_BYTES_MAX = 255;
/** Pointers followed in one name: more than any real message has. */
const POINTERS_MAX = 64;
const POINTER = 0xc0;
const RECURSION_DESIRED = 0x0100;
const TRUNCATED = 0x0200;
const RESPONSE = 0x8000;
const RCODE = 0x000f;
const IN = 1;

/** Response codes → c-ares's names. */
const FAILURES: readonly (string | null)[] = [null, 'EFORMERR', 'ESERVFAIL', 'ENOTFOUND', 'ENOTIMP', 'EREFUSED'];

interface Answer {
  readonly kind: number;
  readonly ttl: number;
  readonly start: number;
  readonly length: number;
}

export interface Answers {
  readonly code: string | null;
  readonly message: Buffer;
  readonly list: readonly Answer[];
}

/** Null when the name is none. */
export function encodeQuestion(name: string, kind: number, id: Buffer): Buffer | null {
  const labels = name.replace(/\.$/, '').split('.');
  const parts: Buffer[] = [];
  let bytes = 1;
  for (const label of name === '' || name === '.' ? [] : labels) {
    const text = Buffer.from(label, 'utf8');
    bytes += text.length + 1;
    if (text.length === 0 || text.length > LABEL_BYTES_MAX || bytes > NAME_BYTES_MAX) return null;
    parts.push(Buffer.from([text.length]), text);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  id.copy(header);
  header.writeUInt16BE(RECURSION_DESIRED, 2);
  header.writeUInt16BE(1, 4);
  const tail = Buffer.alloc(5);
  tail.writeUInt16BE(kind, 1);
  tail.writeUInt16BE(IN, 3);
  return Buffer.concat([header, ...parts, tail]);
}

/** A name and where it ends. Throws a RangeError when it runs out of the message. */
function readName(message: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  let end = -1;
  for (let pointers = 0; pointers <= POINTERS_MAX;) {
    const length = message.readUInt8(at);
    if (length === 0) return { name: labels.join('.'), end: end < 0 ? at + 1 : end };
    if ((length & POINTER) === POINTER) {
      if (end < 0) end = at + 2;
      at = message.readUInt16BE(at) & 0x3fff;
      pointers++;
    } else {
      if (at + 1 + length > message.length) break;
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
  }
  throw new RangeError('a name that does not end');
}

/** The answers in a reply to `question`. */
export function answersOf(message: Buffer, question: Buffer): Answers {
  try {
    return readAnswers(message, question);
  } catch {
    return { code: 'EBADRESP', message, list: [] };
  }
}

function readAnswers(message: Buffer, question: Buffer): Answers {
  const flags = message.readUInt16BE(2);
  const isReply = message.readUInt16BE(0) === question.readUInt16BE(0) && (flags & RESPONSE) !== 0 && (flags & TRUNCATED) === 0;
  if (!isReply) return { code: 'EBADRESP', message, list: [] };
  const code = flags & RCODE;
  const count = message.readUInt16BE(6);
  if (code !== 0) return { code: FAILURES[code] ?? 'ESERVFAIL', message, list: [] };
  let at = HEADER_BYTES;
  for (let questions = message.readUInt16BE(4); questions > 0; questions--) at = readName(message, at).end + 4;
  const list: Answer[] = [];
  for (let index = 0; index < count; index++) {
    at = readName(message, at).end;
    const length = message.readUInt16BE(at + 8);
    const answer = { kind: message.readUInt16BE(at), ttl: message.readUInt32BE(at + 4), start: at + 10, length };
    if (answer.start + length > message.length) return { code: 'EBADRESP', message, list: [] };
    list.push(answer);
    at = answer.start + length;
  }
  return { code: null, message, list };
}

function strings(message: Buffer, { start, length }: Answer): string[] {
  const list: string[] = [];
  for (let at = start; at < start + length;) {
    const size = message.readUInt8(at);
    list.push(message.toString('utf8', at + 1, at + 1 + size));
    at += size + 1;
  }
  return list;
}

function address6(message: Buffer, start: number): string {
  const groups = Array.from({ length: 8 }, (_, index) => message.readUInt16BE(start + index * 2).toString(16));
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}

type Reader = (message: Buffer, answer: Answer) => unknown;

const nameAt: Reader = (message, { start }) => readName(message, start).name;

function soa(message: Buffer, { start }: Answer): object {
  const primary = readName(message, start);
  const contact = readName(message, primary.end);
  const number = (index: number): number => message.readUInt32BE(contact.end + index * 4);
  const [serial, refresh, retry, expire, minttl] = [0, 1, 2, 3, 4].map(number);
  return { nsname: primary.name, hostmaster: contact.name, serial, refresh, retry, expire, minttl };
}

function naptr(message: Buffer, answer: Answer): object {
  const { start } = answer;
  const [flags, service, regexp] = strings(message, { ...answer, start: start + 4, length: answer.length - 4 });
  const end = [flags, service, regexp].reduce((at, text) => at + Buffer.byteLength(text ?? '') + 1, start + 4);
  return {
    flags,
    service,
    regexp,
    replacement: readName(message, end).name,
    order: message.readUInt16BE(start),
    preference: message.readUInt16BE(start + 2),
  };
}

function caa(message: Buffer, { start, length }: Answer): object {
  const size = message.readUInt8(start + 1);
  const tag = message.toString('latin1', start + 2, start + 2 + size);
  return { critical: message.readUInt8(start), [tag]: message.toString('utf8', start + 2 + size, start + length) };
}

function tlsa(message: Buffer, { start, length }: Answer): object {
  const data = Uint8Array.from(message.subarray(start + 3, start + length)).buffer;
  return { certUsage: message.readUInt8(start), selector: message.readUInt8(start + 1), match: message.readUInt8(start + 2), data };
}

const READERS: Readonly<Record<string, Reader>> = {
  A: (message, { start }) => [...message.subarray(start, start + 4)].join('.'),
  AAAA: (message, { start }) => address6(message, start),
  NS: nameAt,
  CNAME: nameAt,
  PTR: nameAt,
  SOA: soa,
  MX: (message, { start }) => ({ exchange: readName(message, start + 2).name, priority: message.readUInt16BE(start) }),
  TXT: strings,
  SRV: (message, { start }) => ({
    name: readName(message, start + 6).name,
    port: message.readUInt16BE(start + 4),
    priority: message.readUInt16BE(start),
    weight: message.readUInt16BE(start + 2),
  }),
  NAPTR: naptr,
  CAA: caa,
  TLSA: tlsa,
};

/** A record of `resolveAny`, which says its kind. */
function tagged(kind: string, value: unknown, ttl: number): object {
  if (kind === 'A' || kind === 'AAAA') return { type: kind, address: value, ttl };
  if (kind === 'TXT') return { type: kind, entries: value };
  return typeof value === 'string' ? { type: kind, value } : { type: kind, ...(value as object) };
}

/** The records of a kind; null when there are none. */
export function resultOf({ message, list }: Answers, kind: string, ttl: boolean): unknown {
  const records: unknown[] = [];
  for (const answer of list) {
    const found = Object.keys(KINDS).find((name) => KINDS[name] === answer.kind);
    const read = found === undefined ? undefined : READERS[found];
    if (found === undefined || read === undefined || (kind !== 'ANY' && found !== kind)) continue;
    const value = read(message, answer);
    if (kind === 'ANY') records.push(tagged(found, value, answer.ttl));
    else if (ttl && (kind === 'A' || kind === 'AAAA')) records.push({ address: value, ttl: answer.ttl });
    else records.push(value);
  }
  if (records.length === 0) return null;
  return kind === 'SOA' ? records[0] : records;
}
