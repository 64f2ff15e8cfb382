/**
 * Which Python: `FULMAR_PYTHON`, then that of the virtual environment that is active (`VIRTUAL_ENV`), then a `.venv` or
 * `venv` in the working directory, then that of conda (`CONDA_PREFIX`), then `python3` of the path. That interpreter is asked
 * where its library is.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GuestError } from '../errors.ts';
import type { Language, Settings } from '../guest-types.ts';
import { ask, askNow, type NotAnswered, type Question } from './probe.ts';

const INSTALL = 'Install Python 3.9 or newer (Debian: apt-get install python3 libpython3-dev), or name one by FULMAR_PYTHON.';

/** Asks an interpreter about itself, also one that is too old. */
const PROBE = `
import json, os, sys, sysconfig
get = sysconfig.get_config_var
names = [get('INSTSONAME'), get('LDLIBRARY'), 'libpython%d.%d%s.so.1.0' % (sys.version_info[0], sys.version_info[1], getattr(sys, 'abiflags', ''))]
folders = [get('LIBDIR'), get('LIBPL'), os.path.join(getattr(sys, 'base_prefix', sys.prefix), 'lib'), '/usr/lib', '/usr/local/lib'] + [os.path.join(get('LIBDIR') or '/usr/lib', get('MULTIARCH') or '')]
files = [os.path.join(folder, name) for name in names if name and '.so' in name or name and '.dylib' in name for folder in folders if folder]
print(json.dumps({'version': list(sys.version_info[:3]), 'executable': sys.executable, 'library': next((file for file in files if os.path.exists(file)), None), 'shared': bool(get('Py_ENABLE_SHARED')), 'implementation': getattr(getattr(sys, 'implementation', None), 'name', 'cpython')}))
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

const question = (): Question => ({ command: candidate().command, args: ['-c', PROBE] });

function notRun(error: NotAnswered): GuestError {
  const { command, reason } = candidate();
  if (!error.isMissing)
    return unavailable(`${command} (${reason}) could not be asked where its library is: ${error.message}. ${INSTALL}`, error);
  return unavailable(`there is no ${command} (${reason}). ${adviceFor(reason)}`, error);
}

/** An environment that is named and gone is seldom meant. */
const adviceFor = (reason: string): string =>
  reason === 'VIRTUAL_ENV' || reason === 'CONDA_PREFIX'
    ? `${reason} names the environment that is active: activate one that is there, or unset it; FULMAR_PYTHON names an interpreter.`
    : INSTALL;

/** Whatever a start-up file of theirs prints stands before it. */
function parsed(output: string): Found {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    return JSON.parse(line) as Found;
  } catch (error) {
    const { command, reason } = candidate();
    const said = JSON.stringify(line.slice(0, 200));
    throw unavailable(`${command} (${reason}) is no Python: it answered ${said}. ${INSTALL}`, error);
  }
}

function settingsOf(output: string): Settings {
  const found = parsed(output);
  const version = found.version.join('.');
  const { reason } = candidate();
  const who = `${found.executable} (${reason})`;
  if (found.implementation !== 'cpython') throw unavailable(`${who} is ${found.implementation}: CPython is expected. ${INSTALL}`);
  if (found.version[0] !== 3 || found.version[1] < 9)
    throw unavailable(`${who} is Python ${version}: 3.9 or newer is expected. ${INSTALL}`);
  if (found.library === null) {
    const minor = found.version.slice(0, 2).join('.');
    throw unavailable(
      `${found.executable} (Python ${version}) has no shared library. Debian: apt-get install libpython${minor}; pyenv: PYTHON_CONFIGURE_OPTS=--enable-shared pyenv install ${version}`,
    );
  }
  return { library: found.library, executable: found.executable, version, reason };
}

export const pythonLanguage: Language = {
  name: 'python',
  // Most often it is installed, for another one.
  explain: (thrown, { version, executable, reason }) =>
    thrown.class === 'ModuleNotFoundError' ? `(Python ${String(version)} of ${String(executable)}, by ${String(reason)})` : undefined,
  find: () => ask(question()).then(settingsOf, (error: NotAnswered) => Promise.reject(notRun(error))),
  findNow() {
    let output: string;
    try {
      output = askNow(question());
    } catch (error) {
      throw notRun(error as NotAnswered);
    }
    return settingsOf(output);
  },
};
