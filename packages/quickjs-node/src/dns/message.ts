/**
 * DNS messages (RFC 1035, 3596, 2782, 3403, 6698, 8659): questions as bytes, answers as the objects that
 * `node:dns` gives.
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

const NAMES: ReadonlyMap<number, string> = new Map(Object.entries(KINDS).map(([name, kind]) => [kind, name]));

const HEADER_BYTES = 12;
/** Behind the name of a question. */
const TYPE_AND_CLASS_BYTES = 4;
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
  readonly kind: string;
  readonly ttl: number;
  readonly value: unknown;
}

export interface Answers {
  readonly code: string | null;
  readonly list: readonly Answer[];
}

/** Where the data of a record lie; no reader reads on behind them. */
interface Data {
  readonly start: number;
  readonly end: number;
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

/** A label with c-ares's escapes. */
function shown(label: string): string {
  return label.replace(/[".;\\()@$]/g, '\\$&').replace(/[^ -~]/g, (char) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`);
}

/** A name and where it ends. Throws a RangeError when it runs out of the message. */
function readName(message: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  let end = -1;
  let bytes = 0;
  for (let pointers = 0; pointers <= POINTERS_MAX;) {
    const length = message.readUInt8(at);
    if (length === 0) return { name: labels.join('.'), end: end < 0 ? at + 1 : end };
    if ((length & POINTER) === POINTER) {
      if (end < 0) end = at + 2;
      const target = message.readUInt16BE(at) & 0x3fff;
      // Names point to what stands before them.
      if (target >= at) break;
      at = target;
      pointers++;
    } else {
      bytes += length + 1;
      if (at + 1 + length > message.length || bytes > NAME_BYTES_MAX) break;
      labels.push(shown(message.toString('latin1', at + 1, at + 1 + length)));
      at += length + 1;
    }
  }
  throw new RangeError('a name that does not end');
}

/** Where a name ends that nobody asks for. */
function skipName(message: Buffer, from: number): number {
  let at = from;
  for (let bytes = 0; bytes <= NAME_BYTES_MAX;) {
    const length = message.readUInt8(at);
    if (length === 0) return at + 1;
    if ((length & POINTER) === POINTER) return at + 2;
    bytes += length + 1;
    at += length + 1;
  }
  throw new RangeError('a name that does not end');
}

/** Is what a reply repeats what was asked? Names have no case. */
function isOf(message: Buffer, question: Buffer): boolean {
  const text = (bytes: Buffer): string => bytes.toString('latin1', HEADER_BYTES, question.length - TYPE_AND_CLASS_BYTES).toLowerCase();
  const rest = (bytes: Buffer): Buffer => bytes.subarray(question.length - TYPE_AND_CLASS_BYTES, question.length);
  return (
    message.readUInt16BE(4) === 1 &&
    message.length >= question.length &&
    text(message) === text(question) &&
    rest(message).equals(rest(question))
  );
}

/** The answers in a reply to `question`. */
export function answersOf(message: Buffer, question: Buffer): Answers {
  try {
    return readAnswers(message, question);
  } catch {
    return { code: 'EBADRESP', list: [] };
  }
}

function readAnswers(message: Buffer, question: Buffer): Answers {
  const flags = message.readUInt16BE(2);
  const isReply = message.readUInt16BE(0) === question.readUInt16BE(0) && (flags & RESPONSE) !== 0 && (flags & TRUNCATED) === 0;
  if (!isReply) return { code: 'EBADRESP', list: [] };
  const code = flags & RCODE;
  const count = message.readUInt16BE(6);
  if (code !== 0) return { code: FAILURES[code] ?? 'ESERVFAIL', list: [] };
  if (!isOf(message, question)) return { code: 'EBADRESP', list: [] };
  let at = question.length;
  const list: Answer[] = [];
  for (let index = 0; index < count; index++) {
    at = skipName(message, at);
    const data = { start: at + 10, end: at + 10 + message.readUInt16BE(at + 8) };
    if (data.end > message.length) return { code: 'EBADRESP', list: [] };
    const kind = NAMES.get(message.readUInt16BE(at));
    const read = kind === undefined ? undefined : READERS[kind];
    // All records are read, whichever is asked for: one that is broken spoils the message.
    if (kind !== undefined && read !== undefined) {
      list.push({ kind, ttl: message.readUInt32BE(at + 4), value: read(message.subarray(0, data.end), data) });
    }
    at = data.end;
  }
  return { code: null, list };
}

/** At least one text. */
function strings(message: Buffer, { start, end }: Data): string[] {
  const list: string[] = [];
  for (let at = start; at < end || list.length === 0;) {
    const text = stringAt(message, at);
    list.push(text.text);
    at = text.end;
  }
  return list;
}

function stringAt(message: Buffer, at: number): { text: string; end: number } {
  const end = at + 1 + message.readUInt8(at);
  return { text: piece(message, at + 1, end).toString('latin1'), end };
}

/** Bytes that must be there. */
function piece(message: Buffer, from: number, to: number): Buffer {
  if (to > message.length) throw new RangeError('a record that ends too early');
  return message.subarray(from, to);
}

const address4 = (message: Buffer, start: number): string => piece(message, start, start + 4).join('.');

function address6(message: Buffer, start: number): string {
  const groups = Array.from({ length: 8 }, (_, index) => message.readUInt16BE(start + index * 2).toString(16));
  const [, , , , , before, high] = groups;
  const isInner = groups.slice(0, 5).every((group) => group === '0') && (before === 'ffff' || (before === '0' && high !== '0'));
  if (isInner) return `::${before === '0' ? '' : 'ffff:'}${address4(message, start + 12)}`;
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}

type Reader = (message: Buffer, data: Data) => unknown;

const nameAt: Reader = (message, { start }) => readName(message, start).name;

function soa(message: Buffer, { start }: Data): object {
  const primary = readName(message, start);
  const contact = readName(message, primary.end);
  const number = (index: number): number => message.readUInt32BE(contact.end + index * 4);
  const [serial, refresh, retry, expire, minttl] = [0, 1, 2, 3, 4].map(number);
  return { nsname: primary.name, hostmaster: contact.name, serial, refresh, retry, expire, minttl };
}

function naptr(message: Buffer, { start }: Data): object {
  const flags = stringAt(message, start + 4);
  const service = stringAt(message, flags.end);
  const regexp = stringAt(message, service.end);
  return {
    flags: flags.text,
    service: service.text,
    regexp: regexp.text,
    replacement: readName(message, regexp.end).name,
    order: message.readUInt16BE(start),
    preference: message.readUInt16BE(start + 2),
  };
}

function caa(message: Buffer, { start, end }: Data): object {
  const tag = stringAt(message, start + 1);
  return { critical: message.readUInt8(start), type: 'CAA', [tag.text]: message.toString('latin1', tag.end, end) };
}

function tlsa(message: Buffer, { start, end }: Data): object {
  const [certUsage, selector, match] = piece(message, start, start + 3);
  return { certUsage, selector, match, data: Uint8Array.from(message.subarray(start + 3, end)).buffer };
}

const READERS: Readonly<Record<string, Reader>> = {
  A: (message, { start }) => address4(message, start),
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

/**
 * In the order of what `resolveAny` gives; of a name that is another's, it does not give the addresses of
 * version 4.
 */
const ORDER = ['CNAME', 'A', 'AAAA', 'MX', 'NS', 'TXT', 'SRV', 'PTR', 'NAPTR', 'SOA', 'TLSA', 'CAA'];

function everyRecord(list: readonly Answer[]): object[] {
  const isAlias = list.some(({ kind }) => kind === 'CNAME');
  const kinds = ORDER.filter((kind) => !(isAlias && kind === 'A'));
  return kinds.flatMap((each) => list.filter(({ kind }) => kind === each)).map(tagged);
}

/** Whose objects say their kind even where it was asked for. */
const TYPED: ReadonlySet<string> = new Set(['MX', 'SRV']);
/** Whose objects have a place for it, as Node has it. */
const UNTYPED: ReadonlySet<string> = new Set(['SOA', 'NAPTR']);

function plain({ kind, value }: Answer): unknown {
  if (TYPED.has(kind)) return { ...(value as object), type: kind };
  return UNTYPED.has(kind) ? { ...(value as object), type: undefined } : value;
}

/** A record of `resolveAny`, which says its kind. */
function tagged({ kind, value, ttl }: Answer): object {
  if (kind === 'A' || kind === 'AAAA') return { address: value, ttl, type: kind };
  if (kind === 'TXT') return { entries: value, type: kind };
  return typeof value === 'string' ? { value, type: kind } : { ...(value as object), type: kind };
}

/** The records of a kind; null when there are none. */
export function resultOf({ list }: Answers, asked: string, ttl: boolean): unknown {
  if (asked === 'ANY') return list.length === 0 ? null : everyRecord(list);
  const found = list.filter(({ kind }) => kind === asked);
  if (found.length === 0) return null;
  if (asked === 'SOA') return plain(found[0] as Answer);
  if (ttl && (asked === 'A' || asked === 'AAAA')) return found.map((answer) => ({ address: answer.value, ttl: answer.ttl }));
  return found.map(plain);
}
