/** Cases of `node:process`; how a process ends is in `tests/native/process`. */
import process from 'node:process';
import { cases } from '../harness/cases.ts';

type Loose = Record<string, unknown> & typeof process;
const loose = process as Loose;

/** What `emit` gave to a listener that is gone again. */
function next(name: string): Promise<unknown> {
  return new Promise((resolve) => process.once(name, resolve));
}

export default cases(
  'process',
  {
    argv: [() => [Array.isArray(process.argv), process.argv.length >= 2, process.argv.slice(2)]],
    argv0: [() => typeof process.argv0],
    execPath: [() => process.execPath.startsWith('/'), () => process.execPath === process.argv[0]],
    execArgv: [() => process.execArgv],
    env: [
      () => {
        const { env } = process;
        env['CASE_A'] = 5 as never;
        env['CASE_B'] = undefined;
        env['CASE_C'] = null as never;
        const before = [
          env['CASE_A'],
          env['CASE_B'],
          env['CASE_C'],
          'CASE_A' in env,
          Object.keys(env).includes('CASE_A'),
          env['CASE_NONE'],
        ];
        return [...before, delete env['CASE_A'], delete env['CASE_A'], env['CASE_A'], Object.hasOwn(env, 'CASE_A')];
      },
      () => {
        process.env['CASE_S'] = Symbol('s') as never;
      },
      () => Object.defineProperty(process.env, 'CASE_D', { value: 1 }),
      () => Object.defineProperty(process.env, 'CASE_G', { get: () => 1 }),
      () => {
        Object.defineProperty(process.env, 'CASE_E', { value: 1, writable: true, enumerable: true, configurable: true });
        return process.env['CASE_E'];
      },
      () => {
        const zone = process.env['TZ'];
        process.env['TZ'] = 'Asia/Tokyo';
        const tokyo = new Date(0).getHours();
        process.env['TZ'] = 'UTC';
        const utc = new Date(0).getHours();
        if (zone === undefined) delete process.env['TZ'];
        else process.env['TZ'] = zone;
        return [tokyo, utc];
      },
      () => Object.prototype.toString.call(process.env),
    ],
    cwd: [() => process.cwd().startsWith('/')],
    chdir: [
      () => {
        const before = process.cwd();
        process.chdir('/');
        const root = process.cwd();
        process.chdir(before);
        return [root, process.cwd() === before];
      },
      () => process.chdir(1 as never),
      () => {
        try {
          process.chdir('/no/such/folder');
        } catch (error) {
          const { code, syscall, dest } = error as NodeJS.ErrnoException & { dest: string };
          return [code, syscall, dest];
        }
        return 'none';
      },
    ],
    pid: [() => process.pid > 0],
    ppid: [() => process.ppid > 0],
    platform: [() => process.platform],
    arch: [() => process.arch],
    version: [() => /^v\d+\.\d+\.\d+$/.test(process.version)],
    versions: [
      () => [process.versions['brotli'], process.versions['zstd']].map((version) => typeof version),
      () => typeof process.versions.node,
      () => process.version === `v${process.versions.node}`,
    ],
    release: [() => process.release.name],
    title: [
      () => {
        const before = process.title;
        process.title = 'case';
        const set = process.title;
        process.title = before;
        return set;
      },
    ],
    config: [() => Object.keys(process.config).toSorted()],
    features: [() => [process.features.tls, process.features.ipv6, process.features.uv]],
    report: [() => typeof process.report],
    exitCode: [
      () => process.exitCode,
      () => {
        process.exitCode = 'x';
      },
      () => {
        process.exitCode = 1.5;
      },
      () => {
        process.exitCode = {} as never;
      },
      () => {
        process.exitCode = 0;
        return process.exitCode;
      },
    ],
    exit: [() => process.exit('x' as never), () => process.exit(1.5)],
    abort: [() => typeof process.abort],
    reallyExit: [() => typeof loose['reallyExit']],
    kill: [
      () => process.kill(process.pid, 0),
      () => process.kill('x' as never),
      () => process.kill(process.pid, 'SIGNOTHING'),
      () => process.kill(process.pid, 1000),
      async () => {
        const alive = setInterval(() => {}, 1000);
        const seen = next('SIGUSR2');
        process.kill(process.pid, 'SIGUSR2');
        return seen.finally(() => clearInterval(alive));
      },
    ],
    hrtime: [
      () => process.hrtime().map((part) => typeof part),
      () => process.hrtime(process.hrtime())[0],
      () => process.hrtime(1 as never),
      () => process.hrtime([1] as never),
    ],
    'hrtime.bigint': [() => typeof process.hrtime.bigint()],
    uptime: [() => process.uptime() > 0],
    memoryUsage: [() => Object.keys(process.memoryUsage()).toSorted(), () => process.memoryUsage().rss > 1_000_000],
    'memoryUsage.rss': [() => process.memoryUsage.rss() > 1_000_000],
    cpuUsage: [
      () => Object.keys(process.cpuUsage()),
      () => process.cpuUsage(process.cpuUsage()).user >= 0,
      () => process.cpuUsage({ user: -1, system: 0 }),
      () => process.cpuUsage({ user: 'x' } as never),
      () => process.cpuUsage(5 as never),
    ],
    resourceUsage: [() => Object.keys(process.resourceUsage())],
    constrainedMemory: [() => typeof process.constrainedMemory()],
    availableMemory: [() => process.availableMemory() > 0],
    umask: [
      () => {
        const before = process.umask(0o22);
        const set = process.umask();
        process.umask(before);
        return [set, process.umask() === before];
      },
      () => process.umask('x'),
      () => process.umask({} as never),
    ],
    getuid: [() => process.getuid?.()],
    geteuid: [() => process.geteuid?.()],
    getgid: [() => process.getgid?.()],
    getegid: [() => process.getegid?.()],
    getgroups: [() => Array.isArray(process.getgroups?.())],
    setuid: [() => process.setuid?.('no such user'), () => process.setuid?.({} as never), () => process.setuid?.(-1)],
    seteuid: [() => process.seteuid?.('no such user')],
    setgid: [() => process.setgid?.('no such group')],
    setegid: [() => process.setegid?.('no such group')],
    setgroups: [() => process.setgroups?.('x' as never), () => process.setgroups?.(['no such group'])],
    initgroups: [() => (loose['initgroups'] as (user: unknown, group: number) => void)(undefined, 1)],
    nextTick: [
      () => new Promise((resolve) => process.nextTick((...args: unknown[]) => resolve(args), 1, 'a')),
      () => process.nextTick(1 as never),
    ],
    emitWarning: [
      async () => {
        const warning = next('warning') as Promise<Error & { code: string; detail: string }>;
        process.emitWarning('text', { type: 'Kind', code: 'CASE', detail: 'more' });
        const { name, message, code, detail } = await warning;
        return [name, message, code, detail];
      },
      async () => {
        const warning = next('warning') as Promise<Error>;
        process.emitWarning(new RangeError('mine'));
        const { name, message } = await warning;
        return [name, message];
      },
      () => process.emitWarning(1 as never),
      () => process.emitWarning('x', 1 as never),
      () => process.emitWarning('x', 'y', 1 as never),
    ],
    getBuiltinModule: [
      () => [
        typeof process.getBuiltinModule('node:events'),
        typeof process.getBuiltinModule('events'),
        process.getBuiltinModule('no such module' as never),
      ],
      () => process.getBuiltinModule(1 as never),
    ],
    binding: [() => loose['binding']],
    setUncaughtExceptionCaptureCallback: [
      () => process.setUncaughtExceptionCaptureCallback('x' as never),
      () => {
        process.setUncaughtExceptionCaptureCallback(() => {});
        const has = process.hasUncaughtExceptionCaptureCallback();
        process.setUncaughtExceptionCaptureCallback(null);
        return [has, process.hasUncaughtExceptionCaptureCallback()];
      },
    ],
    hasUncaughtExceptionCaptureCallback: [() => process.hasUncaughtExceptionCaptureCallback()],
    allowedNodeEnvironmentFlags: [() => process.allowedNodeEnvironmentFlags.has('--no-warnings')],
    getActiveResourcesInfo: [() => Array.isArray(process.getActiveResourcesInfo())],
    loadEnvFile: [() => typeof process.loadEnvFile],
    finalization: [() => typeof (process as unknown as { finalization: object }).finalization],
    'a process as an emitter': [
      () => {
        const seen: unknown[] = [];
        process.once('case', (value) => seen.push(value));
        return [process.emit('case' as never, 1 as never), process.emit('case' as never, 2 as never), seen, String(process)];
      },
    ],
    'an uncaught error that is listened to': [
      async () => {
        const seen = new Promise((resolve) => process.once('uncaughtException', (error, origin) => resolve([error.message, origin])));
        setImmediate(() => {
          throw new Error('thrown in an immediate');
        });
        return seen;
      },
      async () => {
        const seen = new Promise((resolve) =>
          process.once('unhandledRejection', (reason, promise) => resolve([reason, promise instanceof Promise])),
        );
        void Promise.reject(5);
        return seen;
      },
      async () => {
        const unhandled = next('unhandledRejection');
        const handled = next('rejectionHandled');
        const promise = Promise.reject(6);
        await unhandled;
        promise.catch(() => {});
        return (await handled) === promise;
      },
      async () => {
        const seen: unknown[] = [];
        process.setUncaughtExceptionCaptureCallback((error) => void seen.push((error as Error).message));
        await new Promise((resolve) => {
          setTimeout(() => {
            throw new Error('captured');
          }, 1);
          setTimeout(resolve, 10);
        });
        process.setUncaughtExceptionCaptureCallback(null);
        return seen;
      },
    ],
  },
  { since: { finalization: 22, versions: 26 } },
);
