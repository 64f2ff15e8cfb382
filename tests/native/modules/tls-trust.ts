/** Who trusts whom over TLS: conversations for cases in one process and in two. */
import tls from 'node:tls';
import { CERTIFICATES } from './tls-certificates.ts';
import { certified, trusting } from './tls-peers.ts';
import type { Peers } from './tls-peers.ts';

const serving = (...names: Parameters<typeof certified>): { server: tls.TlsOptions } => ({ server: certified(...names) });
/** Whether a client that sees through it goes on. */
const lenient = (peers: Peers): Peers => ({ ...peers, client: { ...peers.client, rejectUnauthorized: false } });
const both = (peers: Peers): Peers[] => [peers, lenient(peers)];

const SERVERS: readonly Peers[] = [
  serving('leaf'),
  { ...serving('leaf'), client: { ca: [] } },
  { ...serving('leaf'), client: trusting('own') },
  { ...serving('leaf'), client: trusting('leaf') },
  { ...serving('leaf', 'root'), client: trusting('own') },
  serving('far', 'inter'),
  serving('far'),
  { ...serving('far'), client: trusting('inter') },
  { ...serving('far'), client: trusting('inter', 'root') },
  { ...serving('far', 'inter'), client: trusting('inter') },
  { ...serving('far', 'inter'), client: trusting('own') },
  { ...serving('far', 'inter', 'root'), client: trusting('own') },
  serving('own'),
  { ...serving('own'), client: trusting('own') },
  { ...serving('own'), client: trusting('root', 'own') },
  { ...serving('old'), client: { ...trusting('old'), maxVersion: 'TLSv1.2' } },
  { ...serving('old'), client: trusting('old') },
  serving('expired'),
  { ...serving('expired'), client: trusting('own') },
  serving('future'),
  serving('client'),
  serving('other'),
];

const NAMES: readonly Peers[] = [
  { ...serving('other'), client: { servername: 'other.example' } },
  { ...serving('other'), client: { servername: 'a.wild.example' } },
  { ...serving('other'), client: { servername: 'a.b.wild.example' } },
  { ...serving('leaf'), client: { servername: '' } },
  { ...serving('other'), client: { servername: '' } },
];

const refuses: Peers['client'] = { checkServerIdentity: () => Object.assign(new Error('mine'), { code: 'MINE' }) };
const accepts: Peers['client'] = { checkServerIdentity: () => undefined };

const IDENTITIES: readonly Peers[] = [
  { ...serving('other'), client: accepts },
  { ...serving('leaf'), client: refuses },
  { ...serving('leaf'), client: { checkServerIdentity: () => new Error('no code') } },
  // Who is not trusted is not asked for a name.
  { ...serving('own'), client: accepts },
  { ...serving('own'), client: refuses },
];

const CLIENTS: readonly tls.ConnectionOptions[] = [
  {},
  certified('client'),
  certified('far', 'inter'),
  certified('own'),
  certified('expired'),
];
const requesting = (rejectUnauthorized: boolean, maxVersion: tls.SecureVersion): Peers[] =>
  CLIENTS.map((client) => ({ server: { requestCert: true, rejectUnauthorized, maxVersion, ...trusting('root') }, client }));

const other = tls.createSecureContext(certified('other'));

const CHOICES: readonly Peers[] = [
  { server: { ALPNProtocols: ['a', 'b'] }, client: { ALPNProtocols: ['b', 'a'] } },
  { server: { ALPNProtocols: ['a'] }, client: { ALPNProtocols: ['b'] } },
  { client: { ALPNProtocols: ['b'] } },
  { server: { ALPNProtocols: ['a'] } },
  { server: { ALPNCallback: ({ protocols }) => protocols[1] }, client: { ALPNProtocols: ['x', 'y'] } },
  { server: { ALPNCallback: () => undefined }, client: { ALPNProtocols: ['x'] } },
  { server: { ALPNCallback: () => 'none' }, client: { ALPNProtocols: ['x'] } },
  { server: { ALPNCallback: () => 'none' } },
  { server: { SNICallback: (_name, done) => done(null, other) }, client: { servername: 'other.example' } },
  { server: { SNICallback: (_name, done) => setImmediate(done, null, other) }, client: { servername: 'other.example' } },
  { server: { SNICallback: (_name, done) => done(null) } },
  { server: { SNICallback: (_name, done) => done(null, 5 as never) } },
  { server: { SNICallback: (_name, done) => done(Object.assign(new Error('mine'), { code: 'MINE' })) } },
  { server: { SNICallback: (_name, done) => done(null, other) }, client: { servername: '' } },
  { server: { minVersion: 'TLSv1.3' }, client: { maxVersion: 'TLSv1.2' } },
  { client: { ...certified('client'), cert: CERTIFICATES.root } },
];

const wait = (then: () => void): unknown => setTimeout(then, 20);

/** Ends of a connection, from either side. */
const ENDS: readonly Peers[] = [
  {},
  { server: { maxVersion: 'TLSv1.2' } },
  { ask: (client) => client.on('end', () => client.write('late')) },
  { ask: (client) => client.on('data', () => client.write('answer')) },
  {
    ask: (client, seen) =>
      client.on('close', () => client.write('later', (error) => seen.push(['write', (error as NodeJS.ErrnoException).code]))),
  },
  { client: { allowHalfOpen: true } as object, ask: (client) => client.on('end', () => wait(() => client.end('late'))) },
  {
    server: { allowHalfOpen: true },
    serve: (peer) => peer.on('end', () => wait(() => peer.end('after the end'))),
    ask: (client) => client.end('question'),
  },
  {
    server: { allowHalfOpen: true, maxVersion: 'TLSv1.2' },
    client: { allowHalfOpen: true } as object,
    serve: (peer) => peer.on('end', () => wait(() => peer.end('after the end'))),
    ask: (client) => client.end('question'),
  },
  { serve: () => undefined, ask: (client) => client.end() },
  { serve: (peer) => peer.write('data'), ask: (client) => client.on('data', () => client.destroy()) },
  { serve: (peer) => peer.destroy(), ask: () => undefined },
  { serve: (peer) => peer.end(Buffer.alloc(300_000, 'x')), ask: () => undefined },
];

/** By what they are about. */
export const CONVERSATIONS: Readonly<Record<string, readonly Peers[]>> = {
  'servers with all kinds of certificates': SERVERS.flatMap(both),
  'names of servers': NAMES.flatMap(both),
  checkServerIdentity: IDENTITIES.flatMap(both),
  'clients with all kinds of certificates': [
    ...requesting(false, 'TLSv1.3'),
    ...requesting(false, 'TLSv1.2'),
    ...requesting(true, 'TLSv1.3').filter(({ client }) => client?.cert !== undefined),
  ],
  'what a client asks for': CHOICES,
  'ends of a connection': ENDS,
};
