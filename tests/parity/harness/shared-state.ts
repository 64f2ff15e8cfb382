/**
 * What two processes that run the two sides of a case have in common: folders of files and the time that
 * stands still. In a run where one process has both sides, nothing is shared.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = 'PARITY_FOLDER_';
const NOW = 'PARITY_NOW';
const made: Record<string, string> = {};

/**
 * A temporary folder that `fill` fills, removed on exit; or the one that the process of the other side has
 * made.
 */
export function sharedFolder(name: string, fill: (folder: string) => void): string {
  const given = process.env[FOLDER + name];
  if (given !== undefined) return given;
  const folder = mkdtempSync(join(tmpdir(), `fulmar-${name}-`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  fill(folder);
  made[FOLDER + name] = folder;
  return folder;
}

/** What `Date.now()` says in cases that freeze it. */
export const FROZEN_NOW: number = Number(process.env[NOW] ?? Date.now());

/** Variables for the process of the other side. */
export function sharedEnvironment(): Readonly<Record<string, string>> {
  return { ...made, [NOW]: String(FROZEN_NOW) };
}
