/** node:tls: encrypted round trips, and what says that it is not supported. */
import tls from 'node:tls';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Duplex, PassThrough } from 'node:stream';
import { cases } from '../harness/cases.ts';
import { CA, CERT, KEY } from './tls-identity.ts';

/** What `use` sees of an encrypted connection that echoes. */
async function connected<T>(
  use: (client: tls.TLSSocket, peer: tls.TLSSocket, server: tls.Server) => T,
  options: tls.ConnectionOptions = {},
): Promise<T> {
  const server = tls.createServer({ key: KEY, cert: CERT, ALPNProtocols: ['one', 'two'] });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = tls.connect({ host: '127.0.0.1', servername: 'localhost', port, ca: CA, ...options });
  try {
    const [[peer]] = (await Promise.all([once(server, 'secureConnection'), once(client, 'secureConnect')])) as [[tls.TLSSocket], unknown];
    peer.on('error', () => undefined);
    peer.on('data', (chunk) => peer.write(chunk));
    return await use(client, peer, server);
  } finally {
    client.destroy();
    server.close();
  }
}

/** The code of the error that a connection ends with. */
const refusedFor = (options: tls.ConnectionOptions): Promise<unknown> =>
  connected(() => 'connected', options).catch((error: NodeJS.ErrnoException) => error.code);

/** What a server says of a client that does not speak TLS, and what that gets. */
async function spoken(text: string): Promise<unknown> {
  const server = tls.createServer({ key: KEY, cert: CERT });
  const failed = once(server, 'tlsClientError') as Promise<[NodeJS.ErrnoException]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1', () => client.write(text));
  const got: Buffer[] = [];
  client.on('data', (chunk: Buffer) => got.push(chunk)).on('error', () => undefined);
  const closed = once(client, 'close');
  const [{ code }] = await failed;
  await closed;
  server.close();
  return [code, Buffer.concat(got).length];
}

const certificate = (names: string, name = 'a.example'): tls.PeerCertificate => ({ subject: { CN: name }, subjectaltname: names }) as never;
const INSTEAD = 'rustls has no counterpart';

