/**
 * Runs small scripts on Node and on the QuickJS host and gives what they wrote and how they ended. Never
 * compares anything itself.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, nativeHost, plainNode } from '../harness/host.ts';

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly shell?: string;
  /** Called with the process when it has written something to standard output. */
  readonly onOutput?: (child: ChildProcess, stdout: string) => void;
}

/** A script that never ends is ended after this time, which no busy machine needs. */
const DEADLINE_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'fulmar-process-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

export function script(text: string): string {
  const file = join(folder, `script-${files++}.cjs`);
  writeFileSync(file, text);
  return file;
}

export function run(host: Command, text: string, options: RunOptions = {}): Promise<Outcome> {
  const file = script(text);
  const [command, args] =
    options.shell === undefined
      ? [host.command, [...host.args, file]]
      : ['/bin/sh', ['-c', `${options.shell}; exec "$0" "$@"`, host.command, ...host.args, file]];
  const child = spawn(command, args as string[], { env: { ...host.env, ...options.env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    options.onOutput?.(child, stdout);
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ stdout, stderr, code, signal });
    });
  });
}

export function onNode(text: string, options?: RunOptions): Promise<Outcome> {
  return run(plainNode(), text, options);
}

export function onNative(text: string, options?: RunOptions): Promise<Outcome> {
  return run(nativeHost(), text, options);
}

/** What both hosts say alike: without frames, source excerpts, versions, process ids and hints at options. */
export function alike(stderr: string): string {
  const kept: string[] = [];
  for (const line of stderr.split('\n')) {
    if (/^\s+(?:at |\.\.\. \d+ lines matching)|^(?:Node\.js|Fulmar) v|^\(Use `|^\s*\^+\s*$|^(?:\/|node:).*:\d+$|^Uncaught:$/.test(line))
      continue;
    // An excerpt of the source stands between its place and the caret.
    kept.push(line.replace(/^\(node:\d+\)/, '(node)').replace(/^(\w+ \[[A-Z_]+\])/, '$1'));
  }
  return kept.join('\n').replaceAll(/\n+/g, '\n').trim();
}
