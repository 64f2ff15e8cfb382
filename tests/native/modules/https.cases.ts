/** node:https: round trips with a certificate that an authority of our own signed. */
import https from 'node:https';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { cases } from '../harness/cases.ts';
import { answerOf } from './http-exchange.ts';
import { CA, CERT, KEY } from './tls-identity.ts';

/** Serves over TLS while `use` runs. */
async function serving<T>(use: (port: number, server: https.Server) => Promise<T>): Promise<T> {
  const server = https.createServer({ key: KEY, cert: CERT }, (req, res) => {
    res.setHeader('x-port', String(req.socket.remotePort));
    res.end(`${req.method} ${req.url} ${'encrypted' in req.socket}`);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use((server.address() as AddressInfo).port, server);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function send(port: number, options: https.RequestOptions = {}): Promise<Awaited<ReturnType<typeof answerOf>>> {
  const request = https.request({ host: 'localhost', port, family: 4, ca: CA, agent: false, ...options });
  request.end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return answerOf(response);
}

const plain = async (port: number, options?: https.RequestOptions): Promise<unknown[]> => {
  const { status, text } = await send(port, options);
  return [status, text];
};

const untrusted = (port: number): Promise<unknown> =>
  send(port, { ca: [] as never, rejectUnauthorized: true, servername: 'other.example', checkServerIdentity: undefined } as never).then(
    () => 'answered',
    () => 'refused',
  );

async function closed(how: (server: https.Server) => unknown): Promise<unknown> {
  return serving(async (port, server) => {
    const agent = new https.Agent({ keepAlive: true });
    await send(port, { agent });
    const end = once(server, 'close');
    how(server);
    await end;
    agent.destroy();
    return server.listening;
  });
}

const reused = (keepAlive: boolean): Promise<boolean> =>
  serving(async (port) => {
    const agent = new https.Agent({ keepAlive });
    const first = await send(port, { agent });
    await new Promise((resolve) => setImmediate(resolve));
    const second = await send(port, { agent });
    agent.destroy();
    return first.headers['x-port'] === second.headers['x-port'];
  });

export default cases('https', {
  createServer: [() => serving((port) => plain(port)), () => https.createServer() instanceof https.Server],
  Server: [
    () => serving((port) => plain(port, { path: '/a?b', method: 'DELETE' })),
    () => new https.Server({ key: KEY, cert: CERT }).timeout,
    () => (https.Server as unknown as () => unknown)() instanceof https.Server,
  ],
  'Server#close': [() => closed((server) => server.close())],
  'Server#closeAllConnections': [() => closed((server) => server.close() && server.closeAllConnections())],
  'Server#closeIdleConnections': [() => closed((server) => server.close() && server.closeIdleConnections())],
  'Server#setTimeout': [() => https.createServer().setTimeout(7).timeout],
  request: [
    () => serving((port) => plain(port)),
    () => serving((port) => plain(port, { ca: undefined, rejectUnauthorized: false })),
    () => serving(untrusted),
    () => https.request({ protocol: 'http:' }),
  ],
  get: [
    () =>
      serving(async (port) => {
        const [response] = (await once(https.get(`https://localhost:${port}/g`, { ca: CA, family: 4 }), 'response')) as [
          http.IncomingMessage,
        ];
        return (await answerOf(response)).text;
      }),
  ],
  globalAgent: [() => https.globalAgent instanceof https.Agent],
  Agent: [
    () => reused(true),
    () => reused(false),
    () => [new https.Agent().maxSockets, (new https.Agent() as unknown as { defaultPort: number }).defaultPort],
  ],
  'Agent#getName': [
    () => (new https.Agent() as unknown as { getName(options: object): string }).getName({ host: 'a', port: 1 }),
    () =>
      (new https.Agent() as unknown as { getName(options: object): string }).getName({
        host: 'a',
        port: 1,
        ca: 'x',
        servername: 'b',
        rejectUnauthorized: false,
      }),
  ],
  'Agent#createConnection': [
    () =>
      serving(async (port) => {
        const create = new https.Agent() as unknown as {
          createConnection(options: object): NodeJS.EventEmitter & { destroy(): void; encrypted: boolean };
        };
        const socket = create.createConnection({ host: 'localhost', port, family: 4, ca: CA });
        await once(socket, 'secureConnect');
        socket.destroy();
        return socket.encrypted;
      }),
  ],
});