export default cases(
  'tls',
  {
    connect: [
      () =>
        connected(async (client) => {
          client.write('hello');
          const [chunk] = (await once(client, 'data')) as [Buffer];
          return [String(chunk), client.encrypted, client.authorized, client.authorizationError];
        }),
      () => connected((client) => [client.alpnProtocol], { ALPNProtocols: ['two'] }),
      () => connected((client) => [client.authorized], { rejectUnauthorized: false, ca: undefined }),
      () => refusedFor({ servername: 'other.example' }),
      // No names of DNS: what is sent of them is not compared, but the connection comes about.
      ...['a b', `${'a'.repeat(300)}.example`, 'b\u00fccher.example'].map(
        (servername) => () => connected((client) => client.authorized, { servername, rejectUnauthorized: false }),
      ),
      () => connected((client) => client.getProtocol(), { maxVersion: 'TLSv1.2' }),
    ],
    'HTTP to a server of TLS': ['GET / HTTP/1.1\r\n\r\n', 'POST / HTTP/1.1\r\n', 'HEAD /', 'PUT /x', 'CONNECT a:1 HTTP/1.1\r\n'].map(
      (text) => () => spoken(text),
    ),
    createServer: [
      () => tls.createServer() instanceof tls.Server,
      () => connected((_client, peer) => [peer.encrypted, peer.servername, peer.authorized]),
    ],
    Server: [() => new tls.Server() instanceof net.Server],
    'Server#setSecureContext': [() => tls.createServer().setSecureContext({ key: KEY, cert: CERT })],
    'Server#addContext': [() => tls.createServer().addContext('a.example', { key: KEY, cert: CERT })],
    'Server#getTicketKeys': [() => tls.createServer().getTicketKeys().length],
    'Server#setTicketKeys': [() => tls.createServer().setTicketKeys(Buffer.alloc(48))],
    TLSSocket: [
      // On a stream that is no socket nothing is said before somebody asks for it; what Node makes of the
      // stream is there for packages.
      async () => {
        const stream = new PassThrough();
        const socket = new tls.TLSSocket(stream as unknown as net.Socket);
        const handle = (socket as unknown as { _handle: { _parentWrap: { constructor: { name: string } } } })._handle;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return [handle._parentWrap.constructor.name, stream.readableLength, socket.destroyed];
      },
      () =>
        new Promise((resolve) => {
          const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
            resolve(chunk.subarray(0, 2).toString('hex'));
            done();
          };
          const stream = new Duplex({ read: () => undefined, write });
          (new tls.TLSSocket(stream as unknown as net.Socket) as unknown as { _start(): void })._start();
        }),
      () => connected((client) => [client instanceof tls.TLSSocket, client instanceof net.Socket]),
    ],
    'TLSSocket#getProtocol': [() => connected((client) => client.getProtocol())],
    'TLSSocket#getCipher': [() => connected((client) => client.getCipher().version)],
    'TLSSocket#getPeerCertificate': [
      () =>
        connected((client) => {
          const { raw, subjectaltname } = client.getPeerCertificate();
          return [raw.length, subjectaltname];
        }),
    ],
    'TLSSocket#isSessionReused': [() => connected((client) => client.isSessionReused())],
    'TLSSocket#disableRenegotiation': [() => connected((client) => client.disableRenegotiation())],
    'TLSSocket#setServername': [
      () => connected((_client, peer) => (peer as unknown as { setServername(name: string): void }).setServername('a')),
    ],
    'TLSSocket#enableTrace': [() => connected((client) => typeof client.enableTrace())],
    'TLSSocket#exportKeyingMaterial': [() => connected((client) => client.exportKeyingMaterial(8, 'label', Buffer.alloc(0)).length)],
    'TLSSocket#renegotiate': [() => connected((client) => client.renegotiate({}, () => undefined), { maxVersion: 'TLSv1.2' })],
    'TLSSocket#setSession': [
      () => connected((client) => (client as unknown as { setSession(session: Buffer): void }).setSession(Buffer.alloc(0))),
    ],
    SecureContext: [() => tls.createSecureContext({}).constructor.name],
    createSecureContext: [
      () => typeof tls.createSecureContext({ key: KEY, cert: CERT }).context,
      () => tls.createSecureContext({ cert: 1 as never }),
      () => tls.createSecureContext({ minVersion: 'x' as never }),
      () => tls.createSecureContext({ key: KEY, cert: 'no certificate' }),
      () => tls.createSecureContext({ key: 'no key', cert: CERT }),
    ],
    'authorized with rejectUnauthorized: false': [() => connected((client) => [client.authorized], { rejectUnauthorized: false })],
    'options that are not supported': [
      () => typeof tls.createSecureContext({ ciphers: 'AES128-SHA256' }).context,
      () => typeof tls.createSecureContext({ ecdhCurve: 'P-521' }).context,
    ],
    checkServerIdentity: [
      () => tls.checkServerIdentity('a.example', certificate('DNS:a.example')),
      () => tls.checkServerIdentity('b.example', certificate('DNS:*.example, DNS:b.other'))?.message,
      () => tls.checkServerIdentity('1.2.3.4', certificate('IP Address:1.2.3.4')),
      () => tls.checkServerIdentity('1.2.3.5', certificate('IP Address:1.2.3.4'))?.message,
    ],
    convertALPNProtocols: [
      () => {
        const out: { ALPNProtocols?: Buffer } = {};
        (tls as unknown as { convertALPNProtocols(protocols: string[], out: object): void }).convertALPNProtocols(['h2', 'http/1.1'], out);
        return out;
      },
    ],
    getCiphers: [() => tls.getCiphers().length],
    getCACertificates: [() => (tls as unknown as { getCACertificates(): string[] }).getCACertificates().length],
    setDefaultCACertificates: [() => (tls as unknown as { setDefaultCACertificates(list: string[]): void }).setDefaultCACertificates([CA])],
    rootCertificates: [() => tls.rootCertificates.length],
    CLIENT_RENEG_LIMIT: [() => tls.CLIENT_RENEG_LIMIT],
    CLIENT_RENEG_WINDOW: [() => tls.CLIENT_RENEG_WINDOW],
    DEFAULT_ECDH_CURVE: [() => tls.DEFAULT_ECDH_CURVE],
    DEFAULT_MIN_VERSION: [() => tls.DEFAULT_MIN_VERSION],
    DEFAULT_MAX_VERSION: [() => tls.DEFAULT_MAX_VERSION],
    DEFAULT_CIPHERS: [() => tls.DEFAULT_CIPHERS],
  },
  {
    differs: {
      DEFAULT_CIPHERS: 'only suites with forward secrecy and authenticated encryption',
      getCiphers: 'only suites with forward secrecy and authenticated encryption',
      'options that are not supported': 'they throw ERR_FEATURE_UNAVAILABLE_ON_PLATFORM instead of being ignored',
      'TLSSocket#enableTrace': INSTEAD,
      'TLSSocket#setSession': 'give the option session to tls.connect()',
    },
    missing: {
      getCACertificates: 'the authorities are built in; give your own with the option ca',
      setDefaultCACertificates: 'give authorities with the option ca',
      rootCertificates: 'the authorities are built in as keys and names only; give your own with the option ca',
      'TLSSocket#exportKeyingMaterial': INSTEAD,
      'TLSSocket#renegotiate': 'TLS 1.3 has no renegotiation',
    },
  },
);
