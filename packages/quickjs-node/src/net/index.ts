/**
 * `node:net`: stream sockets and servers on the host's own sockets.
 */
import later from 'fulmar:later';
import type * as NodeNet from 'node:net';
import { defineLazily } from '../shared/lazy-property.ts';
import { validateBoolean, validateInt32 } from '../shared/validators.ts';
import { normalizeArgs } from './arguments.ts';
import { defaults } from './defaults.ts';
import { isIP, isIPv4, isIPv6 } from './ip.ts';
import { ServerClass } from './server.ts';

const ATTEMPT_TIMEOUT_MIN_MS = 10;

const socketClass = (): typeof NodeNet.Socket => later<typeof import('./socket.later.ts')>().SocketClass;

function connect(...args: unknown[]): NodeNet.Socket {
  const normalized = normalizeArgs(args);
  const [options] = normalized;
  const socket = new (socketClass())(options as NodeNet.SocketConstructorOpts);
  if (options['timeout']) socket.setTimeout(options['timeout'] as number);
  return socket.connect(normalized as never);
}

function createServer(options?: unknown, listener?: unknown): NodeNet.Server {
  return new ServerClass(options as NodeNet.ServerOpts, listener as never);
}

interface Addresses {
  BlockList: typeof NodeNet.BlockList;
  SocketAddress: typeof NodeNet.SocketAddress;
}

const addresses = (): Addresses => later<typeof import('./addresses.later.ts')>() as never;

const api = {
  _normalizeArgs: normalizeArgs,
  get BlockList(): typeof NodeNet.BlockList {
    return addresses().BlockList;
  },
  get SocketAddress(): typeof NodeNet.SocketAddress {
    return addresses().SocketAddress;
  },
  connect,
  createConnection: connect,
  createServer,
  isIP,
  isIPv4,
  isIPv6,
  Server: ServerClass,
};

defineLazily(api, ['Socket', 'Stream'], true, socketClass);

export default Object.assign(api, {
  getDefaultAutoSelectFamily: (): boolean => defaults.autoSelectFamily,
  setDefaultAutoSelectFamily(value: boolean): void {
    validateBoolean(value, 'value');
    defaults.autoSelectFamily = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: (): number => defaults.attemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout(value: number): void {
    validateInt32(value, 'value', 1);
    defaults.attemptTimeout = Math.max(value, ATTEMPT_TIMEOUT_MIN_MS);
  },
});
