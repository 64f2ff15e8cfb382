/**
 * Which Ruby: `FULMAR_RUBY`, then `ruby` of the path (as rbenv, asdf and chruby put it there). That interpreter is asked
 * where its library is.
 */
import { GuestError } from '../errors.ts';
import type { Language, Settings } from '../guest-types.ts';
import { ask, askNow, type NotAnswered, type Question } from './probe.ts';

const INSTALL = 'Install Ruby 3.0 or newer (Debian: apt-get install ruby libruby), or name one by FULMAR_RUBY.';

/** Asks an interpreter about itself. Its files are looked for where Debian and where Ruby's own installation has them. */
const PROBE = `
require 'rbconfig'
require 'json'
config = RbConfig::CONFIG
names = [config['LIBRUBY_SO'], config['LIBRUBY_ALIASES'].to_s.split, config['LIBRUBY']].flatten.compact.grep(/[.](so|dylib)/)
folders = [config['libdir'], config['archlibdir'], config['rubyarchdir']].compact
files = folders.product(names).map { |folder, name| File.join(folder, name) }
puts JSON.generate(version: RUBY_VERSION, implementation: RUBY_ENGINE, executable: RbConfig.ruby, shared: config['ENABLE_SHARED'] == 'yes', library: files.find { |file| File.exist?(file) })
`;
/** RubyGems is not needed for that; what `RUBYOPT` asks for may write to the output. */
const ARGUMENTS = ['--disable-gems', '-e', PROBE] as const;

interface Found {
  readonly version: string;
  readonly implementation: string;
  readonly executable: string;
  readonly shared: boolean;
  readonly library: string | null;
}

/** What to run, and why that. */
function candidate(): { readonly command: string; readonly reason: string } {
  const { FULMAR_RUBY: asked } = process.env;
  return asked === undefined || asked === '' ? { command: 'ruby', reason: 'the path' } : { command: asked, reason: 'FULMAR_RUBY' };
}

const question = (): Question => ({ command: candidate().command, args: ARGUMENTS, env: { ...process.env, RUBYOPT: '' } });

const unavailable = (message: string, cause?: unknown): GuestError =>
  new GuestError('ERR_GUEST_UNAVAILABLE', 'ruby', message, {}, cause === undefined ? undefined : { cause });

function notRun(error: NotAnswered): GuestError {
  const { command, reason } = candidate();
  if (error.isMissing) return unavailable(`there is no ${command} (${reason}). ${INSTALL}`, error);
  return unavailable(`${command} (${reason}) could not be asked where its library is: ${error.message}. ${INSTALL}`, error);
}

/** Whatever a start-up file of theirs prints stands before it. */
function read(output: string): Found {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    return JSON.parse(line) as Found;
  } catch (error) {
    const { command, reason } = candidate();
    throw unavailable(`${command} (${reason}) is no Ruby: it answered ${JSON.stringify(line.slice(0, 200))}. ${INSTALL}`, error);
  }
}

function settingsOf(output: string): Settings {
  const { version, implementation, executable, shared, library } = read(output);
  if (implementation !== 'ruby') throw unavailable(`${executable} is ${implementation}: CRuby 3.0 or newer is expected. ${INSTALL}`);
  if (Number.parseInt(version, 10) < 3) throw unavailable(`${executable} is Ruby ${version}: 3.0 or newer is expected. ${INSTALL}`);
  if (library !== null) return { library, executable, version, reason: candidate().reason };
  const advice = shared
    ? 'its file is missing (Debian: apt-get install libruby)'
    : `it was built without one (rbenv: RUBY_CONFIGURE_OPTS=--enable-shared rbenv install ${version})`;
  throw unavailable(`${executable} (Ruby ${version}) has no shared library: ${advice}`);
}

export const rubyLanguage: Language = {
  name: 'ruby',
  // Most often it is installed, for another one.
  explain: (thrown, { version, executable, reason }) =>
    thrown.class === 'LoadError' && thrown.message.startsWith('cannot load such file')
      ? `(Ruby ${String(version)} of ${String(executable)}, by ${String(reason)})`
      : undefined,
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
