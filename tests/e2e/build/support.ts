// Builds as a user does, and runs what was built in an empty folder, from yet another working directory.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, type Files, fulmar, type Running, start, writeProject } from '../cli/support.ts';

export interface Built {
  /** The built file, alone in its folder. */
  readonly file: string;
  readonly folder: string;
  /** Where it unpacks itself. */
  readonly cache: string;
  readonly stderr: string;
}

/** Builds `entry` of `project`, and removes the project when it was made for this. */
export async function build(project: Files | string, entry: string, args: readonly string[] = []): Promise<Built> {
  const source = typeof project === 'string' ? project : writeProject(project);
  const folder = writeProject({});
  const made = join(folder, 'made', 'app.mjs');
  const { code, stdout, stderr } = await fulmar(source, ['build', entry, '-o', made, ...args]);
  assert.equal(code, 0, stdout + stderr);
  if (typeof project !== 'string') rmSync(source, { recursive: true });
  mkdirSync(join(folder, 'run'));
  const file = join(folder, 'run', 'app.mjs');
  copyFileSync(made, file);
  return { file, folder: join(folder, 'run'), cache: join(folder, 'cache'), stderr };
}

export function run({ file, cache }: Built, args: readonly string[] = [], env: Record<string, string> = {}): Running {
  return start('/', [file, ...args], { plain: true, env: { FULMAR_BUILD_CACHE: cache, ...env } });
}

/** Runs it to its end; what it prints is expected to be one value as JSON. */
export async function runToValue(built: Built, args: readonly string[] = [], env: Record<string, string> = {}): Promise<unknown> {
  const { code, stdout, stderr } = await run(built, args, env).ended;
  assert.equal(code, 0, stdout + stderr);
  return JSON.parse(stdout);
}

export async function buildAndRun(files: Files, entry: string, args: readonly string[] = []): Promise<unknown> {
  return runToValue(await build(files, entry, args));
}

/** A build that is expected to fail: its message. */
export async function buildError(files: Files, args: readonly string[]): Promise<string> {
  const { code, stderr }: Ended = await fulmar(writeProject(files), ['build', ...args]);
  assert.equal(code, 1, stderr);
  assert.doesNotMatch(stderr, /\n {4}at /);
  return stderr;
}

/** A package for the `node_modules` of a project. */
export function packageFiles(name: string, files: Files, manifest: object = {}): Files {
  const folder = `node_modules/${name}`;
  const all = { 'package.json': JSON.stringify({ name, version: '1.0.0', ...manifest }), ...files };
  return Object.fromEntries(Object.entries(all).map(([file, text]) => [`${folder}/${file}`, text]));
}
