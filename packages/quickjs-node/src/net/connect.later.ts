/**
 * `socket.connect()`: looking up the host, one attempt or several by families, and what comes of them. Loaded
 * by the first socket that connects.
 */
import { channel } from 'node:diagnostics_channel';
import { coded, invalidArgType, missingArgs } from '../shared/errors.ts';
import { dnsException, hostPortException } from '../shared/errno.ts';
import { validateBoolean, validateFunction, validateInt32, validateNumber, validatePort, validateString } from '../shared/validators.ts';
import type { Callback, Normalized, Options } from './arguments.ts';
import { defaults } from './defaults.ts';
import { Pipe, TCP } from './handle.ts';
import { isIP } from './ip.ts';
import type { SocketState } from './socket-state.ts';
import { attach } from './transfer.ts';

const ATTEMPT_TIMEOUT_MIN_MS = 10;
const ETIMEDOUT = -110;
const ECANCELED = -125;
const clientSocket = channel('net.client.socket');

interface Target {
  readonly address: string;
  readonly port?: number | undefined;
  readonly family?: 4 | 6;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

interface Found {
  readonly address: string;
  readonly family: number;
}

type LookupCallback = (error: Error | null, address: string | Found[], family: number) => void;
type Lookup = (host: string, options: object, done: LookupCallback) => void;

export function connectSocket(socket: SocketState, [options, callback]: Normalized): void {
  if (clientSocket.hasSubscribers) clientSocket.publish({ socket });
  if (callback !== null) socket.once('connect', callback as Callback as () => void);
  if (socket._parent?.connecting === true) return;
  const path = options['path'];
  if (options['port'] === undefined && (path === undefined || path === null)) throw missingArgs(['options', 'port', 'path']);
  // The peer's end had put another `write` in place.
  if (Object.hasOwn(socket, 'write')) Reflect.deleteProperty(socket, 'write');
  if (socket.destroyed) {
    socket._handle = null;
    socket._peername = null;
    socket._sockname = null;
  }
  if (!socket._handle) {
    socket._handle = path ? new Pipe() : new TCP();
    attach(socket);
  }
  socket._unrefTimer();
  socket.connecting = true;
  if (!path) {
    lookUp(socket, options);
    return;
  }
  validateString(path, 'options.path');
  attempt(socket, { address: path });
}

/** The error of one attempt. */
function failure(errno: number, target: Target): Error {
  const { address, port, localAddress, localPort } = target;
  const details = localAddress && localPort ? `${localAddress}:${localPort}` : undefined;
  const error = hostPortException(errno, 'connect', address, port, details);
  if (details !== undefined) Object.assign(error, { localAddress, localPort });
  return error;
}

function start(socket: SocketState, target: Target, done: (errno: number) => void): number {
  const handle = socket._handle;
  if (handle instanceof Pipe) return handle.connect(target.address, done);
  const { address, port = 0, family, localAddress, localPort } = target;
  if (localAddress || localPort) {
    (handle as TCP).bind(localAddress ?? (family === 6 ? '::' : '0.0.0.0'), localPort ?? 0);
  }
  return (handle as TCP).connect(address, port, done);
}

const isBlocked = (socket: SocketState, { address, family }: Target): boolean =>
  family !== undefined && socket.blockList?.check(address, `ipv${family}`) === true;

const blocked = (address: string): Error => coded(Error, 'ERR_IP_BLOCKED', `IP(${address}) is blocked by net.BlockList`);

/** One address, no other to fall back to. */
function attempt(socket: SocketState, target: Target): void {
  socket.emit('connectionAttempt', target.address, target.port as number, target.family as number);
  if (isBlocked(socket, target)) {
    socket.destroy(blocked(target.address));
    return;
  }
  const errno = start(socket, target, (status) => settled(socket, target, status));
  if (errno < 0) socket.destroy(startError(socket, errno, target));
}

function startError(socket: SocketState, errno: number, target: Target): Error {
  const { address, port } = socket._getsockname();
  return hostPortException(errno, 'connect', target.address, target.port, `${address}:${port}`);
}

function settled(socket: SocketState, target: Target, status: number): void {
  if (socket.destroyed) return;
  socket.connecting = false;
  socket._sockname = null;
  if (status !== 0) {
    const error = failure(status, target);
    socket.emit('connectionAttemptFailed', target.address, target.port as number, target.family as number, error);
    socket.destroy(error);
    return;
  }
  socket._unrefTimer();
  if (socket._noDelay) socket._handle?.setNoDelay?.(true);
  if (socket._keepAlive) socket._handle?.setKeepAlive?.(true, socket._keepAliveSeconds);
  socket.emit('connect');
  socket.emit('ready');
  if (!socket.isPaused()) socket.read(0);
}

function checkLocal(options: Options): { localAddress: string | undefined; localPort: number | undefined } {
  const { localAddress, localPort } = options as { localAddress?: string; localPort?: number };
  if (localAddress && isIP(localAddress) === 0) throw invalidAddress(localAddress);
  if (localPort) validateNumber(localPort, 'options.localPort');
  return { localAddress: localAddress || undefined, localPort: localPort || undefined };
}

const invalidAddress = (address: unknown): Error => coded(TypeError, 'ERR_INVALID_IP_ADDRESS', `Invalid IP address: ${String(address)}`);

function portOf({ port }: Options): number {
  if (port === undefined) return 0;
  if (typeof port !== 'number' && typeof port !== 'string') throw invalidArgType('options.port', ['number', 'string'], port);
  return validatePort(port) | 0;
}

interface Families {
  readonly auto: boolean;
  readonly timeout: number;
}

function familiesOf(options: Options): Families {
  const { autoSelectFamily: auto, autoSelectFamilyAttemptTimeout: timeout } = options;
  if (auto !== undefined && auto !== null) validateBoolean(auto, 'options.autoSelectFamily');
  if (timeout === undefined || timeout === null) return { auto: auto ?? defaults.autoSelectFamily, timeout: defaults.attemptTimeout };
  validateInt32(timeout, 'options.autoSelectFamilyAttemptTimeout', 1);
  return { auto: auto ?? defaults.autoSelectFamily, timeout: Math.max(timeout, ATTEMPT_TIMEOUT_MIN_MS) };
}

function lookUp(socket: SocketState, options: Options): void {
  const host = (options['host'] || 'localhost') as string;
  validateString(host, 'options.host');
  const local = checkLocal(options);
  const port = portOf(options);
  const families = familiesOf(options);
  const family = isIP(host);
  if (family !== 0) {
    process.nextTick(() => {
      if (socket.connecting) attempt(socket, { address: host, port, family, ...local });
    });
    return;
  }
  if (options['lookup'] !== undefined && options['lookup'] !== null) validateFunction(options['lookup'], 'options.lookup');
  const dns = process.getBuiltinModule('node:dns');
  const wanted = familyNumber(options['family']);
  const single = wanted === 4 || wanted === 6;
  const given = (options['hints'] ?? 0) as number;
  const hints = !single && given === 0 ? dns.ADDRCONFIG : given;
  socket._host = host;
  const lookup = (options['lookup'] ?? dns.lookup) as Lookup;
  const query = { family: wanted, hints };
  const found: Destination = { socket, host, options, port, ...local, timeout: families.timeout };
  if (!single && local.localAddress === undefined && families.auto) lookup(host, { ...query, all: true }, foundAll(found));
  else lookup(host, query, foundOne(found));
}

function familyNumber(family: unknown): unknown {
  if (family === 'IPv4') return 4;
  return family === 'IPv6' ? 6 : family;
}

interface Destination {
  readonly socket: SocketState;
  readonly host: string;
  readonly options: Options;
  readonly port: number;
  readonly localAddress: string | undefined;
  readonly localPort: number | undefined;
  readonly timeout: number;
}

function fail(socket: SocketState, error: Error): void {
  socket.destroy(error);
}

/** What is wrong with the answer of a lookup, if anything. */
function answerError(address: unknown, family: unknown, { options }: Destination): Error | null {
  if (typeof address !== 'string' || isIP(address) === 0) return invalidAddress(address);
  if (family === 4 || family === 6) return null;
  const { host, port } = options as { host?: string; port?: number };
  const error = coded(RangeError, 'ERR_INVALID_ADDRESS_FAMILY', `Invalid address family: ${String(family)} ${host}:${port}`);
  return Object.assign(error, { host, port });
}

function foundOne(to: Destination): LookupCallback {
  const { socket, host, port, localAddress, localPort } = to;
  return (lookupError, address, family) => {
    socket.emit('lookup', lookupError as Error, address as string, family, host);
    if (!socket.connecting) return;
    const error = lookupError ?? answerError(address, family, to);
    if (error !== null && error !== undefined) {
      process.nextTick(fail, socket, error);
      return;
    }
    socket._unrefTimer();
    attempt(socket, { address: address as string, port, family: family as 4 | 6, localAddress, localPort });
  };
}

/** The addresses in the order of attempts: families alternate, that of the first address leads. */
function alternating(found: readonly Found[]): Found[] {
  const valid = found.filter(
    (one, index) =>
      isIP(one.address) !== 0 &&
      (one.family === 4 || one.family === 6) &&
      found.findIndex((other) => other.address === one.address) === index,
  );
  const lead = valid.filter((one) => one.family === valid[0]?.family);
  const other = valid.filter((one) => one.family !== valid[0]?.family);
  const list: Found[] = [];
  for (let index = 0; index < Math.max(lead.length, other.length); index++) {
    for (const one of [lead[index], other[index]]) if (one !== undefined) list.push(one);
  }
  return list;
}

function foundAll(to: Destination): LookupCallback {
  const { socket, host, port, localAddress, localPort } = to;
  return (error, answer) => {
    if (!socket.connecting) return;
    if (error) {
      socket.emit('lookup', error, undefined as never, undefined as never, host);
      process.nextTick(fail, socket, error);
      return;
    }
    const found = answer as Found[];
    for (const { address, family } of found) {
      socket.emit('lookup', null as never, address, family, host);
      if (!socket.connecting) return;
    }
    const list = alternating(found);
    const [first] = list;
    if (first === undefined) {
      const wrong = answerError(found[0]?.address, found[0]?.family, to) ?? dnsException('ENOTFOUND', 'getaddrinfo', host);
      process.nextTick(fail, socket, wrong);
      return;
    }
    socket._unrefTimer();
    if (list.length === 1) {
      attempt(socket, { address: first.address, port, family: first.family as 4 | 6, localAddress, localPort });
      return;
    }
    socket.autoSelectFamilyAttemptedAddresses = [];
    next({ to, list, current: 0, errors: [], timer: null });
  };
}

/** Several addresses, tried one after the other. */
interface Attempts {
  readonly to: Destination;
  readonly list: readonly Found[];
  current: number;
  readonly errors: Error[];
  timer: NodeJS.Timeout | null;
}

function allFailed(errors: readonly Error[]): Error {
  if (errors.length === 0) return coded(Error, 'ERR_SOCKET_CONNECTION_TIMEOUT', 'Socket connection timeout');
  const error = new AggregateError(errors) as AggregateError & { code?: string };
  error.code = (errors[0] as NodeJS.ErrnoException).code as string;
  return error;
}

function stopTimer(attempts: Attempts): void {
  if (attempts.timer !== null) clearTimeout(attempts.timer);
  attempts.timer = null;
}

function next(attempts: Attempts, canceled = false): void {
  stopTimer(attempts);
  const { to, list, errors } = attempts;
  const { socket } = to;
  if (socket._aborted === true) return;
  const found = list[attempts.current];
  if (canceled || found === undefined) {
    socket.destroy(allFailed(errors));
    return;
  }
  const current = attempts.current++;
  if (current > 0) {
    socket._handle?.close();
    socket._handle = new TCP();
    attach(socket);
  }
  const target: Target = { address: found.address, port: to.port, family: found.family as 4 | 6, localPort: to.localPort };
  if (isBlocked(socket, target)) {
    attemptFailed(attempts, target, blocked(target.address));
    next(attempts);
    return;
  }
  socket.emit('connectionAttempt', target.address, to.port, found.family);
  socket.autoSelectFamilyAttemptedAddresses?.push(`${target.address}:${to.port}`);
  const handle = socket._handle as TCP;
  const errno = start(socket, target, (status) => ended(attempts, current, target, status));
  if (errno < 0) {
    attemptFailed(attempts, target, startError(socket, errno, target));
    next(attempts);
    return;
  }
  if (current < list.length - 1) attempts.timer = setTimeout(timedOut, to.timeout, attempts, target, handle);
}

function attemptFailed({ to, errors }: Attempts, target: Target, error: Error): void {
  errors.push(error);
  to.socket.emit('connectionAttemptFailed', target.address, to.port, target.family as number, error);
}

function ended(attempts: Attempts, current: number, target: Target, status: number): void {
  if (current !== attempts.current - 1) return;
  stopTimer(attempts);
  if (status === 0) {
    settled(attempts.to.socket, target, 0);
    return;
  }
  attemptFailed(attempts, target, failure(status, target));
  if (attempts.to.socket.connecting) next(attempts, status === ECANCELED);
}

function timedOut(attempts: Attempts, target: Target, handle: TCP): void {
  const { socket, port } = attempts.to;
  socket.emit('connectionAttemptTimeout', target.address, port, target.family as number);
  attempts.errors.push(failure(ETIMEDOUT, target));
  handle.close();
  if (socket.connecting) next(attempts);
}
