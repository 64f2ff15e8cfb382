/**
 * Errors of the system, from an error number: Node's names, messages and fields. Numbers are negative, as in
 * Node.
 */
import ops from 'fulmar:ops';

/** libuv's messages by name; the numbers are the platform's (`ops.errnos`) or libuv's own. */
const MESSAGES: Readonly<Record<string, string>> = {
  E2BIG: 'argument list too long',
  EACCES: 'permission denied',
  EADDRINUSE: 'address already in use',
  EADDRNOTAVAIL: 'address not available',
  EAFNOSUPPORT: 'address family not supported',
  EAGAIN: 'resource temporarily unavailable',
  EAI_ADDRFAMILY: 'address family not supported',
  EAI_AGAIN: 'temporary failure',
  EAI_BADFLAGS: 'bad ai_flags value',
  EAI_BADHINTS: 'invalid value for hints',
  EAI_CANCELED: 'request canceled',
  EAI_FAIL: 'permanent failure',
  EAI_FAMILY: 'ai_family not supported',
  EAI_MEMORY: 'out of memory',
  EAI_NODATA: 'no address',
  EAI_NONAME: 'unknown node or service',
  EAI_OVERFLOW: 'argument buffer overflow',
  EAI_PROTOCOL: 'resolved protocol is unknown',
  EAI_SERVICE: 'service not available for socket type',
  EAI_SOCKTYPE: 'socket type not supported',
  EALREADY: 'connection already in progress',
  EBADF: 'bad file descriptor',
  EBUSY: 'resource busy or locked',
  ECANCELED: 'operation canceled',
  ECHARSET: 'invalid Unicode character',
  ECONNABORTED: 'software caused connection abort',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EDESTADDRREQ: 'destination address required',
  EEXIST: 'file already exists',
  EFAULT: 'bad address in system call argument',
  EFBIG: 'file too large',
  EHOSTUNREACH: 'host is unreachable',
  EINTR: 'interrupted system call',
  EINVAL: 'invalid argument',
  EIO: 'i/o error',
  EISCONN: 'socket is already connected',
  EISDIR: 'illegal operation on a directory',
  ELOOP: 'too many symbolic links encountered',
  EMFILE: 'too many open files',
  EMSGSIZE: 'message too long',
  ENAMETOOLONG: 'name too long',
  ENETDOWN: 'network is down',
  ENETUNREACH: 'network is unreachable',
  ENFILE: 'file table overflow',
  ENOBUFS: 'no buffer space available',
  ENODEV: 'no such device',
  ENOENT: 'no such file or directory',
  ENOMEM: 'not enough memory',
  ENONET: 'machine is not on the network',
  ENOPROTOOPT: 'protocol not available',
  ENOSPC: 'no space left on device',
  ENOSYS: 'function not implemented',
  ENOTCONN: 'socket is not connected',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  ENOTSOCK: 'socket operation on non-socket',
  ENOTSUP: 'operation not supported on socket',
  EOVERFLOW: 'value too large for defined data type',
  EPERM: 'operation not permitted',
  EPIPE: 'broken pipe',
  EPROTO: 'protocol error',
  EPROTONOSUPPORT: 'protocol not supported',
  EPROTOTYPE: 'protocol wrong type for socket',
  ERANGE: 'result too large',
  EROFS: 'read-only file system',
  ESHUTDOWN: 'cannot send after transport endpoint shutdown',
  ESPIPE: 'invalid seek',
  ESRCH: 'no such process',
  ETIMEDOUT: 'connection timed out',
  ETXTBSY: 'text file is busy',
  EXDEV: 'cross-device link not permitted',
  UNKNOWN: 'unknown error',
  EOF: 'end of file',
  ENXIO: 'no such device or address',
  EMLINK: 'too many links',
  EHOSTDOWN: 'host is down',
  EREMOTEIO: 'remote I/O error',
  ENOTTY: 'inappropriate ioctl for device',
  EFTYPE: 'inappropriate file type or format',
  EILSEQ: 'illegal byte sequence',
  ESOCKTNOSUPPORT: 'socket type not supported',
  ENODATA: 'no data available',
  EUNATCH: 'protocol driver not attached',
  ENOEXEC: 'exec format error',
};

/** The same on every platform. */
const OWN_NUMBERS: Readonly<Record<string, number>> = {
  EAI_ADDRFAMILY: -3000,
  EAI_AGAIN: -3001,
  EAI_BADFLAGS: -3002,
  EAI_BADHINTS: -3013,
  EAI_CANCELED: -3003,
  EAI_FAIL: -3004,
  EAI_FAMILY: -3005,
  EAI_MEMORY: -3006,
  EAI_NODATA: -3007,
  EAI_NONAME: -3008,
  EAI_OVERFLOW: -3009,
  EAI_PROTOCOL: -3014,
  EAI_SERVICE: -3010,
  EAI_SOCKTYPE: -3011,
  ECHARSET: -4080,
  UNKNOWN: -4094,
  EOF: -4095,
  EFTYPE: -4028,
};

