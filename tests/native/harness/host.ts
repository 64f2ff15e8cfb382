/**
 * The QuickJS host of this checkout: the runtime that `npm run build` makes. Never builds anything.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { platformTag } from '../../../packages/fulmar/src/host/engine.ts';

export interface Command {
  readonly command: string;
  /** Come before the file that is run. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

const dist = fileURLToPath(new URL('../../../packages/fulmar/dist/', import.meta.url));

const isSelf = process.env['FULMAR_NATIVE'] === 'node';

/** The version of Node that the QuickJS host is like. */
export const NODE_MAJOR = 26;

export const root: string = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Runs a bundled file on the QuickJS host. `FULMAR_NATIVE` names another runtime; `node` is Node, to test the
 * tests.
 */
export function nativeHost(): Command {
  if (isSelf) return plainNode();
  const runtime = process.env['FULMAR_NATIVE'] ?? join(dist, `fulmar-native-${platformTag()}`);
  if (!existsSync(runtime)) throw new Error(`there is no native runtime at ${runtime}: run "npm run build" first`);
  return { command: runtime, args: ['run'], env: { ...process.env } };
}

/** Runs a file on plain Node: the one that runs the tests. */
export function plainNode(): Command {
  const env: Record<string, string | undefined> = { ...process.env };
  delete env['NODE_OPTIONS'];
  delete env['NODE_TEST_CONTEXT'];
  return { command: process.env['FULMAR_TEST_NODE'] ?? process.execPath, args: [], env };
}

/** The text of a function that gives the host's modules, for the plan in front of a bundle. */
export const LOOKUP: string = isSelf ? `require('node:module').createRequire(${JSON.stringify(join(root, 'tests', 'x.js'))})` : 'require';
