/** Whether peers are trusted, by all that the certificates of a path say of themselves. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { cases } from '../harness/cases.ts';
import {
  alone,
  ANY_SERVER,
  authority,
  chain,
  domains,
  netscape,
  noAuthority,
  purpose,
  SIGNS,
  SIGNS_CERTIFICATES,
  unknown,
  usage,
  within,
  type Chain,
  type Made,
} from './tls-authorities.ts';

type Identity = ReturnType<typeof chain>;

/** Whether the client trusts the server and the server the client. Versions of OpenSSL differ in why not. */
async function trusted(server: tls.TlsOptions, client: tls.ConnectionOptions): Promise<readonly boolean[]> {
  const listening = tls.createServer({ rejectUnauthorized: false, ...server }, (socket) => {
    socket.on('error', () => undefined);
    socket.end(socket.authorized ? 'yes' : 'no');
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const socket = tls.connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false, ...client });
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  await once(socket, 'end');
  listening.close();
  return [socket.authorized, answer === 'yes'];
}

const server = ({ ca, ...identity }: Identity, servername = 'localhost') => trusted(identity, { ca, servername });
const client = ({ ca, ...identity }: Identity) => trusted({ ...ANY_SERVER, requestCert: true, ca }, identity);
/** Both ways. */
const both = (made: Chain): (() => unknown)[] => [() => server(chain(made)), () => client(chain(made))];

const root = (...extensions: Buffer[]): Chain => ({ root: { extensions } });
const between = (...extensions: Buffer[]): Chain => ({ between: { extensions } });
const signing = usage(SIGNS_CERTIFICATES);

const ROOTS: readonly Chain[] = [
  {},
  { root: { to: '2021' } },
  { root: { from: '2099' } },
  root(noAuthority),
  root(),
  root(signing),
  root(authority(), usage(SIGNS)),
  root(authority(), purpose(1)),
  root(authority(), purpose(2)),
  root(authority(), unknown),
  root(netscape(0x04)),
  root(netscape(0x40)),
  root(authority(0)),
  ...[authority(0), authority(1), noAuthority].map((basic) => ({ ...root(basic), between: {} })),
];

const BETWEEN: readonly Chain[] = [
  { between: {} },
  { between: { to: '2021' } },
  between(authority(0), signing),
  between(noAuthority),
  between(authority(), usage(SIGNS)),
  between(authority(), purpose(1)),
  between(authority(), purpose(2)),
  between(authority(), unknown),
];

const peer = (...extensions: Buffer[]): Made => ({ extensions: [domains('localhost'), ...extensions] });
const PEERS: readonly Made[] = [
  ...[SIGNS, 0x40, 0x20, 0x10, 0x08, SIGNS_CERTIFICATES, 0x02].map((bits) => peer(usage(bits))),
  ...[1, 2, 3].map((last) => peer(purpose(last))),
  ...[0x80, 0x40, 0x04].map((bits) => peer(netscape(bits))),
  peer(unknown),
];

const HOST = 'host.example.test';
const TREES = ['test', '.test', 'example.test', 'st', HOST, 'other', ''];
const constrained: readonly Chain[] = TREES.flatMap((tree) =>
  ([0xa0, 0xa1] as const).flatMap((kind) => {
    const made: Made = { extensions: [authority(), within(kind, tree)] };
    return [{ root: made }, { between: made }];
  }),
);
const hosts: readonly Made[] = [
  { subject: HOST, extensions: [] },
  { subject: 'other', extensions: [domains(HOST)] },
];

const members = {
  'what roots say of themselves': ROOTS.flatMap(both),
  'what authorities between say of themselves': BETWEEN.flatMap(both),
  'what peers say of themselves': PEERS.flatMap((made) => both({ peer: made })),
  'what peers that are trusted as themselves say': PEERS.flatMap((made) => [() => server(alone(made)), () => client(alone(made))]),
  'names of hosts within constraints': constrained.flatMap((made) => hosts.map((one) => () => server(chain({ ...made, peer: one }), HOST))),
};

export default cases('tls-authorities', members, {
  // Versions of OpenSSL differ in what they ask.
  since: Object.fromEntries(Object.keys(members).map((name) => [name, 26])),
});
