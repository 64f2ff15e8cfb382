/**
 * The child's side of `wrapper.ts`: a program that runs below a process that stands for it ends when that is
 * gone.
 *
 * Before the application starts, in processes of the command and in executables of `fulmar run --native`.
 */

/**
 * Names the descriptor of the pipe, or the process; removed from the environment before the application
 * starts.
 */
export const WRAPPER_VARIABLE = 'FULMAR_WRAPPER';

/** Below a watcher, how often its wrapper is looked for. */
const WRAPPER_LOOK_MS = 500;

/** In every process of the command: ends it when its wrapper is gone, as that was ended. */
export function endWithWrapper(): void {
  const [kind, number] = process.env[WRAPPER_VARIABLE]?.split(' ') ?? [];
  delete process.env[WRAPPER_VARIABLE];
  if (kind === 'descriptor') endWithPipe(Number(number));
  else if (kind === 'pid') endWithProcess(Number(number));
}

function endWithPipe(descriptor: number): void {
  const { Socket } = process.getBuiltinModule('node:net');
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  new Socket({ fd: descriptor, writable: false }).on('close', end).on('error', end).unref().resume();
}

/** Below Node's watcher there is nothing that closes: it is looked for. The watcher goes as well. */
function endWithProcess(pid: number): void {
  setInterval(() => {
    if (isAlive(pid)) return;
    try {
      if (process.ppid !== 1) process.kill(process.ppid, 'SIGKILL');
    } catch {
      // It is gone, or it is not ours to end.
    }
    process.kill(process.pid, 'SIGKILL');
  }, WRAPPER_LOOK_MS).unref();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Who has given up its rights may send nothing to a process that has kept them.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
