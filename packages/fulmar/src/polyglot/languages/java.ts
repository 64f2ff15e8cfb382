/**
 * Which Java: `FULMAR_JAVA_HOME`, then `JAVA_HOME`, then `java` of the path, whose home is where its file is, or else what
 * it says itself. Looks for the library of the virtual machine there; starts nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { GuestError } from '../errors.ts';
import type { Language, Settings } from '../guest-types.ts';

const PROBE_TIMEOUT_MS = 20_000;
const MAJOR_MIN = 11;
const ADVICE = 'Install Java 11 or newer (Debian: apt-get install openjdk-17-jre-headless), or name its folder by FULMAR_JAVA_HOME.';

interface Home {
  readonly home: string;
  /** Why that. */
  readonly reason: string;
}

const unavailable = (message: string, cause?: unknown): GuestError =>
  new GuestError('ERR_GUEST_UNAVAILABLE', 'java', message, {}, cause === undefined ? undefined : { cause });

const libraryName = (): string => (process.platform === 'darwin' ? 'libjvm.dylib' : 'libjvm.so');

/** The library of a home. The last ones are those of Java 8, which is found to be said too old. */
function libraryOf(home: string): string | undefined {
  const folders = ['lib/server', 'lib/minimal', 'lib/client', 'jre/lib/server', 'jre/lib/amd64/server', 'lib/amd64/server'];
  return folders.map((folder) => join(home, folder, libraryName())).find((file) => existsSync(file));
}

function candidate(configured: unknown): Home {
  if (typeof configured === 'string') return { home: configured, reason: 'java.configure()' };
  for (const reason of ['FULMAR_JAVA_HOME', 'JAVA_HOME']) {
    const home = process.env[reason];
    if (home !== undefined && home !== '') return { home, reason };
  }
  const program = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'java'))
    .find((file) => existsSync(file));
  if (program === undefined) throw unavailable(`there is no java (looked for by FULMAR_JAVA_HOME, JAVA_HOME and the path). ${ADVICE}`);
  const home = dirname(dirname(realpathSync(program)));
  return { home: libraryOf(home) === undefined ? askedOf(program) : home, reason: `${program} of the path` };
}

/** A program that only passes on to another one, as version managers have it. */
function askedOf(program: string): string {
  let output: string;
  try {
    const command = `exec "$0" -XshowSettings:properties -version 2>&1`;
    output = execFileSync('/bin/sh', ['-c', command, program], { timeout: PROBE_TIMEOUT_MS, encoding: 'utf8' });
  } catch (error) {
    throw unavailable(`${program} could not be asked where it is: ${(error as Error).message}`, error);
  }
  const home = /^\s*java\.home = (.+)$/m.exec(output)?.[1];
  if (home === undefined) throw unavailable(`${program} did not say where it is (java.home). ${ADVICE}`);
  return home.trim();
}

/** What the home says of itself; undefined where it says nothing. */
function versionOf(home: string): string | undefined {
  for (const folder of [home, dirname(home)]) {
    const file = join(folder, 'release');
    if (!existsSync(file)) continue;
    return /^JAVA_VERSION="([^"]+)"/m.exec(readFileSync(file, 'utf8'))?.[1];
  }
  return undefined;
}

function settings(configured: Settings = {}): Settings {
  const { home, reason } = candidate(configured['home']);
  if (!existsSync(home)) throw unavailable(`there is no ${home} (${reason}). ${ADVICE}`);
  const library = libraryOf(home);
  if (library === undefined)
    throw unavailable(`${home} (${reason}) has no ${libraryName()}: it is no Java, or one that cannot be embedded. ${ADVICE}`);
  const version = versionOf(home);
  const major = Number(/^(?:1\.)?(\d+)/.exec(version ?? '')?.[1] ?? MAJOR_MIN);
  if (major < MAJOR_MIN) throw unavailable(`${home} (${reason}) is Java ${version}: ${MAJOR_MIN} or newer is expected. ${ADVICE}`);
  return { library, reason, ...(version === undefined ? {} : { version }) };
}

export const javaLanguage: Language = {
  name: 'java',
  configurable: { home: 'text', jvmOptions: 'texts' },
  pathOptions: ['classPath'],
  // Some looks into folders; seldom a program.
  find: (configured) => new Promise((resolve) => resolve(settings(configured))),
  findNow: settings,
};
