import child_process from 'node:child_process';
import { promisify } from 'node:util';
import { cases } from '../harness/cases.ts';

type Child = child_process.ChildProcess;

/** What happens to a program until it is closed. */
function life(child: Child): Promise<unknown> {
  const seen: Record<string, unknown> = { out: '', err: '' };
  child.stdout?.on('data', (part: Buffer) => (seen['out'] = `${seen['out'] as string}${String(part)}`));
  child.stderr?.on('data', (part: Buffer) => (seen['err'] = `${seen['err'] as string}${String(part)}`));
  child.on('spawn', () => (seen['spawned'] = true));
  child.on('error', (error: NodeJS.ErrnoException) => (seen['error'] = [error.message, error.code, error.syscall, error.path]));
  child.on('exit', (code, signal) => (seen['exit'] = [code, signal]));
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ ...seen, close: [code, signal], killed: child.killed })));
}

const sh = (script: string, options: object = {}): Promise<unknown> => life(child_process.spawn('sh', ['-c', script], options));
const plain = ({ pid, error, stdout = null, stderr = null, ...rest }: child_process.SpawnSyncReturns<unknown>): unknown => [
  pid > 0,
  error && [error.message, (error as NodeJS.ErrnoException).code],
  rest,
  stdout,
  stderr,
];

function failure(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    const { message, status, signal, stderr, stdout, code } = error as NodeJS.ErrnoException & Record<string, unknown>;
    return { message, status, signal, code, stderr: String(stderr ?? null), stdout: String(stdout ?? null) };
  }
}

const done = (
  start: (callback: (error: (Error & Record<string, unknown>) | null, stdout: unknown, stderr: unknown) => void) => unknown,
): Promise<unknown> =>
  new Promise((resolve) =>
    start((error, stdout, stderr) =>
      resolve([error && [error.message, error['code'], error['killed'], error['signal'], error['cmd']], stdout, stderr]),
    ),
  );

