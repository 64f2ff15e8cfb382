/**
 * TLS below others: `https` and `fetch` that trust or do not, and connections that become encrypted, as a
 * database's do.
 */
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { cases } from '../harness/cases.ts';
import { answerOf } from './http-exchange.ts';
import { certified, trusting } from './tls-peers.ts';

/** What `use` sees of a server that says who asks. */
async function serving<T>(options: https.ServerOptions, use: (port: number) => Promise<T>): Promise<T> {
  const server = https.createServer({ ...certified('leaf'), ...options }, (req, res) => {
    const { authorized, authorizationError, alpnProtocol, servername } = req.socket as tls.TLSSocket;
    res.end(JSON.stringify([authorized, authorizationError ?? null, alpnProtocol, servername]));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const asking =
  (options: https.RequestOptions & tls.ConnectionOptions, server: https.ServerOptions = {}) =>
  (): Promise<unknown> =>
    serving(server, async (port) => {
      const request = https.request({ host: 'localhost', family: 4, port, agent: false, ...trusting('root'), ...options });
      request.end('content');
      try {
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        return (await answerOf(response)).text;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
    });

const requesting = { requestCert: true, rejectUnauthorized: false, ...trusting('root') };

/** A database's way: a question in plain text, a letter as the answer, then TLS on the same connection. */
async function upgraded(client: tls.ConnectionOptions): Promise<unknown> {
  const server = net.createServer((plain) => {
    plain.on('error', () => undefined);
    plain.once('data', () => {
      plain.write('S');
      const secure = new tls.TLSSocket(plain, { isServer: true, secureContext: tls.createSecureContext(certified('leaf')) });
      secure.on('error', () => undefined);
      secure.on('data', (chunk) => secure.write(`you said ${String(chunk)}`));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const plain = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  plain.write('SSLRequest');
  const [letter] = (await once(plain, 'data')) as [Buffer];
  const secure = tls.connect({ socket: plain, servername: 'localhost', ...client });
  secure.write('hello');
  try {
    const [answer] = (await once(secure, 'data')) as [Buffer];
    return [String(letter), String(answer), secure.authorized, secure.authorizationError, secure.encrypted];
  } catch (error) {
    return [String(letter), (error as NodeJS.ErrnoException).code];
  } finally {
    secure.destroy();
    plain.destroy();
    server.close();
  }
}

const members = {
  'servers that https trusts or not': [
    asking({}),
    asking({ ca: trusting('own').ca }),
    asking({ ca: trusting('own').ca, rejectUnauthorized: false }),
    asking({ servername: 'other.example' }),
    asking({ checkServerIdentity: () => Object.assign(new Error('mine'), { code: 'MINE' }) }),
    asking({ servername: 'other.example', checkServerIdentity: () => undefined }),
    asking({ ca: trusting('own').ca }, certified('own')),
    asking({}, certified('expired')),
    asking({ ALPNProtocols: ['h2'] }),
    asking({ ALPNProtocols: ['http/1.1'] }),
  ],
  'clients that https trusts or not': [
    asking({}, requesting),
    asking(certified('client'), requesting),
    asking(certified('own'), requesting),
    asking(certified('client'), { ...requesting, rejectUnauthorized: true }),
  ],
  'certificates by names': [
    asking({ servername: 'other.example' }, { SNICallback: (_name, done) => done(null, tls.createSecureContext(certified('other'))) }),
  ],
  'what fetch does not trust': [
    () =>
      serving({}, async (port) =>
        fetch(`https://127.0.0.1:${port}/`).catch((error: Error) => [error.message, (error.cause as NodeJS.ErrnoException).code]),
      ),
  ],
  'a connection that becomes encrypted': [
    () => upgraded(trusting('root')),
    () => upgraded(trusting('own')),
    () => upgraded({ rejectUnauthorized: false }),
  ],
};

export default cases('https-trust', members, {
  // Versions of OpenSSL differ in what they say.
  since: Object.fromEntries(Object.keys(members).map((name) => [name, 26])),
});
