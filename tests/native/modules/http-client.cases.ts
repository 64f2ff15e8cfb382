/** node:http: the client's side and its agents. */
import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { cases } from '../harness/cases.ts';
import { answerOf, exchange, send, serving } from './http-exchange.ts';

const echo: http.RequestListener = (req, res) => {
  let text = '';
  req.on('data', (chunk) => (text += String(chunk)));
  req.on('end', () => res.end(`${req.method} ${req.url} ${text}`));
};

/**
 * Sends two requests one after the other; the ports of the client's sockets tell whether a connection was
 * used again.
 */
const reused = (agent: http.Agent): Promise<unknown[]> =>
  serving(
    (req, res) => res.end(String(req.socket.remotePort)),
    async (port) => {
      const first = await send(port, { agent });
      await new Promise((resolve) => setImmediate(resolve));
      const second = await send(port, { agent });
      const counts = [Object.keys(agent.sockets).length, Object.keys(agent.requests).length];
      agent.destroy();
      return [first.text === second.text, first.headers.connection, counts];
    },
  );

/** The error of a request that fails. */
async function failing(options: http.RequestOptions): Promise<unknown[]> {
  const request = http.request(options);
  request.end();
  const [error] = (await once(request, 'error').catch((reason: unknown) => [reason])) as [NodeJS.ErrnoException];
  return [error.name, error.code, error.syscall];
}

/** A request that is never sent. */
function unsent(options: http.RequestOptions = {}): http.ClientRequest {
  const request = http.request({ host: '127.0.0.1', port: 1, createConnection: () => new net.Socket(), ...options });
  request.on('error', () => undefined);
  return request;
}

/** How a request ends that nothing answers. */
const unanswered = (act: (request: http.ClientRequest) => unknown): Promise<unknown[]> =>
  serving(
    () => undefined,
    async (port, server) => {
      const request = http.request({ host: '127.0.0.1', port });
      request.end();
      await once(server, 'request');
      const seen: unknown[] = [];
      request.on('abort', () => seen.push('abort'));
      request.on('timeout', () => seen.push('timeout') && request.destroy());
      request.on('error', (error: NodeJS.ErrnoException) => seen.push(error.code, error.message));
      act(request);
      await once(request, 'close').catch(() => undefined);
      return [...seen, request.destroyed, request.aborted];
    },
  );

export default cases('http', {
  request: [
    () => exchange(echo, { method: 'POST', path: '/p?q', body: 'text' }),
    () => serving(echo, (port) => send(port, { path: '/a', headers: ['host', 'b', 'x', 'y'] as never })),
    () =>
      serving(
        (req, res) => res.end(req.headers.authorization),
        (port) => send(port, { auth: 'a:b' }),
      ),
    () =>
      serving(
        (req, res) => res.end(req.headers.host),
        (port) => send(port, { setHost: false, headers: { host: 'own' } }),
      ),
    () => failing({ host: '127.0.0.1', port: 1 }),
    () => http.request({ path: '/a b' }),
    () => http.request({ method: 'a b' }),
    () => http.request({ protocol: 'https:' }),
    () => http.request('nonsense'),
    () => http.request({ host: 1 as never }),
  ],
  get: [
    () =>
      serving(echo, async (port) => {
        const [response] = (await once(http.get(`http://127.0.0.1:${port}/x`), 'response')) as [http.IncomingMessage];
        return answerOf(response);
      }),
    () =>
      serving(
        echo,
        (port) =>
          new Promise((resolve) => http.get(new URL(`http://127.0.0.1:${port}/u`), { method: 'GET' }, (res) => resolve(answerOf(res)))),
      ),
  ],
  ClientRequest: [
    () => {
      const request = unsent({ path: '/a', method: 'PUT', headers: { a: 'b' } });
      const seen = [
        request.path,
        request.method,
        request.host,
        request.protocol,
        request.getHeaders(),
        request.reusedSocket,
        request.maxHeadersCount,
      ];
      request.destroy();
      return seen;
    },
    async () => {
      const controller = new AbortController();
      const request = unsent({ signal: controller.signal });
      controller.abort();
      await once(request, 'close').catch(() => undefined);
      return request.destroyed;
    },
    () =>
      serving(
        (req) => req.socket.destroy(),
        async (port) => failing({ host: '127.0.0.1', port }),
      ),
  ],
  'ClientRequest#abort': [() => unanswered((request) => request.abort())],
  'ClientRequest#destroy': [
    () => unanswered((request) => request.destroy()),
    () => unanswered((request) => request.destroy(new Error('own'))),
  ],
  'ClientRequest#setTimeout': [() => unanswered((request) => request.setTimeout(10)), () => unsent().setTimeout('a' as never)],
  'ClientRequest#clearTimeout': [() => typeof (unsent() as unknown as { clearTimeout: unknown }).clearTimeout],
  'ClientRequest#setNoDelay': [() => unanswered((request) => [request.setNoDelay(true), request.destroy()])],
  'ClientRequest#setSocketKeepAlive': [() => unanswered((request) => [request.setSocketKeepAlive(true, 5), request.destroy()])],
  'ClientRequest#path': [() => unsent({ path: '/p' }).path],
  'ClientRequest#onSocket': [() => typeof (unsent() as unknown as { onSocket: unknown }).onSocket],
  globalAgent: [() => http.globalAgent instanceof http.Agent, () => http.globalAgent.maxSockets],
  Agent: [
    () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 3 });
      return [
        agent.maxSockets,
        agent.maxFreeSockets,
        agent.maxTotalSockets,
        { ...agent.sockets },
        { ...agent.freeSockets },
        { ...agent.requests },
      ];
    },
    () => reused(new http.Agent({ keepAlive: true })),
    () => reused(new http.Agent({ keepAlive: false })),
    () => new http.Agent({ maxTotalSockets: 0 }),
    () => new http.Agent({ scheduling: 'x' as never }),
    () =>
      serving(echo, async (port) => {
        const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
        const answers = await Promise.all(['/1', '/2', '/3'].map((path) => send(port, { agent, path })));
        agent.destroy();
        return answers.map(({ text }) => text);
      }),
  ],
  'Agent#getName': [
    () => new http.Agent().getName({ host: 'a', port: 1 }),
    () => new http.Agent().getName({ host: 'a', port: 1, localAddress: 'b', family: 6 }),
    () => new http.Agent().getName({ socketPath: '/s' } as never),
    () => new http.Agent().getName(),
  ],
  'Agent#createConnection': [
    () =>
      serving(echo, async (port) => {
        const socket = (new http.Agent() as unknown as { createConnection(options: object): net.Socket }).createConnection({
          host: '127.0.0.1',
          port,
        });
        await once(socket, 'connect');
        socket.destroy();
        return socket instanceof net.Socket;
      }),
  ],
  'Agent#destroy': [() => new http.Agent().destroy()],
  'Agent#addRequest': [() => typeof (new http.Agent() as unknown as { addRequest: unknown }).addRequest],
  'Agent#createSocket': [() => typeof (new http.Agent() as unknown as { createSocket: unknown }).createSocket],
  'Agent#removeSocket': [() => typeof (new http.Agent() as unknown as { removeSocket: unknown }).removeSocket],
  'Agent#keepSocketAlive': [
    () => (new http.Agent() as unknown as { keepSocketAlive(socket: object): boolean }).keepSocketAlive(new net.Socket()),
  ],
  'Agent#reuseSocket': [() => typeof (new http.Agent() as unknown as { reuseSocket: unknown }).reuseSocket],
  'Agent.defaultMaxSockets': [() => (http.Agent as unknown as { defaultMaxSockets: number }).defaultMaxSockets],
});
