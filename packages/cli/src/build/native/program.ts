/**
 * The program that `fulmar build --native` starts from, `fulmar-native-<platform>`: what it can do, and how
 * it is asked.
 */
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { CommandError } from '../../errors.ts';
import { findPart } from '../../../../fulmar/src/launch/installed/installed.ts';
import type { Project } from '../project.ts';

/** What the host says it carries. */
export interface Program {
  readonly file: string;
  /** Modules of Node's, without `node:`. */
  readonly modules: ReadonlySet<string>;
}

const OUTPUT_BYTES_MAX = 1_024 * 1_024;
const moduleFile = /^node\/(.+)\.cjs$/;

interface ProgramWish {
  readonly dist: string;
  readonly version: string;
  /** The application that it is for. */
  readonly project: Pick<Project, 'entry'>;
}

/**
 * Finds it, in the folder of our bundles or in a package of its own; throws a `CommandError` when there is
 * none, or none of this version.
 */
export function findProgram({ dist, version, project }: ProgramWish): Program {
  const { file, problem, advice } = findPart(dist, 'native', project.entry);
  if (problem !== null) throw failure(`an executable needs the native runtime, ${basename(file)}: ${problem}. ${advice}`);
  const { ok, stdout, message } = ask(file, ['list']);
  const [first = '', ...names] = stdout.trimEnd().split('\n');
  const found = /^fulmar-native (\S+)$/.exec(first)?.[1];
  if (!ok || found === undefined) throw failure(`${file} is not a native runtime that works here: ${message || 'it gave no answer'}`);
  if (found !== version) {
    throw failure(
      `${file} is the native runtime of Fulmar ${found}, and this is ${version}. Install again; in a checkout run \`npm run build\`.`,
    );
  }
  return { file, modules: new Set(names.map((name) => moduleFile.exec(name)?.[1] ?? '').filter((name) => name !== '')) };
}

/** Has the host compile and append what `manifest` names; throws a `CommandError` with what it said. */
export function pack({ file }: Program, manifest: string, out: string): void {
  const { ok, message } = ask(file, ['pack', manifest, out]);
  if (!ok) throw failure(`the application cannot be compiled: ${message}`);
}

function ask(file: string, args: readonly string[]): { ok: boolean; stdout: string; message: string } {
  const { status, stdout, stderr, error, signal } = spawnSync(file, args, { encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX, env: {} });
  const text = error?.message ?? (signal === null ? (stderr ?? '').trim() : `it ended by ${signal}`);
  return { ok: status === 0, stdout: stdout ?? '', message: text.replace(/^fulmar: /, '') };
}

const failure = (message: string): CommandError => new CommandError('FULMAR_CLI_BUILD_FAILED', message);