export interface SystemError extends Error {
  errno?: number | undefined;
  code: string;
  syscall?: string;
  path?: string;
  dest?: string;
  address?: string;
  port?: number;
  hostname?: string;
}

let map: Map<number, [string, string]> | undefined;

/** Number → name and message. */
export function errnoMap(): ReadonlyMap<number, [string, string]> {
  if (map !== undefined) return map;
  const made = new Map<number, [string, string]>();
  const platform = ops.errnos();
  for (const [name, message] of Object.entries(MESSAGES)) {
    const number = OWN_NUMBERS[name] ?? platform[name];
    if (number !== undefined) made.set(number, [name, message]);
  }
  map = made;
  return made;
}

/** The number of a name (`ENOENT` → -2); undefined when the platform does not have it. */
export function errnoOf(name: string): number | undefined {
  return OWN_NUMBERS[name] ?? ops.errnos()[name];
}

/** The name of a number; `Unknown system error -n` for others. */
export function errnoName(errno: number): string {
  return errnoMap().get(errno)?.[0] ?? `Unknown system error ${errno}`;
}

export function errnoMessage(errno: number): string {
  return errnoMap().get(errno)?.[1] ?? `Unknown system error ${errno}`;
}

/** As file operations fail: `ENOENT: no such file or directory, open 'x'`. */
export function uvException(errno: number, syscall: string, path?: string, dest?: string): SystemError {
  const [code, text] = errnoMap().get(errno) ?? (['UNKNOWN', 'unknown error'] as const);
  const where = `${path === undefined ? '' : ` '${path}'`}${dest === undefined ? '' : ` -> '${dest}'`}`;
  const error = new Error(`${code}: ${text}, ${syscall}${where}`) as SystemError;
  error.errno = errno;
  error.code = code;
  error.syscall = syscall;
  if (path !== undefined) error.path = path;
  if (dest !== undefined) error.dest = dest;
  return error;
}

/** As reads and writes of sockets fail: `read ECONNRESET`. */
export function errnoException(errno: number, syscall: string, original?: string): SystemError {
  const code = errnoName(errno);
  const error = new Error(`${syscall} ${code}${original ? ` ${original}` : ''}`) as SystemError;
  error.errno = errno;
  error.code = code;
  error.syscall = syscall;
  return error;
}

/** As connecting fails: `connect ECONNREFUSED 127.0.0.1:80`. */
export function hostPortException(errno: number, syscall: string, address: string, port?: number, local?: string): SystemError {
  const place = port !== undefined && port > 0 ? ` ${address}:${port}` : address ? ` ${address}` : '';
  const error = errnoException(errno, syscall, `${place}${local ? ` - Local (${local})` : ''}`.slice(1));
  error.address = address;
  if (port) error.port = port;
  return error;
}

/** As listening fails: `listen EADDRINUSE: address already in use 0.0.0.0:80`. */
export function uvHostPortException(errno: number, syscall: string, address: string, port?: number): SystemError {
  const [code, text] = errnoMap().get(errno) ?? (['UNKNOWN', 'unknown error'] as const);
  const place = port !== undefined && port > 0 ? ` ${address}:${port}` : address ? ` ${address}` : '';
  const error = new Error(`${syscall} ${code}: ${text}${place}`) as SystemError;
  error.code = code;
  error.errno = errno;
  error.syscall = syscall;
  error.address = address;
  if (port) error.port = port;
  return error;
}

/** As looking up a name fails: `getaddrinfo ENOTFOUND example.invalid`; a string is a code of c-ares. */
export function dnsException(code: number | string, syscall: string, hostname?: string): SystemError {
  const missing = code === OWN_NUMBERS['EAI_NODATA'] || code === OWN_NUMBERS['EAI_NONAME'];
  const name = typeof code === 'string' ? code : missing ? 'ENOTFOUND' : errnoName(code);
  const error = new Error(`${syscall} ${name}${hostname ? ` ${hostname}` : ''}`) as SystemError;
  error.errno = typeof code === 'number' ? code : undefined;
  error.code = name;
  error.syscall = syscall;
  if (hostname) error.hostname = hostname;
  return error;
}

/** The peer closed the connection. */
export function connResetException(message: string): SystemError {
  const error = new Error(message) as SystemError;
  error.code = 'ECONNRESET';
  return error;
}
