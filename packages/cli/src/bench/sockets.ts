/**
 * Who listens where: sockets of `/proc/net/tcp` and `tcp6` matched with the files that processes hold open.
 *
 * Finds the port of an application that chooses it itself, and the process behind a port. Linux only; reads
 * only.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { readText } from './processes.ts';

export interface Listener {
  readonly port: number;
  /** An address that reaches it from this machine, as in a URL: `127.0.0.1`, `[::1]`. */
  readonly host: string;
  readonly inode: string;
}

const LISTENING = '0A';

/** Every listening TCP socket in the network of `pid`. */
function listenersSeenBy(pid: number | 'self'): Listener[] {
  return ['tcp', 'tcp6'].flatMap((name) => parseListeners(readText(`/proc/${pid}/net/${name}`) ?? ''));
}

/** Reads the table of `/proc/net/tcp` or `tcp6`. */
export function parseListeners(table: string): Listener[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    return state === LISTENING ? [{ port: Number.parseInt(port, 16), host: toHost(address), inode }] : [];
  });
}

/** The address is written as words of 32 bits, each in the machine's byte order. */
function toHost(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => (word.match(/../g) ?? []).reverse());
  const isAny = bytes.every((byte) => byte === '00');
  const isMapped = bytes.length === 16 && /^(?:00){10}ffff$/i.test(bytes.slice(0, 12).join(''));
  if (bytes.length === 4 || isMapped) {
    return isAny
      ? '127.0.0.1'
      : bytes
          .slice(-4)
          .map((byte) => Number.parseInt(byte, 16))
          .join('.');
  }
  // `::` takes IPv4 as well, unless the application asked for IPv6 alone.
  if (isAny) return '127.0.0.1';
  const groups = bytes.join('').match(/.{4}/g) ?? [];
  return `[${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}]`;
}

/** The listening sockets that these processes hold. */
export function listenersOf(pids: readonly number[]): Listener[] {
  const first = pids[0];
  if (first === undefined) return [];
  const held = new Set(pids.flatMap(socketsOf));
  return listenersSeenBy(first).filter(({ inode }) => held.has(inode));
}

/** The processes that hold a listening socket on `port`, as far as this user may see. */
export function processesOn(port: number): number[] {
  const inodes = new Set(
    listenersSeenBy('self')
      .filter((listener) => listener.port === port)
      .map(({ inode }) => inode),
  );
  if (inodes.size === 0) return [];
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => socketsOf(pid).some((inode) => inodes.has(inode)));
}

function socketsOf(pid: number): string[] {
  let names: string[];
  try {
    names = readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1];
      return inode === undefined ? [] : [inode];
    } catch {
      return [];
    }
  });
}
