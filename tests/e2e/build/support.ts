/**
 * Builds as a user does, and runs what was built in an empty folder, from yet another working directory:
 * files for Node, and executables.
 */
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

/** What `fulmar build` makes: a file that Node runs, or an executable. */
export class Kind {
  readonly name: 'file' | 'executable';
  readonly #args: readonly string[];
  readonly #out: string;

  constructor(name: Kind['name']) {
    this.name = name;
    this.#args = name === 'file' ? [] : ['--native'];
    this.#out = name === 'file' ? 'app.mjs' : 'app';
  }

  /** Builds `entry` of `project`, and removes the project when it was made for this. */
  async build(project: Files | string, entry: string, args: readonly string[] = []): Promise<Built> {
    const source = typeof project === 'string' ? project : writeProject(project);
    const folder = writeProject({});
    const made = join(folder, 'made', this.#out);
    const { code, stdout, stderr } = await fulmar(source, ['build', entry, ...this.#args, '-o', made, ...args]);
    assert.equal(code, 0, stdout + stderr);
    if (typeof project !== 'string') rmSync(source, { recursive: true });
    mkdirSync(join(folder, 'run'));
    const file = join(folder, 'run', this.#out);
    copyFileSync(made, file);
    return { file, folder: join(folder, 'run'), cache: join(folder, 'cache'), stderr };
  }

  run({ file, cache }: Built, args: readonly string[] = [], env: Record<string, string> = {}): Running {
    if (this.name === 'executable') return start('/', args, { program: file, env });
    return start('/', [file, ...args], { plain: true, env: { FULMAR_BUILD_CACHE: cache, ...env } });
  }

  /** Runs it to its end; what it prints is expected to be one value as JSON. */
  async runToValue(built: Built, args: readonly string[] = [], env: Record<string, string> = {}): Promise<unknown> {
    const { code, stdout, stderr } = await this.run(built, args, env).ended;
    assert.equal(code, 0, stdout + stderr);
    return JSON.parse(stdout);
  }

  async buildAndRun(files: Files, entry: string, args: readonly string[] = []): Promise<unknown> {
    return this.runToValue(await this.build(files, entry, args));
  }
}

/** A file for Node. */
export const file = new Kind('file');
/** An executable, by `--native`. */
export const executable = new Kind('executable');

/** A build that is expected to fail: its message. */
export async function buildError(files: Files, args: readonly string[], exitCode = 1): Promise<string> {
  const { code, stderr }: Ended = await fulmar(writeProject(files), ['build', ...args]);
  assert.equal(code, exitCode, stderr);
  assert.doesNotMatch(stderr, /\n {4}at /);
  return stderr;
}

/** A package for the `node_modules` of a project. */
export function packageFiles(name: string, files: Files, manifest: object = {}): Files {
  const folder = `node_modules/${name}`;
  const all = { 'package.json': JSON.stringify({ name, version: '1.0.0', ...manifest }), ...files };
  return Object.fromEntries(Object.entries(all).map(([file, text]) => [`${folder}/${file}`, text]));
}
