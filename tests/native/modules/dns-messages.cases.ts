/**
 * node:dns: what becomes of a name server's answers, whole and broken. The server is in the same process:
 * UDP, which c-ares asks over, or TCP where there is no UDP, as on the QuickJS host.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';
import { cases } from '../harness/cases.ts';

const HEADER_BYTES = 12;
const NXDOMAIN = 0x8183;
const ANSWERED = 0x8180;
const TYPES = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, NAPTR: 35, TLSA: 52, CAA: 257 } as const;
type Kind = keyof typeof TYPES;

const two = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const four = (value: number): Buffer => Buffer.concat([two(Math.floor(value / 0x10000)), two(value % 0x10000)]);
const text = (value: string): Buffer => Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)]);
const name = (value: string): Buffer => Buffer.concat([...value.split('.').map(text), Buffer.alloc(1)]);
/** The name that was asked for: where every question begins. */
const ASKED = Buffer.from([0xc0, HEADER_BYTES]);

interface Rest {
  readonly owner?: Buffer;
  readonly ttl?: number;
  /** What the record says its length is. */
  readonly length?: number;
}

function record(kind: Kind | number, data: Buffer, { owner = ASKED, ttl = 60, length = data.length }: Rest = {}): Buffer {
  const type = typeof kind === 'number' ? kind : TYPES[kind];
  return Buffer.concat([owner, two(type), two(1), four(ttl), two(length), data]);
}

type Reply = (query: Buffer) => Buffer;

/** The header and the question of `query`, then `records`. */
function answer(records: readonly Buffer[], { flags = ANSWERED, count = records.length } = {}): Reply {
  return (query) => {
    const questionEnd = query.indexOf(0, HEADER_BYTES) + 5;
    const header = Buffer.concat([query.subarray(0, 2), two(flags), two(1), two(count), two(0), two(0)]);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...records]);
  };
}

