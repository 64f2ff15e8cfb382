/**
 * Builds the Node-API addon with cargo and puts it where `src/exchange` looks:
 * `dist/fulmar.<platform>-<arch>[-<libc>].node`. Cargo decides what is stale; its call with nothing to do
 * takes a fraction of a second.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { capture, distDir, Failure } from './run.mjs';

export const addonCrate = 'fulmar-addon';

/**
 * `linux-x64-gnu`, `linux-arm64-musl`, `darwin-arm64` …: the suffix of the addon's file name on this machine,
 * by the rule of `packages/fulmar/src/host/engine.ts`, which a script cannot load before there is a compiler.
 */
export function platformTag() {
  const libc = process.platform === 'linux' ? (process.config.variables.is_musl === true ? '-musl' : '-gnu') : '';
  return `${process.platform}-${process.arch}${libc}`;
}

export const addonFile = () => join(distDir, `fulmar.${platformTag()}.node`);

export async function buildAddon() {
  const built = await cargoBuild(['-p', addonCrate, '--lib']);
  return installFile(libraryOf(built), addonFile());
}

/**
 * Runs `cargo build` and returns what it compiled (cargo's JSON messages); a failure carries the compiler's
 * text. `command`, `env`: of another program that takes the same arguments.
 */
export async function cargoBuild(args, profile = 'release', { command = ['cargo', 'build'], env = process.env } = {}) {
  const options = ['--profile', profile, '--message-format=json-render-diagnostics'];
  const [program, ...words] = command;
  const { code, output, stdout } = await capture(program, [...words, ...options, ...args], { env });
  if (code !== 0) throw new Failure(`${command.join(' ')} ${args.join(' ')} failed:\n${output.replaceAll(/^\{.*\}\n/gm, '')}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((message) => message.reason === 'compiler-artifact');
}

/** The library among what cargo built. */
export function libraryOf(artifacts) {
  const own = artifacts.find((message) => message.target.kind.includes('cdylib') && message.package_id.includes('crates/addon'));
  const library = own?.filenames.find((file) => /\.(?:so|dylib|dll)$/.test(file));
  if (library === undefined) throw new Failure(`cargo built ${addonCrate} without a cdylib`);
  return library;
}

/** The program `name` among what cargo built. */
export function programOf(artifacts, name) {
  const program = artifacts.find((message) => message.target.kind.includes('bin') && message.target.name === name)?.executable;
  if (program === undefined || program === null) throw new Failure(`cargo built ${name} without an executable`);
  return program;
}

/** Copies what cargo built to `target`, with its mode, unless that is as new; returns its size. */
export function installFile(built, target) {
  if (existsSync(target) && statSync(target).mtimeMs >= statSync(built).mtimeMs) return 'up to date';
  mkdirSync(distDir, { recursive: true });
  // A new file by rename: a running process keeps the old one mapped, never a half-written one.
  const temporary = `${target}.${process.pid}.tmp`;
  copyFileSync(built, temporary);
  renameSync(temporary, target);
  return `${(statSync(target).size / 1e6).toFixed(1)} MB`;
}