export default cases(
  'child_process',
  {
    spawn: [
      () => sh('echo out; echo err >&2; exit 3'),
      () => sh('cat', { stdio: ['ignore', 'pipe', 'pipe'] }),
      () => sh('kill -9 $$'),
      () => sh('echo $A $0', { env: { A: 'set' }, argv0: 'other' }),
      () => sh('pwd', { cwd: '/' }),
      () => sh('pwd', { cwd: '/nope/nope' }),
      () => life(child_process.spawn('no-such-program', ['a'])),
      () => life(child_process.spawn('echo shell $((1+1))', { shell: true })),
      () => life(child_process.spawn('sleep', ['60'], { timeout: 20 })),
      () => life(child_process.spawn('sleep', ['60'], { timeout: 20, killSignal: 'SIGKILL' })),
      () => sh('echo three >&3', { stdio: ['ignore', 'ignore', 'ignore', 'ignore'] }),
      () => child_process.spawn(''),
      () => child_process.spawn(5 as never),
      () => child_process.spawn('a\0b'),
      () => child_process.spawn('x', 'y' as never),
      () => child_process.spawn('x', [], { stdio: 'wrong' as never }),
      () => child_process.spawn('x', [], { killSignal: 'SIGNOPE' as never }),
      () => child_process.spawn('x', [], { detached: 'x' as never }),
      async () => {
        const child = child_process.spawn('cat');
        const end = life(child);
        child.stdin.write('wr');
        child.stdin.end('itten');
        return end;
      },
      async () => {
        const child = child_process.spawn('sh', ['-c', 'read line; echo "$line" >&3'], { stdio: ['pipe', 'ignore', 'ignore', 'pipe'] });
        let text = '';
        child.stdio[3]?.on('data', (part: Buffer) => (text += String(part)));
        child.stdin?.end('extra\n');
        await new Promise((resolve) => child.on('close', resolve));
        return text;
      },
      async () => {
        const controller = new AbortController();
        const child = child_process.spawn('sleep', ['60'], { signal: controller.signal });
        const end = life(child);
        controller.abort();
        return end;
      },
    ],
    ChildProcess: [
      () => typeof child_process.ChildProcess,
      () => {
        const child = child_process.spawn('true');
        return [
          typeof child.pid,
          child.exitCode,
          child.signalCode,
          child.spawnfile,
          child.spawnargs,
          child.connected,
          child.stdio.length,
          child.killed,
        ];
      },
    ],
    'ChildProcess#kill': [
      async () => {
        const child = child_process.spawn('sleep', ['60']);
        const end = life(child);
        return [child.kill(0), child.kill(), await end, child.kill()];
      },
      () => {
        const child = child_process.spawn('true');
        return child.kill('SIGNOPE' as never);
      },
    ],
    'ChildProcess#ref': [
      () => {
        const child = child_process.spawn('true');
        child.unref();
        child.ref();
      },
    ],
    'ChildProcess#unref': [
      () => {
        const child = child_process.spawn('true');
        child.unref();
      },
    ],
    'ChildProcess#spawn': [() => (new child_process.ChildProcess() as unknown as { spawn(options: unknown): unknown }).spawn(5)],
    exec: [
      () => done((callback) => child_process.exec('echo out; echo err >&2', callback as never)),
      () => done((callback) => child_process.exec('echo err >&2; exit 4', callback as never)),
      () => done((callback) => child_process.exec('echo long', { maxBuffer: 2 }, callback as never)),
      () => done((callback) => child_process.exec('sleep 60', { timeout: 20 }, callback as never)),
      () => done((callback) => child_process.exec('echo bytes', { encoding: 'buffer' }, callback as never)),
      () => promisify(child_process.exec)('echo promised'),
      async () => {
        try {
          return await promisify(child_process.exec)('echo p; exit 2');
        } catch (error) {
          const { code, stdout } = error as Record<string, unknown>;
          return [code, stdout];
        }
      },
      () => child_process.exec(5 as never),
    ],
    execFile: [
      () => done((callback) => child_process.execFile('echo', ['a', 'b'], callback as never)),
      () => done((callback) => child_process.execFile('no-such-program', callback as never)),
      () => done((callback) => child_process.execFile('sh', ['-c', 'exit 7'], { cwd: '/' }, callback as never)),
      () => promisify(child_process.execFile)('echo', ['p']),
    ],
    execFileSync: [
      () => child_process.execFileSync('echo', ['x'], { encoding: 'utf8' }),
      () => failure(() => child_process.execFileSync('sh', ['-c', 'echo e >&2; exit 5'], { stdio: 'pipe' })),
      () => failure(() => child_process.execFileSync('no-such-program')),
    ],
    execSync: [
      () => child_process.execSync('echo x').toString(),
      () => failure(() => child_process.execSync('echo o; echo e >&2; exit 5', { stdio: 'pipe' })),
      () => child_process.execSync('cat', { input: 'given', encoding: 'utf8' }),
    ],
    spawnSync: [
      () => plain(child_process.spawnSync('sh', ['-c', 'cat; echo e >&2; exit 3'], { input: 'in', encoding: 'utf8' })),
      () => plain(child_process.spawnSync('no-such-program')),
      () => plain(child_process.spawnSync('sleep', ['60'], { timeout: 30 })),
      () => plain(child_process.spawnSync('sh', ['-c', 'kill -15 $$'])),
      () => plain(child_process.spawnSync('sh', ['-c', 'echo long; exec sleep 60'], { maxBuffer: 2, encoding: 'utf8' })),
      () => plain(child_process.spawnSync('echo', ['x'], { stdio: 'ignore' })),
      () => child_process.spawnSync('x', { input: 5 as never }),
    ],
  },
  { missing: { fork: 'an executable has no second program to start', _forkChild: 'as fork' } },
);
