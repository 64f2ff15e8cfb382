/**
 * Runs a file in a child and hands over the lines that carry its mark, until it says that it is done, ends,
 * or is silent for too long.
 */
import { spawn } from 'node:child_process';
import type { Command } from './host.ts';
import { MARK } from './mark.ts';

/** Longer than any program needs on a busy machine. */
const SILENCE_MAX_MS = 20_000;
const OUTPUT_MAX = 4_000;

export interface Ending {
  /** `done`: the child said so. `ended`: it ended by itself. `silent`: it was ended after a deadline. */
  readonly how: 'done' | 'ended' | 'silent';
  /** What it wrote to stderr, or how it ended. */
  readonly detail: string;
}

/** `onLine` returns true when the child has said all. */
export function readChild(host: Command, file: string, cwd: string, onLine: (line: unknown) => boolean): Promise<Ending> {
  const child = spawn(host.command, [...host.args, file], { cwd, env: host.env, stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let rest = '';
    let errors = '';
    let how: Ending['how'] = 'ended';
    const stop = (reason: Ending['how']): void => {
      if (how === 'ended') how = reason;
      child.kill('SIGKILL');
    };
    let timer = setTimeout(stop, SILENCE_MAX_MS, 'silent');
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      clearTimeout(timer);
      timer = setTimeout(stop, SILENCE_MAX_MS, 'silent');
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith(MARK) && onLine(JSON.parse(line.slice(MARK.length)))) stop('done');
      }
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-OUTPUT_MAX);
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const end = how === 'silent' ? 'did not end in time' : `ended with ${signal ?? `code ${code}`}`;
      resolve({ how, detail: [end, errors.trim()].filter((part) => part !== '').join(': ') });
    });
  });
}
