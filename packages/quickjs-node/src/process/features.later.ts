/**
 * Rarely used members of `process`: what the host is and what it cannot do.
 */
import ops from 'fulmar:ops';
import { coded, unsupported } from '../shared/errors.ts';
import { validateBoolean, validateString } from '../shared/validators.ts';

function no(what: string, instead?: string): () => never {
  return () => {
    throw unsupported(what, instead);
  };
}

function binding(name: unknown): never {
  throw coded(Error, 'ERR_INVALID_MODULE', `No such module: ${String(name)}: the native host has no bindings of Node's`);
}

let mapsEnabled = false;

const report = {
  compact: false,
  excludeNetwork: false,
  excludeEnv: false,
  directory: '',
  filename: '',
  reportOnFatalError: false,
  reportOnSignal: false,
  reportOnUncaughtException: false,
  signal: 'SIGUSR2',
  getReport: no('process.report.getReport', 'process.memoryUsage() and process.resourceUsage()'),
  writeReport: no('process.report.writeReport', 'process.memoryUsage() and process.resourceUsage()'),
};

function loadEnvFile(path: string | URL = '.env'): void {
  const fs = process.getBuiltinModule('node:fs');
  const { parseEnv } = process.getBuiltinModule('node:util');
  for (const [name, value] of Object.entries(parseEnv(fs.readFileSync(path, 'utf8')))) {
    if (process.env[name] === undefined) process.env[name] = value;
  }
}

/** `register` and so on: called at the end of the process, as far as the object still lives. */
const finalization = {
  register(object: object, callback: (object: object, event: string) => void): void {
    const held = new WeakRef(object);
    process.once('exit', () => {
      const alive = held.deref();
      if (alive !== undefined) callback(alive, 'exit');
    });
  },
  registerBeforeExit(object: object, callback: (object: object, event: string) => void): void {
    const held = new WeakRef(object);
    process.once('beforeExit', () => {
      const alive = held.deref();
      if (alive !== undefined) callback(alive, 'beforeExit');
    });
  },
  unregister: no('process.finalization.unregister', "process.off('exit')"),
};

function reference(method: 'ref' | 'unref'): (value: unknown) => void {
  return (value) => {
    const target = value as Record<PropertyKey, unknown> | undefined;
    const own = target?.[Symbol.for(`nodejs.${method}`)] ?? target?.[method];
    if (typeof own === 'function') own.call(value);
  };
}

export const members = {
  release: { name: 'node', lts: false },
  config: {
    target_defaults: { cflags: [], default_configuration: 'Release', defines: [], include_dirs: [], libraries: [] },
    variables: {},
  },
  features: {
    inspector: false,
    debug: false,
    uv: true,
    ipv6: true,
    openssl_is_boringssl: false,
    tls_alpn: true,
    tls_sni: true,
    tls_ocsp: false,
    tls: true,
    cached_builtins: true,
    require_module: true,
    typescript: false,
  },
  report,
  allowedNodeEnvironmentFlags: new Set<string>([
    '--unhandled-rejections',
    '--no-deprecation',
    '--no-warnings',
    '--trace-warnings',
    '--trace-deprecation',
    '--throw-deprecation',
  ]),
  sourceMapsEnabled: false,
  setSourceMapsEnabled(enabled: boolean): void {
    validateBoolean(enabled, 'enabled');
    mapsEnabled = enabled;
    void mapsEnabled;
  },
  binding,
  _linkedBinding: binding,
  dlopen: no('process.dlopen', 'a package without native code'),
  openStdin: (): unknown => process.stdin.resume(),
  loadEnvFile,
  execve: no('process.execve', 'node:child_process'),
  finalization,
  ref: reference('ref'),
  unref: reference('unref'),
  moduleLoadList: [],
  _debugProcess: no('process._debugProcess'),
  _debugEnd: no('process._debugEnd'),
  _rawDebug(...values: unknown[]): void {
    ops.writeSync(2, `${process.getBuiltinModule('node:util').format(...values)}\n`);
  },
  assert(value: unknown, message?: string): void {
    if (!value) throw coded(Error, 'ERR_ASSERTION', message || 'assertion error');
  },
  get permission(): undefined {
    validateString('', 'scope');
    return undefined;
  },
};
