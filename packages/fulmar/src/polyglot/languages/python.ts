/**
 * Which Python: `FULMAR_PYTHON`, then that of the virtual environment that is active (`VIRTUAL_ENV`, `CONDA_PREFIX`), then
 * a `.venv` or `venv` in the working directory, then `python3` of the path. That interpreter is asked where its library is.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GuestError } from '../errors.ts';
import type { Language, Settings } from '../guest-types.ts';

const PROBE_TIMEOUT_MS = 20_000;

/** Asks an interpreter about itself. */
const PROBE = `
import json, os, sys, sysconfig
get = sysconfig.get_config_var
names = [get('INSTSONAME'), get('LDLIBRARY'), 'libpython%d.%d%s.so.1.0' % (sys.version_info[0], sys.version_info[1], getattr(sys, 'abiflags', ''))]
folders = [get('LIBDIR'), get('LIBPL'), os.path.join(sys.base_prefix, 'lib'), '/usr/lib', '/usr/local/lib'] + [os.path.join(get('LIBDIR') or '/usr/lib', get('MULTIARCH') or '')]
files = [os.path.join(folder, name) for name in names if name and '.so' in name or name and '.dylib' in name for folder in folders if folder]
print(json.dumps({'version': list(sys.version_info[:3]), 'executable': sys.executable, 'library': next((file for file in files if os.path.exists(file)), None), 'shared': bool(get('Py_ENABLE_SHARED')), 'implementation': sys.implementation.name}))
`;

interface Found {
  readonly version: readonly [number, number, number];
  readonly executable: string;
  readonly library: string | null;
  readonly shared: boolean;
  readonly implementation: string;
}

/** What to run, and why that. */
function candidate(): { readonly command: string; readonly reason: string } {
  const { FULMAR_PYTHON: asked, VIRTUAL_ENV: active, CONDA_PREFIX: conda } = process.env;
  if (asked !== undefined && asked !== '') return { command: asked, reason: 'FULMAR_PYTHON' };
  if (active !== undefined && active !== '') return { command: join(active, 'bin', 'python'), reason: 'VIRTUAL_ENV' };
  for (const name of ['.venv', 'venv']) {
    const command = join(process.cwd(), name, 'bin', 'python');
    if (existsSync(command)) return { command, reason: `${name} in the working directory` };
  }
  if (conda !== undefined && conda !== '') return { command: join(conda, 'bin', 'python'), reason: 'CONDA_PREFIX' };
  return { command: 'python3', reason: 'the path' };
}

const unavailable = (message: string, cause?: unknown): GuestError =>
  new GuestError('ERR_GUEST_UNAVAILABLE', 'python', message, {}, cause === undefined ? undefined : { cause });

function notRun(error: unknown): GuestError {
  const { command, reason } = candidate();
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    const advice = 'Install Python 3.9 or newer (Debian: apt-get install python3 libpython3-dev), or name one by FULMAR_PYTHON.';
    return unavailable(`there is no ${command} (${reason}). ${advice}`, error);
  }
  return unavailable(`${command} (${reason}) could not be asked where its library is: ${(error as Error).message}`, error);
}

/** Whatever a start-up file of theirs prints stands before it. */
function parsed(output: string): Found {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    return JSON.parse(line) as Found;
  } catch (error) {
    const { command, reason } = candidate();
    const said = JSON.stringify(line.slice(0, 200));
    throw unavailable(`${command} (${reason}) could not be asked where its library is: it said ${said}`, error);
  }
}

function settingsOf(output: string): Settings {
  const found = parsed(output);
  const version = found.version.join('.');
  if (found.implementation !== 'cpython') throw unavailable(`${found.executable} is ${found.implementation}: CPython is expected`);
  if (found.version[0] !== 3 || found.version[1] < 9)
    throw unavailable(`${found.executable} is Python ${version}: 3.9 or newer is expected`);
  if (found.library === null) {
    const minor = found.version.slice(0, 2).join('.');
    throw unavailable(
      `${found.executable} (Python ${version}) has no shared library. Debian: apt-get install libpython${minor}; pyenv: PYTHON_CONFIGURE_OPTS=--enable-shared pyenv install ${version}`,
    );
  }
  return { library: found.library, executable: found.executable, version, reason: candidate().reason };
}

export const pythonLanguage: Language = {
  name: 'python',
  find: () =>
    new Promise((resolve, reject) => {
      execFile(candidate().command, ['-c', PROBE], { timeout: PROBE_TIMEOUT_MS }, (error, output) => {
        try {
          if (error !== null) throw notRun(error);
          resolve(settingsOf(output));
        } catch (problem) {
          reject(problem);
        }
      });
    }),
  findNow() {
    let output: string;
    try {
      output = execFileSync(candidate().command, ['-c', PROBE], { timeout: PROBE_TIMEOUT_MS, encoding: 'utf8' });
    } catch (error) {
      throw notRun(error);
    }
    return settingsOf(output);
  },
};
