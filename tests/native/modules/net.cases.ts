/** node:net: addresses, sockets and servers. */
import net from 'node:net';
import { once } from 'node:events';
import { cases } from '../harness/cases.ts';

/** A server that answers `bye` and what a client sees of it. */
async function conversation(): Promise<unknown[]> {
  const seen: unknown[] = [];
  const server = net.createServer((socket) => {
    socket.on('data', (chunk) => socket.end(`bye ${String(chunk)}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const client = net.connect(port, '127.0.0.1');
  for (const event of ['lookup', 'connect', 'ready', 'end', 'finish', 'close']) client.on(event, () => seen.push(event));
  client.on('data', (chunk) => seen.push(String(chunk)));
  client.write('hello');
  await once(client, 'close');
  server.close();
  await once(server, 'close');
  return [seen, client.bytesRead, client.bytesWritten, client.destroyed, server.listening];
}

async function refused(): Promise<unknown[]> {
  const socket = net.connect({ port: 1, host: '127.0.0.1' });
  const [error] = (await once(socket, 'error').catch((reason: unknown) => [reason])) as [
    NodeJS.ErrnoException & { address?: string; port?: number },
  ];
  return [error.code, error.message, error.syscall, error.address, error.port, error.errno];
}

function listed(): net.BlockList {
  const list = new net.BlockList();
  list.addAddress('1.2.3.4');
  list.addRange('10.0.0.1', '10.0.0.9');
  list.addSubnet('8592:757c:efae:4e45::', 64, 'ipv6');
  return list;
}

export default cases('net', {
  isIP: [() => ['1.2.3.4', '::1', 'fe80::1%eth0', 'a', '', '01.2.3.4', '::ffff:1.2.3.4'].map(net.isIP)],
  isIPv4: [() => net.isIPv4('1.2.3.4'), () => net.isIPv4('::1')],
  isIPv6: [() => net.isIPv6('1.2.3.4'), () => net.isIPv6('::1')],
  createServer: [() => net.createServer() instanceof net.Server, () => net.createServer(1 as never)],
  connect: [conversation, refused, () => net.connect({} as never), () => net.connect({ port: 70_000 })],
  createConnection: [() => net.createConnection === net.connect],
  BlockList: [
    () => [...listed().rules].sort(),
    () => ['1.2.3.4', '10.0.0.5', '10.0.0.10'].map((address) => listed().check(address)),
    () => listed().check('::ffff:1.2.3.4', 'ipv6'),
    () => listed().check('8592:757c:efae:4e45::1', 'ipv6'),
    () => listed().addSubnet('1.2.3.0', 33),
  ],
  SocketAddress: [
    () => {
      const { address, family, port, flowlabel } = new net.SocketAddress({ address: '1.2.3.4', port: 80 });
      return [address, family, port, flowlabel];
    },
    () => new net.SocketAddress({ address: 'x' }),
  ],
  getDefaultAutoSelectFamily: [() => net.getDefaultAutoSelectFamily()],
  setDefaultAutoSelectFamily: [() => net.setDefaultAutoSelectFamily(1 as never)],
  setDefaultAutoSelectFamilyAttemptTimeout: [() => net.setDefaultAutoSelectFamilyAttemptTimeout('a' as never)],
});
