/** node:net: members of sockets, servers, lists of addresses. */
import net from 'node:net';
import { once } from 'node:events';
import { cases } from '../harness/cases.ts';

/** What `use` sees of a connection and of its server's side. */
async function connected<T>(
  use: (client: net.Socket, peer: net.Socket, server: net.Server) => T,
  options: net.ServerOpts = {},
): Promise<Awaited<T>> {
  const server = net.createServer(options);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  const [[peer]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [[net.Socket], unknown];
  peer.on('error', () => undefined);
  try {
    return await use(client, peer, server);
  } finally {
    client.destroy();
    peer.destroy();
    server.close();
  }
}

async function listening<T>(use: (server: net.Server) => T, ...args: unknown[]): Promise<Awaited<T>> {
  const server = net.createServer();
  (server.listen as (...args: unknown[]) => void)(...(args.length > 0 ? args : [0, '127.0.0.1']));
  await once(server, 'listening');
  try {
    return await use(server);
  } finally {
    server.close();
  }
}

const blocked = (): net.BlockList => {
  const list = new net.BlockList();
  list.addAddress('1.2.3.4');
  return list;
};
const address = (): net.SocketAddress => new net.SocketAddress({ address: '::1', family: 'ipv6', port: 80, flowlabel: 5 });

/** Members that `net.Stream`, another name of `net.Socket`, has too. */
const socket = {
  address: [() => connected((client) => (client.address() as net.AddressInfo).family), () => new net.Socket().address()],
  bufferSize: [() => new net.Socket().bufferSize],
  bytesRead: [() => new net.Socket().bytesRead],
  bytesWritten: [() => connected((client) => [client.write('äb'), client.bytesWritten])],
  connect: [() => new net.Socket().connect({} as never), () => new net.Socket().connect({ port: 'x' as never })],
  destroySoon: [
    () =>
      connected(async (client, peer) => {
        peer.resume();
        client.write('a');
        client.destroySoon();
        await once(client, 'close');
        return [client.writableFinished, client.destroyed];
      }),
  ],
  end: [
    () =>
      connected(async (client, peer) => {
        let text = '';
        peer.on('data', (chunk) => (text += String(chunk)));
        client.end('last');
        await once(peer, 'end');
        return text;
      }),
  ],
  localAddress: [() => connected((client) => client.localAddress), () => new net.Socket().localAddress],
  localFamily: [() => connected((client) => client.localFamily)],
  localPort: [() => connected((client, peer) => client.localPort === peer.remotePort)],
  remoteAddress: [() => connected((client) => client.remoteAddress)],
  remoteFamily: [() => connected((client) => client.remoteFamily)],
  remotePort: [() => connected((client, _peer, server) => client.remotePort === (server.address() as net.AddressInfo).port)],
  pause: [
    () =>
      connected(async (client, peer) => {
        client.on('data', () => undefined);
        const paused = [client.pause() === client, client.isPaused()];
        peer.write('x');
        client.resume();
        const [chunk] = (await once(client, 'data')) as [Buffer];
        return [...paused, client.isPaused(), String(chunk)];
      }),
  ],
  resume: [() => connected((client) => client.resume() === client)],
  pending: [() => new net.Socket().pending, () => connected((client) => client.pending)],
  readyState: [
    () => new net.Socket().readyState,
    () => connected((client) => [client.readyState, client.destroy() === client, client.readyState]),
  ],
  read: [() => connected((client) => client.read() as unknown)],
  ref: [() => connected((client) => client.ref() === client)],
  unref: [() => connected((client) => client.unref() === client)],
  resetAndDestroy: [
    () =>
      connected(async (client, peer) => {
        peer.resume();
        const failed = new Promise<unknown>((resolve) => peer.once('error', (error: NodeJS.ErrnoException) => resolve(error.code)));
        client.resetAndDestroy();
        return [await failed, client.destroyed];
      }),
    async () => {
      const [error] = (await once(new net.Socket().resetAndDestroy(), 'error').catch((reason: unknown) => [reason])) as [
        NodeJS.ErrnoException,
      ];
      return error.code;
    },
  ],
  setKeepAlive: [() => connected((client) => client.setKeepAlive(true, 1000) === client)],
  setNoDelay: [() => connected((client) => client.setNoDelay() === client)],
  setTimeout: [
    () =>
      connected(async (client) => {
        client.setTimeout(10);
        await once(client, 'timeout');
        return [client.timeout, client.destroyed];
      }),
    () => new net.Socket().setTimeout('x' as never),
    () => new net.Socket().setTimeout(1, 'x' as never),
  ],
};

const named = (prefix: string): Record<string, (() => unknown)[]> =>
  Object.fromEntries(Object.entries(socket).map(([name, programs]) => [`${prefix}#${name}`, programs]));

export default cases('net', {
  Socket: [
    () => new net.Socket().writable,
    () => (net.Socket as unknown as () => unknown)() instanceof net.Socket,
    () => new net.Socket({ fd: -1 }),
    async () => {
      const controller = new AbortController();
      const made = new net.Socket({ signal: controller.signal });
      const failed = new Promise((resolve) => made.once('error', (error) => resolve(error.name)));
      controller.abort();
      return [await failed, made.destroyed];
    },
  ],
  Stream: [() => (net as unknown as { Stream: unknown }).Stream === net.Socket],
  ...named('Socket'),
  ...named('Stream'),
  Server: [
    () => new net.Server().listening,
    () =>
      connected(async (client, _peer, server) => {
        server.maxConnections = 1;
        const second = net.connect(client.remotePort as number, '127.0.0.1');
        second.on('error', () => undefined);
        const [dropped] = (await once(server, 'drop')) as [{ remoteAddress: string }];
        second.destroy();
        return dropped.remoteAddress;
      }),
    async () => {
      const controller = new AbortController();
      const server = net.createServer().listen({ port: 0, host: '127.0.0.1', signal: controller.signal });
      await once(server, 'listening');
      controller.abort();
      await once(server, 'close');
      return server.listening;
    },
    () => connected((_client, peer) => peer.isPaused(), { pauseOnConnect: true }),
  ],
  'Server#address': [() => new net.Server().address(), () => listening((server) => (server.address() as net.AddressInfo).address)],
  'Server#close': [() => new Promise((resolve) => new net.Server().close((error) => resolve((error as NodeJS.ErrnoException).code)))],
  'Server#getConnections': [
    () => connected((_client, _peer, server) => new Promise((resolve) => server.getConnections((error, count) => resolve([error, count])))),
  ],
  'Server#listen': [
    () => listening((server) => server.listen(0)),
    () => new net.Server().listen(70_000),
    () => new net.Server().listen({} as never),
    () =>
      listening(
        (first) =>
          new Promise((resolve) => {
            const second = net.createServer();
            second.on('error', (error: NodeJS.ErrnoException) => resolve([error.code, error.syscall]));
            second.listen((first.address() as net.AddressInfo).port, '127.0.0.1');
          }),
      ),
  ],
  'Server#listening': [() => listening((server) => server.listening)],
  'Server#ref': [() => listening((server) => server.ref() === server)],
  'Server#unref': [() => listening((server) => server.unref() === server)],
  'BlockList#addAddress': [() => blocked().rules, () => blocked().addAddress('x')],
  'BlockList#addRange': [() => blocked().addRange('1.1.1.1', '1.1.1.9')],
  'BlockList#addSubnet': [() => blocked().addSubnet('1.1.1.0', 24)],
  'BlockList#check': [() => blocked().check('1.2.3.4'), () => blocked().check('1.2.3.5')],
  'BlockList#rules': [() => blocked().rules],
  'SocketAddress#address': [() => address().address],
  'SocketAddress#family': [() => address().family],
  'SocketAddress#flowlabel': [() => address().flowlabel],
  'SocketAddress#port': [() => address().port],
  'SocketAddress#toJSON': [() => JSON.stringify(address())],
  getDefaultAutoSelectFamilyAttemptTimeout: [() => typeof net.getDefaultAutoSelectFamilyAttemptTimeout()],
});
