/**
 * Opens listeners of the host: without a host on IPv6 and IPv4 at once, on IPv4 alone where there is no IPv6.
 */
import ops from 'fulmar:ops';
import { ListenHandle } from './handle.ts';

/** As Node: the kernel rounds one more than this up to 512. */
const BACKLOG = 511;
const EINVAL = -22;

export interface ListenRequest {
  readonly address: string | null;
  readonly port: number | null;
  readonly addressType: number | null;
  readonly backlog: unknown;
  readonly fd: unknown;
  readonly flags: unknown;
}

export interface Opened {
  readonly handle: ListenHandle | number;
  readonly address: string | null;
  readonly addressType: number | null;
}

function opened(handle: ListenHandle, address: string | null, addressType: number | null): Opened {
  const errno = handle.listen();
  return { handle: errno < 0 ? errno : handle, address, addressType };
}

export function openListener({ address, port, addressType, backlog, fd, flags }: ListenRequest): Opened {
  const queue = (backlog as number) || BACKLOG;
  if (typeof fd === 'number' && fd >= 0) {
    const result = opened(new ListenHandle(false, () => ops.net.listenFd(fd, queue)), address, addressType);
    return typeof result.handle === 'number' ? { ...result, handle: EINVAL } : result;
  }
  if (port === -1 && addressType === -1) {
    return opened(new ListenHandle(true, () => ops.net.listenPath(address as string, queue)), address, addressType);
  }
  const tcp = (host: string, family: number): Opened =>
    opened(new ListenHandle(false, () => ops.net.listen(host, port ?? 0, queue, Number(flags ?? 0))), host, family);
  if (address) return tcp(address, addressType ?? 4);
  const both = tcp('::', 6);
  return typeof both.handle === 'number' ? tcp('0.0.0.0', 4) : both;
}
