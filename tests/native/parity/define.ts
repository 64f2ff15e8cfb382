/** Registers the suites of one folder with our side on the QuickJS host: one child for all. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EXCEPT } from '../../parity/express4/except.ts';
import { runRemotely, runShared } from '../../parity/harness/suite.ts';
import { NODE_MAJOR } from '../harness/host.ts';
import { converseWith, NativeRemote } from './remote.ts';
import { bundleCases, resolvedIn } from './suite-bundle.ts';

/**
 * Files without cases of their own: they count others, register those of another folder, or start Node
 * programs.
 */
const NOT_SUITES: ReadonlySet<string> = new Set(['count.test.ts', 'shared.test.ts', 'deprecations.test.ts']);

/**
 * Older Nodes differ from the one whose version the QuickJS host has, in what they emit and in the words of
 * errors.
 */
export const isComparable: boolean = Number(process.versions.node.split('.')[0]) === NODE_MAJOR;

/** The suites of `tests/parity/<folder>`; `PARITY_FILE` names one of them (`body`). */
export function filesOf(folder: string): readonly string[] {
  const path = fileURLToPath(new URL(`../../parity/${folder}/`, import.meta.url));
  const only = process.env['PARITY_FILE']?.split(',');
  const names = readdirSync(path).filter((name) => name.endsWith('.test.ts') && !NOT_SUITES.has(name));
  return names.filter((name) => only === undefined || only.includes(name.slice(0, -'.test.ts'.length))).map((name) => join(path, name));
}

export function defineNative(folder: string): Promise<void> {
  return defineFiles(filesOf(folder));
}

/** The suites of Express 5 that Express 4 runs too. */
export function defineNativeShared(): Promise<void> {
  const isPartial = process.env['PARITY_FILE'] !== undefined;
  if (!isComparable) return defineFiles([], 'express4');
  return runShared({ flavour: 'express4', except: EXCEPT, isPartial }, () => defineFiles(filesOf('express'), 'express4'));
}

function defineFiles(files: readonly string[], flavour?: 'express4'): Promise<void> {
  if (!isComparable) {
    test('the native host is compared with its own version of Node', { skip: `this is Node ${process.versions.node}` }, () => undefined);
    return Promise.resolve();
  }
  const remote = new NativeRemote(flavour, async () => converseWith(await bundleCases(files), { flavour, resolved: resolvedIn(files) }));
  return runRemotely(remote, async () => {
    for (const file of files) {
      remote.enter(file);
      await import(pathToFileURL(file).href);
    }
  });
}
