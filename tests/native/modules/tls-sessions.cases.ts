/** TLS sessions that go on: which do, and what both sides see. */
import https from 'node:https';
import tls from 'node:tls';
import { cases } from '../harness/cases.ts';
import { certified, trusting } from './tls-peers.ts';
import { meet, requests } from './tls-sessions.ts';

const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;
const each = (program: (version: tls.SecureVersion) => unknown): (() => unknown)[] => VERSIONS.map((version) => () => program(version));
const keys = (byte: number): Buffer => Buffer.alloc(48, byte);
const asks = { requestCert: true, rejectUnauthorized: false, ...trusting('root') };

let asked = 0;
const counting: tls.ConnectionOptions = {
  checkServerIdentity: () => {
    asked += 1;
    return undefined;
  },
};

const members = {
  'a session that goes on': [
    ...each((maxVersion) => meet({ server: { maxVersion }, clients: [{}, {}, {}] })),
    ...each((maxVersion) => meet({ server: { maxVersion, sessionTimeout: 100 }, clients: [{}, {}] })),
    ...each((maxVersion) => meet({ server: { maxVersion, ALPNProtocols: ['a', 'b'] }, clients: [{ ALPNProtocols: ['b'] }, {}] })),
    // An unknown certificate stays one.
    ...each((maxVersion) =>
      meet({
        server: { maxVersion },
        clients: [
          { ...trusting('own'), rejectUnauthorized: false },
          { rejectUnauthorized: false, ...trusting('own') },
        ],
      }),
    ),
  ],
  'a session that does not go on': [
    ...each((maxVersion) => meet({ server: { maxVersion }, clients: [{}, { session: undefined }] })),
    ...each((maxVersion) => meet({ server: { maxVersion }, clients: [{}, {}], between: (server) => server.setTicketKeys(keys(1)) })),
    () => meet({ clients: [{ maxVersion: 'TLSv1.2' }, { minVersion: 'TLSv1.3' }] }),
    () => meet({ clients: [{ maxVersion: 'TLSv1.3' }, { maxVersion: 'TLSv1.2' }] }),
  ],
  'ticketKeys that servers share': each(async (maxVersion) => {
    const server = { maxVersion, ticketKeys: keys(7) };
    return [
      await meet({ server, clients: [{}, {}], between: (one) => one.setTicketKeys(keys(8)) }),
      await meet({ server, clients: [{}, {}], between: (one) => one.setTicketKeys(keys(7)) }),
      await meet({ server, clients: [{}, {}], between: (one) => one.setTicketKeys(one.getTicketKeys()) }),
      await meet({ server, clients: [{}, {}], between: (one) => one.setSecureContext(certified('leaf')) }),
    ];
  }),
  'clients with certificates that come again': [
    ...each((maxVersion) => meet({ server: { maxVersion, ...asks }, clients: [certified('client'), certified('client')] })),
    ...each((maxVersion) => meet({ server: { maxVersion, ...asks }, clients: [certified('own'), certified('own')] })),
    ...each((maxVersion) => meet({ server: { maxVersion, ...asks }, clients: [{}, {}] })),
  ],
  'contexts by names and sessions': each((maxVersion) => {
    const SNICallback: tls.TlsOptions['SNICallback'] = (_name, done) => done(null, tls.createSecureContext(certified('leaf')));
    return meet({ server: { maxVersion, SNICallback }, clients: [{}, {}] });
  }),
  'a session that was written down': each((maxVersion) =>
    meet({ server: { maxVersion }, clients: [{}, {}], offered: (session) => Buffer.from(session ?? []) }),
  ),
  'checkServerIdentity is asked once': each(async (maxVersion) => {
    asked = 0;
    return [await meet({ server: { maxVersion }, clients: [counting, counting] }), asked];
  }),
  'the sessions of an agent': [
    () => requests({}, 3),
    () => requests({ maxCachedSessions: 0 }, 3),
    () => requests({ maxVersion: 'TLSv1.2' }, 3),
    () => requests({ keepAlive: true }, 3),
    () => [new https.Agent({ maxCachedSessions: 3 }), new https.Agent()].map((agent) => (agent as never)['maxCachedSessions'] as number),
  ],
  'ticket keys and times that are none': [
    () => tls.createServer().getTicketKeys().length,
    () => tls.createServer().setTicketKeys(keys(1).subarray(1)),
    () => tls.createServer().setTicketKeys('x'.repeat(48) as never),
    () => tls.createServer().setTicketKeys(new DataView(new ArrayBuffer(48)) as never),
    () => tls.createServer({ ticketKeys: keys(1).subarray(1) }),
    () => tls.createServer({ ticketKeys: 'x'.repeat(48) as never }),
    () => tls.createServer({ ticketKeys: keys(7) }).getTicketKeys(),
    ...[-1, '5', 1.5, 2 ** 31, null, Number.NaN, 0].map(
      (sessionTimeout) => () => typeof tls.createServer({ sessionTimeout: sessionTimeout as never }),
    ),
    ...[-1, '5', null].map((sessionTimeout) => () => typeof tls.createSecureContext({ sessionTimeout: sessionTimeout as never })),
    () => typeof tls.createSecureContext({ ticketKeys: keys(1).subarray(2) }),
  ],
};

export default cases('tls-sessions', members, {
  differs: {
    'a session that was written down':
      'a session is known by its Buffer, within the process: a copy makes a full handshake. One of TLS 1.3 goes on once for each ticket',
  },
  // Versions of OpenSSL differ in what they say.
  since: Object.fromEntries(Object.keys(members).map((name) => [name, 26])),
});