async function listening(reply: Reply): Promise<{ port: number; close: () => void }> {
  try {
    const socket = dgram.createSocket('udp4', (query, from) => socket.send(reply(query), from.port, from.address));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return { port: socket.address().port, close: () => socket.close() };
  } catch {
    const server = net.createServer((peer) => {
      peer.on('error', () => undefined);
      peer.once('data', (framed: Buffer) => {
        const bytes = reply(framed.subarray(2));
        peer.end(Buffer.concat([two(bytes.length), bytes]));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { port: (server.address() as net.AddressInfo).port, close: () => server.close() };
  }
}

type Ask = (resolver: dns.promises.Resolver) => Promise<unknown>;

/** What `ask` gets from a server that gives `reply` to every question. */
function asking(ask: Ask, reply: Reply): () => Promise<unknown> {
  return async () => {
    const server = await listening(reply);
    try {
      const resolver = new dns.promises.Resolver({ timeout: 2000, tries: 1 });
      resolver.setServers([`127.0.0.1:${server.port}`]);
      return await ask(resolver);
    } finally {
      server.close();
    }
  };
}

const HOST = 'host.example';
const resolving =
  (kind: Kind | 'ANY', given = HOST): Ask =>
  (resolver) =>
    resolver.resolve(given, kind as 'A');
const answered = (kind: Kind, ...data: Buffer[]): (() => Promise<unknown>) =>
  asking(resolving(kind), answer(data.map((each) => record(kind, each))));

const SOA = Buffer.concat([name('ns.example'), name('root.ns.example'), ...[4294967295, 2, 3, 4, 5].map(four)]);
const SRV = Buffer.concat([two(1), two(2), two(65535), name('a.example')]);
const NAPTR = Buffer.concat([two(1), two(2), text('s'), text('SIP+D2U'), text('!^.*$!sip:x!'), name('_sip.example')]);
const CAA = Buffer.concat([Buffer.from([128]), text('issue'), Buffer.from('ca.example; a=b')]);
const TLSA = Buffer.from([3, 1, 1, 0xab, 0xcd]);
const V4 = Buffer.from([192, 0, 2, 1]);
const v6 = (hex: string): Buffer => Buffer.from(hex.padEnd(32, '0'), 'hex');
const EVERY = [
  record('A', V4, { ttl: 7 }),
  record('AAAA', v6('20010db8'), { ttl: 8 }),
  record('TXT', Buffer.concat([text('a'), text('b')])),
  record('MX', Buffer.concat([two(10), name('mx.example')])),
  record('SRV', SRV),
  record('NS', name('ns.example')),
  record('SOA', SOA),
];
const OTHERS = [
  record('CAA', CAA),
  record('SOA', SOA),
  record('NAPTR', NAPTR),
  record('PTR', name('p.example')),
  record('TXT', text('a')),
  record('AAAA', v6('20010db8')),
  record('CNAME', name('c.example')),
  record('A', V4),
];

export default cases(
  'dns',
  {
    'answers of each kind': [
      answered('A', V4, Buffer.from([0, 255, 10, 9])),
      answered(
        'AAAA',
        v6('20010db8'),
        v6('0001000000000002000000000000'),
        v6('00000000000000000000ffffc0000201'),
        v6('000000000000000000000000c0000201'),
        v6(''),
      ),
      answered('NS', name('ns.example')),
      answered('CNAME', name('other.example')),
      answered('TXT', Buffer.concat([text('one'), text('twö'), text('')]), text('v=spf1')),
    ],
    'answers with fields': [
      answered('SOA', SOA),
      answered('MX', Buffer.concat([two(10), name('mx.example')]), Buffer.concat([two(0), ASKED])),
      answered('SRV', SRV),
      answered('NAPTR', NAPTR),
      answered('CAA', CAA),
    ],
    'answers about certificates': [answered('TLSA', TLSA), asking(resolving('TLSA'), answer([record('TLSA', TLSA.subarray(0, 2))]))],
    'answers with times to live': [
      asking((resolver) => resolver.resolve4(HOST, { ttl: true }), answer([record('A', V4, { ttl: 7 })])),
      asking((resolver) => resolver.resolve6(HOST, { ttl: true }), answer([record('AAAA', v6('20010db8'), { ttl: 4294967 })])),
    ],
    'answers of all kinds': [
      asking((resolver) => resolver.resolveAny(HOST), answer(EVERY)),
      asking((resolver) => resolver.resolveAny(HOST), answer(OTHERS)),
    ],
    'answers behind an alias': [
      asking(resolving('A'), answer([record('CNAME', name('b.example')), record('A', V4, { owner: name('b.example') })])),
    ],
    'answers of another kind': [
      asking(resolving('A'), answer([record('TXT', text('a'))])),
      asking(resolving('MX'), answer([])),
      asking(resolving('A'), answer([record(999, V4), record('A', V4)])),
    ],
    'answers that say no': [NXDOMAIN, 0x8181, 0x8182, 0x8184, 0x8185].map((flags) => asking(resolving('A'), answer([], { flags }))),
    'answers for addresses': [
      asking((resolver) => resolver.reverse('192.0.2.1'), answer([record('PTR', name('host.example'))])),
      asking((resolver) => resolver.reverse('2001:db8::1'), answer([], { flags: NXDOMAIN })),
    ],
    'names that are none': ['a..b', `${'x'.repeat(64)}.example`, `${'x.'.repeat(128)}y`, '.a'].map((given) =>
      asking(resolving('A', given), answer([record('A', V4)])),
    ),
    'answers that are broken': [
      asking(resolving('A'), answer([record('A', V4, { length: 200 })])),
      asking(resolving('A'), answer([record('A', V4.subarray(0, 2))])),
      asking(resolving('TXT'), answer([record('TXT', Buffer.from([200, 97]))])),
      asking(resolving('MX'), answer([record('MX', two(10))])),
      asking(resolving('NS'), answer([record('NS', Buffer.from([0xc0, 0xff]))])),
      asking(resolving('A'), answer([record('A', V4)], { count: 2 })),
      asking(resolving('AAAA'), answer([record('AAAA', V4)])),
      asking(resolving('A'), answer([record('A', Buffer.concat([V4, V4]))])),
      asking(resolving('A'), answer([record('MX', two(1)), record('A', V4)])),
      asking(resolving('SOA'), answer([record('SOA', SOA.subarray(0, -1))])),
      asking(resolving('SRV'), answer([record('SRV', SRV, { length: 5 })])),
      asking(resolving('CAA'), answer([record('CAA', Buffer.from([0, 200, 97]))])),
      asking(resolving('NAPTR'), answer([record('NAPTR', NAPTR.subarray(0, 8))])),
      asking(resolving('NS'), answer([record('NS', Buffer.from([64, 97, 0]))])),
      asking(resolving('TXT'), answer([record('TXT', Buffer.alloc(0))])),
    ],
    'names in answers': [
      answered('NS', Buffer.from([3, 97, 46, 98, 0]), Buffer.from([3, 97, 92, 98, 0]), Buffer.from([2, 233, 1, 0])),
      answered('NS', Buffer.alloc(1)),
      answered('NS', name('a b";()@$%')),
    ],
  },
  { since: { 'answers with fields': 26, 'answers about certificates': 24, 'answers of all kinds': 26 } },
);
