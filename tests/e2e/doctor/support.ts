/** Runs `fulmar doctor` on projects that find the packages of this repository, and reads its report. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../../packages/cli/src/doctor/report.ts';
import { type Ended, type Files, fulmar, type StartOptions, writeProject } from '../cli/support.ts';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The machine may be slow and busy. */
const PATIENCE_MS = 120_000;

export function writeApplication(files: Files): string {
  const folder = writeProject(files);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}

export function doctor(folder: string, args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  return fulmar(folder, ['doctor', ...args], { patienceMs: PATIENCE_MS, ...options });
}

export interface Examined {
  readonly code: number | null;
  readonly report: Report;
}

/** The report of `--json`. */
export async function examine(folder: string, args: readonly string[], options?: StartOptions): Promise<Examined> {
  const { code, stdout, stderr } = await doctor(folder, ['--json', ...args], options);
  assert.notEqual(stdout, '', stderr);
  return { code, report: JSON.parse(stdout) as Report };
}

/** `code detail` of what a middleware was seen to do. */
export function effectsOf({ applications }: Report, name: string): string[] {
  const found = applications.flatMap(({ middleware, routes }) => [...middleware, ...routes.flatMap(({ handlers }) => handlers)]);
  const handler = found.find((one) => one.name === name);
  assert.ok(handler !== undefined, `no handler ${name} among ${found.map((one) => one.name).join(', ')}`);
  return handler.effects.map(({ code, detail }) => `${code} ${detail}`.trim());
}

/** `path: way` of each request. */
export function waysOf({ requests }: Report): string[] {
  return requests.map(({ method, path, way }) => `${method} ${path}: ${way}`);
}
