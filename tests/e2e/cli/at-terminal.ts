/** Starts a program at a terminal of its own, which Python makes. */
import { spawnSync } from 'node:child_process';
import { type Running, start } from './support.ts';

const hasTerminals = spawnSync('python3', ['-c', 'import pty, termios']).status === 0;
export const skip = hasTerminals ? false : 'python3 with its module `pty` is not there to make a terminal';

/**
 * Runs a command at a terminal of its own: standard input and error are that, standard output is this
 * process's. Prints what the command writes to the terminal on standard error. SIGUSR1 presses Ctrl-C.
 * Arguments: columns, then the command.
 */
const terminal = `
import fcntl, os, pty, signal, struct, sys, termios
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(sys.argv[1]), 0, 0))
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    os.dup2(slave, 0)
    os.dup2(slave, 2)
    os.close(slave)
    os.close(master)
    os.execvp(sys.argv[2], sys.argv[2:])
os.close(slave)
signal.signal(signal.SIGUSR1, lambda *_: os.write(master, b'\\x03'))
signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGTERM))
while True:
    try:
        data = os.read(master, 65536)
    except OSError:
        break
    if not data:
        break
    os.write(2, data.replace(b'\\r\\n', b'\\n'))
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(code if code >= 0 else 128 - code)
`;

export interface TerminalOptions {
  readonly env?: Record<string, string>;
  readonly columns?: number;
}

export function startAtTerminal(cwd: string, command: readonly string[], { env = {}, columns = 100 }: TerminalOptions = {}): Running {
  return start(cwd, ['-c', terminal, String(columns), ...command], { program: 'python3', env });
}
