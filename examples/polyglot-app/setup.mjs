/**
 * Puts there what the example needs beside Fulmar: packages of Python in a virtual environment of its own (`.venv`), jars of
 * Maven's in `lib`; says what Debian packages are missing. Run again, it looks and does nothing. Starts no server.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const jars = ['org.apache.commons:commons-text:1.14.0', 'org.apache.commons:commons-lang3:3.19.0'];
const nameOf = (artifact) => `${artifact.split(':').slice(1).join('-')}.jar`;
const missingJars = () => jars.filter((one) => !existsSync(join(folder, 'lib', nameOf(one))));

const works = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** What has to be installed, and the Debian package that has it. */
const tools = [
  ['Ruby', 'ruby', () => works('ruby', '--version')],
  ['kramdown, for Ruby', 'ruby-kramdown', () => works('ruby', '-e', "require 'kramdown'")],
  ['a JDK, 16 or newer', 'default-jdk-headless', () => works('javac', '-version')],
  ['Maven', 'maven', () => missingJars().length === 0 || works('mvn', '--version')],
  ['Python, with venv', 'python3-venv', () => hasPackages(chosenPython()) || works('python3', '-c', 'import ensurepip')],
];

/** The interpreter that `fulmar/polyglot` takes before `.venv`, where one is chosen. */
const chosenPython = () =>
  process.env.FULMAR_PYTHON ?? (process.env.VIRTUAL_ENV === undefined ? undefined : join(process.env.VIRTUAL_ENV, 'bin', 'python'));
const hasPackages = (python) => python !== undefined && works(python, '-c', 'import sklearn');

/** What is not here, or cannot be got. */
export class SetUpError extends Error {}

/** @returns {string[]} what is missing, a line each; the last one says how to install it */
function problems() {
  const missing = tools.filter(([, , isThere]) => !isThere());
  if (missing.length === 0) return [];
  return [
    ...missing.map(([what, name]) => `missing: ${what} (Debian: ${name})`),
    `on Debian: apt-get install ${missing.map(([, name]) => name).join(' ')}`,
  ];
}

/** Packages in the versions of `requirements.txt`: 250 MB, some minutes the first time. */
function installPackages() {
  if (chosenPython() !== undefined) {
    if (!hasPackages(chosenPython()))
      throw new SetUpError(`${chosenPython()} has no scikit-learn: install it there, or unset what chooses it`);
    return `those of ${chosenPython()}`;
  }
  const environment = join(folder, '.venv');
  const stamp = join(environment, 'installed');
  const wanted = readFileSync(join(folder, 'requirements.txt'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 'there';
  rmSync(environment, { recursive: true, force: true });
  run('python3', '-m', 'venv', environment);
  run(join(environment, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', '-r', join(folder, 'requirements.txt'));
  writeFileSync(stamp, wanted);
  return 'installed in .venv';
}

function copyJars() {
  const missing = missingJars();
  mkdirSync(join(folder, 'lib'), { recursive: true });
  for (const artifact of missing)
    run('mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${join(folder, 'lib')}`);
  return missing.length === 0 ? 'there' : missing.map(nameOf).join(', ');
}

function run(command, ...args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return;
  const told = error?.message ?? `${stderr}${stdout}`.trim().split('\n').slice(-5).join('\n');
  throw new SetUpError(`${command} ${args.join(' ')} failed:\n${told}`);
}

/** @throws SetUpError with all that is missing */
export function setUp() {
  const missing = problems();
  if (missing.length > 0) throw new SetUpError(missing.join('\n'));
  console.log(`example: packages of Python  ${installPackages()}`);
  console.log(`example: jars                ${copyJars()}`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    setUp();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
