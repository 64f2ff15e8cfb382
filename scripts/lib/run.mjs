/**
 * How the scripts run things: child processes with captured output, and one line per step with the time it
 * took. Uses nothing outside Node, because it runs before `node_modules` exists.
 */
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const packageDir = join(root, 'packages', 'fulmar');
export const distDir = join(packageDir, 'dist');

/** An error whose message is all the user needs: printed without a stack. */
export class Failure extends Error {}

/** Runs `command`, captures both streams in order of arrival; never rejects because of an exit code. */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    let stdout = '';
    child.stdout?.on('data', (data) => {
      stdout += data;
      output += data;
    });
    child.stderr?.on('data', (data) => {
      output += data;
    });
    child.on('error', (error) => resolve({ code: 127, output: `${error.message}\n`, stdout: '' }));
    child.on('close', (code, signal) => resolve({ code: code ?? 128, signal, output, stdout }));
  });
}

/** Runs `command` with inherited streams; resolves to its exit code. */
export function passThrough(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', (error) => {
      console.error(error.message);
      resolve(127);
    });
    child.on('close', (code) => resolve(code ?? 128));
  });
}

/** First line of what `command` prints, or undefined when it cannot be run. */
export function firstLine(command, args) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return result.status === 0 ? result.stdout.split('\n')[0].trim() : undefined;
}

/** Prints `name … 1.2 s (note)` around `work`, which may return the note. */
export async function step(name, work) {
  const started = process.hrtime.bigint();
  try {
    const note = await work();
    line(name, seconds(started), typeof note === 'string' ? note : '');
  } catch (error) {
    line(name, seconds(started), 'FAILED');
    throw error;
  }
}

export function seconds(started) {
  return Number(process.hrtime.bigint() - started) / 1e9;
}

function line(name, time, note) {
  console.log(`${name.padEnd(28)} ${time.toFixed(1).padStart(6)} s${note === '' ? '' : `  ${note}`}`);
}

/** Runs the script's `main`, turns a `Failure` into its message and exit code 1. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    process.exitCode = 1;
  }
}

/** True when the module `url` is what `node` was asked to run. */
export function isMain(url) {
  return process.argv[1] !== undefined && fileURLToPath(url) === process.argv[1];
}
