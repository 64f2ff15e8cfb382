/**
 * Reads each `contestant.json` of `contestants`, turns them into entrants (a contestant on one runtime),
 * installs and builds them. Never starts a server.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cargoBuild } from '../../scripts/lib/addon.mjs';
import { capture } from '../../scripts/lib/run.mjs';
import { install } from '../../scripts/setup.mjs';
import { benchDir, commandFor, executables, made } from './runtimes.mjs';

const contestantsDir = join(benchDir, 'contestants');

/** All contestants by name, sorted; throws naming the file when one makes no sense. */
export function loadContestants(scenarioNames, folder = contestantsDir) {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'contestant.json')));
  return names.toSorted().map((name) => readContestant(join(folder, name), name, scenarioNames));
}

function readContestant(dir, name, scenarioNames) {
  const file = join(dir, 'contestant.json');
  const wrong = (what) => new Error(`${file}: ${what}`);
  let read;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrong(`not JSON: ${error.message}`);
  }
  const { title, runtimes, scenarios, leftOut = {} } = read;
  if (typeof title !== 'string') throw wrong('expected "title", a text');
  if (!Array.isArray(runtimes) || runtimes.length === 0) throw wrong('expected "runtimes", a list that is not empty');
  if (!Array.isArray(scenarios)) throw wrong('expected "scenarios", a list');
  const unknown = [...scenarios, ...Object.keys(leftOut)].filter((scenario) => !scenarioNames.includes(scenario));
  if (unknown.length > 0) throw wrong(`unknown scenarios: ${unknown.join(', ')}; bench/scenarios has ${scenarioNames.join(', ')}`);
  const strange = Object.keys(read.wire ?? {}).filter((scenario) => !scenarios.includes(scenario));
  if (strange.length > 0) throw wrong(`"wire" is for scenarios of "scenarios", and it names ${strange.join(', ')}`);
  return { answered: 'js', env: {}, smoke: false, ...read, leftOut, name, dir };
}

/** One entrant per runtime: `{ id, contestant, runtime, twin }`. */
export function entrantsOf(contestants) {
  return contestants.flatMap((contestant) =>
    contestant.runtimes.map((runtime) => ({ id: `${contestant.name}@${runtime}`, contestant, runtime })),
  );
}

/** The argument vector, folder and environment that start `entrant` on `port`. */
export function startOf({ contestant, runtime }, port) {
  const { args = [], dir, env } = contestant;
  const rest = args.map((arg) => arg.replaceAll('{port}', String(port)));
  if (executables.includes(runtime)) return { argv: [executableOf({ contestant, runtime }), ...rest], cwd: dir, env };
  return { argv: [...commandFor(runtime, join(dir, programOf(contestant, runtime))), ...rest], cwd: dir, env };
}

/** The executable that a runtime of `executables` starts. */
export function executableOf({ contestant, runtime }) {
  return contestant.binary ?? join(contestant.dir, programOf(contestant, runtime));
}

function programOf({ name, program }, runtime) {
  const file = ownProgram(program, runtime) ?? made[runtime]?.file ?? sourceOf(program, runtime);
  if (file === undefined) throw new Error(`contestant ${name} names no program for ${runtime}`);
  return file;
}

const ownProgram = (program, runtime) => (typeof program === 'object' ? program[runtime] : undefined);
const sourceOf = (program, runtime) => (typeof program === 'object' ? program[/bun|node/.exec(runtime)?.[0]] : program);

/** Installs and builds; returns undefined, or what went wrong as `{ stage, log }`. */
export async function prepare(contestant) {
  const { dir, cargo, build } = contestant;
  try {
    if (cargo !== undefined) contestant.binary = await buildBinary(cargo);
    for (const folder of [dir, ...(contestant.installs ?? []).map((path) => join(dir, path))]) {
      if (existsSync(join(folder, 'package-lock.json'))) await install(folder);
    }
  } catch (error) {
    return { stage: 'install', log: error.message };
  }
  return build === undefined || isBuilt(contestant) ? undefined : await runBuild(build, dir);
}

/**
 * Makes the one file that an entrant's runtime needs; returns undefined, or what went wrong as
 * `{ stage, log }`.
 */
export async function make({ contestant: { dir, program }, runtime }) {
  if (!(runtime in made) || ownProgram(program, runtime) !== undefined) return undefined;
  const { file, command } = made[runtime];
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  return runBuild(command(sourceOf(program, 'node'), file), dir);
}

async function runBuild([command, ...args], dir) {
  const { code, output } = await capture(command, args, { cwd: dir });
  return code === 0 ? undefined : { stage: 'build', log: `${[command, ...args].join(' ')} ended with ${code}\n${output}` };
}

async function buildBinary({ package: name, example, bin }) {
  const artifacts = await cargoBuild(['-p', name, ...(example === undefined ? ['--bin', bin] : ['--example', example])]);
  const binary = artifacts.find((artifact) => artifact.target.name === (example ?? bin))?.executable;
  if (binary === undefined) throw new Error(`cargo built no ${example ?? bin} in ${name}`);
  return binary;
}

/** `built` names the file a build makes: not older than the sources beside the manifest. */
function isBuilt({ dir, built, program }) {
  const result = join(dir, built ?? (typeof program === 'string' ? program : ''));
  if (!existsSync(result) || !statSync(result).isFile()) return false;
  const made = statSync(result).mtimeMs;
  const sources = readdirSync(dir).filter((name) => name === 'src' || /\.(json|[cm]?[jt]s)$/.test(name));
  return sources.map((name) => join(dir, name)).every((path) => newest(path) <= made);
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Version of the package that a contestant stands for, as installed, else as its lockfile says. */
export function versionOf({ dir, package: name }) {
  if (name === undefined || name === null) return undefined;
  const manifest = join(dir, 'node_modules', ...name.split('/'), 'package.json');
  if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).version;
  const lock = join(dir, 'package-lock.json');
  return existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')).packages[`node_modules/${name}`]?.version : undefined;
}

/** Those that could not take part at all, with the reason. */
export function notMeasured() {
  const file = join(contestantsDir, 'not-measured.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
