/**
 * `os.constants`: the numbers of errors are the platform's, those of signals Linux's or macOS's.
 */
import ops from 'fulmar:ops';

const NAMES =
  'E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBADMSG EBUSY ECANCELED ECHILD ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EHOSTUNREACH EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR ELOOP EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODATA ENODEV ENOENT ENOEXEC ENOLCK ENOLINK ENOMEM ENOMSG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTSOCK ENOTSUP ENOTTY ENXIO EOPNOTSUPP EOVERFLOW EPERM EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EROFS ESPIPE ESRCH ESTALE ETIME ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV';
const LINUX_ERRORS =
  '7 13 98 99 97 11 114 9 74 16 125 10 103 111 104 35 89 33 122 17 14 27 113 43 84 115 4 22 5 106 21 40 24 31 90 72 36 100 102 101 23 105 61 19 2 8 37 67 12 42 92 28 63 60 38 107 20 39 88 95 25 6 95 75 1 32 71 93 91 34 30 29 3 116 62 110 26 11 18';

const LINUX_SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGIOT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGCHLD: 17,
  SIGSTKFLT: 16,
  SIGCONT: 18,
  SIGSTOP: 19,
  SIGTSTP: 20,
  SIGTTIN: 21,
  SIGTTOU: 22,
  SIGURG: 23,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGVTALRM: 26,
  SIGPROF: 27,
  SIGWINCH: 28,
  SIGIO: 29,
  SIGPOLL: 29,
  SIGPWR: 30,
  SIGSYS: 31,
};
/** Those that macOS numbers otherwise; 0 where it has none. */
const DARWIN_SIGNALS: Readonly<Record<string, number>> = {
  SIGBUS: 10,
  SIGUSR1: 30,
  SIGUSR2: 31,
  SIGCHLD: 20,
  SIGSTKFLT: 0,
  SIGCONT: 19,
  SIGSTOP: 17,
  SIGTSTP: 18,
  SIGURG: 16,
  SIGIO: 23,
  SIGPOLL: 0,
  SIGPWR: 0,
  SIGSYS: 12,
};

function table(entries: Iterable<readonly [string, number]>): Readonly<Record<string, number>> {
  const made = Object.create(null) as Record<string, number>;
  for (const [name, number] of entries) made[name] = number;
  return Object.freeze(made);
}

function errorNumbers(): Readonly<Record<string, number>> {
  const names = NAMES.split(' ');
  if (ops.platform === 'linux') {
    const numbers = LINUX_ERRORS.split(' ');
    return table(names.map((name, index) => [name, Number(numbers[index])]));
  }
  const platform = ops.errnos();
  return table(names.filter((name) => platform[name] !== undefined).map((name) => [name, -(platform[name] as number)]));
}

function signalNumbers(): Readonly<Record<string, number>> {
  const linux = ops.platform === 'linux';
  const entries = Object.entries(LINUX_SIGNALS).map(([name, number]) => [name, linux ? number : (DARWIN_SIGNALS[name] ?? number)] as const);
  return table(entries.filter(([, number]) => number > 0));
}

export const signals: Readonly<Record<string, number>> = signalNumbers();

export const constants = Object.freeze(
  Object.assign(Object.create(null) as Record<string, unknown>, {
    UV_UDP_REUSEADDR: 4,
    dlopen: table([
      ['RTLD_LAZY', 1],
      ['RTLD_NOW', 2],
      ['RTLD_GLOBAL', 256],
      ['RTLD_LOCAL', 0],
      ['RTLD_DEEPBIND', 8],
    ]),
    errno: errorNumbers(),
    signals,
    priority: table([
      ['PRIORITY_LOW', 19],
      ['PRIORITY_BELOW_NORMAL', 10],
      ['PRIORITY_NORMAL', 0],
      ['PRIORITY_ABOVE_NORMAL', -7],
      ['PRIORITY_HIGH', -14],
      ['PRIORITY_HIGHEST', -20],
    ]),
  }),
);
