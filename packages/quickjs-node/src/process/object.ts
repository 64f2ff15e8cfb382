/**
 * The `process` object. What most applications need is here; the rest is loaded when it is first touched
 * (`*.later.ts`).
 */
import EventEmitter from 'node:events';
import later, { type LateFile } from 'fulmar:later';
import ops from 'fulmar:ops';
import { defineLazily } from '../shared/lazy-property.ts';
import type { Loader } from '../start/loader.ts';
import { createEnv } from './env.ts';
import * as lifecycle from './lifecycle.ts';
import { nextTick, processTicks } from './ticks.ts';

/** The Node version whose behaviour this host follows. */
const NODE_VERSION = '24.0.0';

/** Members that are loaded when first touched, by the file that has them. */
const LAZY: Readonly<Record<string, string>> = {
  [later.file<typeof import('./usage.later.ts')>()]:
    'hrtime uptime memoryUsage cpuUsage resourceUsage threadCpuUsage constrainedMemory availableMemory getActiveResourcesInfo _getActiveHandles _getActiveRequests',
  [later.file<typeof import('./directory.later.ts')>()]: 'cwd chdir umask',
  [later.file<typeof import('./identity.later.ts')>()]:
    'getuid geteuid getgid getegid getgroups setuid seteuid setgid setegid setgroups initgroups kill _kill abort',
  [later.file<typeof import('./features.later.ts')>()]:
    'release config features report allowedNodeEnvironmentFlags sourceMapsEnabled setSourceMapsEnabled binding _linkedBinding dlopen openStdin loadEnvFile execve finalization ref unref moduleLoadList _debugProcess _debugEnd _rawDebug assert permission',
  [later.file<typeof import('./warning.later.ts')>()]: 'emitWarning',
  [later.file<typeof import('./stdio.later.ts')>()]: 'stdin stdout stderr',
};

export function createProcess(loader: Loader): NodeJS.Process {
  // The name of the class is seen in stacks and by `inspect`.
  const prototype = Object.create(EventEmitter.prototype, {
    constructor: { value: function process() {}, writable: true, configurable: true, enumerable: false },
    [Symbol.toStringTag]: { value: 'process', configurable: true },
  }) as object;
  const process = Object.create(prototype) as NodeJS.Process & Record<string, unknown>;
  defineFacts(process);
  defineMethods(process, loader);
  for (const [file, names] of Object.entries(LAZY)) {
    defineLazily(process, names.split(' '), true, (name) => member(file, name));
  }
  EventEmitter.call(process as never);
  lifecycle.setEmitter(process as never);
  watchForSignals(process);
  return process;
}

function defineFacts(process: NodeJS.Process & Record<string, unknown>): void {
  const versions = {
    node: NODE_VERSION,
    fulmar: ops.version,
    quickjs: ops.quickjsVersion,
    v8: '13.6.0-quickjs',
    modules: '0',
    uv: '0.0.0',
    // Clients ask here what they may accept.
    brotli: '1.0.9',
    zstd: '1.5.7',
  };
  const facts = {
    version: `v${NODE_VERSION}`,
    versions,
    arch: archOf(ops.arch),
    platform: ops.platform === 'macos' ? 'darwin' : ops.platform,
  };
  Object.assign(process, facts, { pid: ops.pid, execArgv: [], debugPort: 9229 });
  accessor(process, 'ppid', () => ops.parentId());
  let title: string | undefined;
  accessor(
    process,
    'title',
    () => (title ??= process.argv0),
    (value) => ops.setTitle((title = `${value as string}`)),
  );
  accessor(process, 'exitCode', lifecycle.getExitCode, lifecycle.setExitCode);
  accessor(
    process,
    '_exiting',
    () => lifecycle.state.exiting,
    (value) => (lifecycle.state.exiting = Boolean(value)),
  );
  defineLazily(process, ['env'], true, createEnv);
  defineLazily(process, ['execPath'], true, () => ops.execPath());
  defineLazily(process, ['argv0'], true, () => ops.argv()[0] ?? '');
  defineLazily(process, ['argv'], true, () => [process.execPath]);
}

function defineMethods(process: NodeJS.Process & Record<string, unknown>, loader: Loader): void {
  const methods = {
    nextTick,
    exit: lifecycle.exit,
    reallyExit: lifecycle.reallyExit,
    setUncaughtExceptionCaptureCallback: lifecycle.setUncaughtExceptionCaptureCallback,
    hasUncaughtExceptionCaptureCallback: lifecycle.hasUncaughtExceptionCaptureCallback,
    _fatalException: lifecycle.uncaught,
    _tickCallback: processTicks,
    getBuiltinModule(id: unknown): unknown {
      if (typeof id !== 'string') throw (later<typeof import('./checks.later.ts')>() as { notString(id: unknown): Error }).notString(id);
      return loader.isBuiltin(id) && !id.startsWith('fulmar/') ? loader.builtin(id) : undefined;
    },
  };
  Object.assign(process, methods);
}

/** Node's word for what Rust calls otherwise. */
function archOf(name: string): string {
  return { x86_64: 'x64', aarch64: 'arm64', x86: 'ia32' }[name] ?? name;
}

function accessor(target: object, name: string, get: () => unknown, set: (value: unknown) => void = () => {}): void {
  Object.defineProperty(target, name, { get, set, enumerable: true, configurable: true });
}

function member(file: string, name: string): unknown {
  const { members } = later(file as LateFile<{ members: object }>);
  const { get } = Object.getOwnPropertyDescriptor(members, name) ?? {};
  return get === undefined ? (members as Record<string, unknown>)[name] : get.call(members);
}

/** Listening for a signal's name starts to watch it, as in Node. */
function watchForSignals(process: NodeJS.Process): void {
  const signals = () => later<typeof import('./signals.later.ts')>();
  process.on('newListener', (name: unknown) => {
    if (typeof name === 'string' && name.startsWith('SIG')) signals().startListening(name);
  });
  process.on('removeListener', (name: unknown) => {
    if (typeof name === 'string' && name.startsWith('SIG')) signals().stopListening(name);
  });
}
