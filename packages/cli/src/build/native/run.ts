/**
 * `fulmar run --native`: bundles an application, attaches it to a copy of the QuickJS host in a folder of its
 * own, and runs that in a process below this one. The application finds its files where they are: nothing is
 * embedded.
 */
import { realpathSync, rmSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { RunOptions } from '../../arguments.ts';
import { findEntry } from '../../entry.ts';
import { tell } from '../../../../fulmar/src/launch/terminal/tell.ts';
import { followChild, spawnChild } from '../../run/wrapper.ts';
import { distFolder, DRAIN_TIMEOUT_MS_WATCH } from '../../../../fulmar/src/launch/settings.ts';
import { readVersion } from '../../../../fulmar/src/launch/installed/version.ts';
import { companions } from '../assets.ts';
import { toProject } from '../project.ts';
import { buildNative, type NativeBuilt } from './index.ts';
import { makeTemporaryFolder } from '../../temporary.ts';

/** Set by Node's own `--watch` in the processes it restarts. */
const WATCH_VARIABLE = 'WATCH_REPORT_DEPENDENCIES';

export interface Throwaway {
  readonly file: string;
  readonly built: NativeBuilt;
}

export interface ThrowawayOptions {
  readonly file: string;
  readonly binFile: string;
  readonly alias: boolean;
  readonly drainTimeoutMs: number | undefined;
}

/** Builds an executable into `folder` that runs the application from where it is. */
export async function buildThrowaway({ file, binFile, alias, drainTimeoutMs }: ThrowawayOptions, folder: string): Promise<Throwaway> {
  const entry = realpathSync(findEntry(file));
  const dist = realpathSync(distFolder(binFile));
  const project = toProject(entry, dist);
  const out = join(folder, basename(entry, extname(entry)));
  const built = await buildNative({
    project,
    binFile: join(dist, '..', 'bin', 'fulmar.cjs'),
    dist,
    version: readVersion(binFile),
    out,
    alias,
    drainTimeoutMs,
    root: project.root,
    minify: false,
    sourcemap: true,
    stripDebug: false,
    allowMissing: true,
    assets: [],
    required: new Map(companions(project).map((name) => [name, name])),
  });
  return { file: out, built };
}

/** Rejects with a `CommandError` for what can be told before the application starts. */
export async function runNative(options: RunOptions, binFile: string): Promise<void> {
  const isWatched = process.env[WATCH_VARIABLE] !== undefined;
  const folder = makeTemporaryFolder('run');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const drainTimeoutMs = isWatched ? DRAIN_TIMEOUT_MS_WATCH : options.drainTimeoutMs;
  const { file, built } = await buildThrowaway({ ...options, binFile, drainTimeoutMs }, folder);
  for (const note of built.bundle.notes) tell(note);
  // Node's `--watch` knows what Node loads; what was bundled it is told.
  if (isWatched) process.send?.({ 'watch:require': built.bundle.files });
  followChild(spawnChild(file, options.args, { channel: false, isWatcher: false }));
}
