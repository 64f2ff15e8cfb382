/** TLS between two peers of one process: who is trusted, what is agreed on, and how connections end. */
import tls from 'node:tls';
import { cases } from '../harness/cases.ts';
import { certified, conversation, trusting } from './tls-peers.ts';
import { CONVERSATIONS } from './tls-trust.ts';

/** What `checkServerIdentity` is called with. */
async function asked(rejectUnauthorized: boolean): Promise<unknown> {
  const calls: unknown[] = [];
  const checkServerIdentity = (host: string, certificate: tls.PeerCertificate): undefined => {
    calls.push([host, { ...certificate, issuerCertificate: typeof (certificate as tls.DetailedPeerCertificate).issuerCertificate }]);
  };
  await conversation({ client: { checkServerIdentity, rejectUnauthorized } });
  return calls;
}

/** What a peer's certificate says, on the side that `asks`. */
async function certificate(asks: 'client' | 'server', isDetailed: boolean): Promise<unknown> {
  const seen: unknown[] = [];
  const look = (socket: tls.TLSSocket): void => {
    const { issuerCertificate, ...own } = socket.getPeerCertificate(isDetailed) as tls.DetailedPeerCertificate;
    seen.push({ ...own, subject: { ...own.subject }, issuer: { ...own.issuer } }, issuerCertificate?.subject.CN);
    socket.end();
  };
  await conversation({
    server: { requestCert: true, ...trusting('root') },
    client: certified('client'),
    ...(asks === 'client'
      ? { serve: () => undefined, ask: (client) => client.on('secureConnect', () => look(client)) }
      : { serve: look, ask: () => undefined }),
  });
  return seen;
}

const addContext = (...names: string[]): (() => unknown) => {
  const server = tls.createServer(certified('leaf'));
  return () => names.map((name) => server.addContext(name, certified('other')));
};

const members = {
  ...Object.fromEntries(Object.entries(CONVERSATIONS).map(([name, list]) => [name, list.map((peers) => () => conversation(peers))])),
  'what checkServerIdentity is called with': [() => asked(true), () => asked(false)],
  "a peer's certificate": [
    () => certificate('client', false),
    () => certificate('client', true),
    () => certificate('server', false),
    () => certificate('server', true),
  ],
  'contexts by names': [addContext('a.example', '*.b.example'), addContext('')],
  'options that exclude each other': [
    () => tls.createServer({ ALPNCallback: () => undefined, ALPNProtocols: ['a'] }),
    () => tls.createServer({ ...certified('leaf'), cert: trusting('root').ca[0] }),
    () => tls.connect({ port: 1, checkServerIdentity: 5 as never }),
  ],
};

export default cases('tls-trust', members, {
  // Versions of OpenSSL differ in what they say.
  since: Object.fromEntries(Object.keys(members).map((name) => [name, 26])),
});
