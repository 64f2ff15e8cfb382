/** A process of its own that runs some code with another language, for the tests of how processes end. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const API = JSON.stringify(here('../../packages/fulmar/src/polyglot/index.ts'));
const PATIENCE_MS = 30_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

export interface Started {
  readonly child: ChildProcess;
  /** When it has ended, and whoever writes where it did. */
  readonly ended: Promise<Ended>;
  /** When it has written this: the whole match. */
  readonly seen: (text: string | RegExp) => Promise<string>;
}

/** `code` has `guests`, `python` and `withOptions`. */
export function start(code: string): Started {
  const program = `import { guests, python, withOptions } from ${API};\n${code}`;
  const child = spawn(process.execPath, ['--import', here('../../scripts/ts-register.mjs'), '--input-type=module', '-e', program]);
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const look of watchers) look();
    });
  const ended = once(child, 'close').then(([exitCode, signal]) => {
    clearTimeout(timer);
    return { code: exitCode as number | null, signal: signal as string | null, output };
  });
  const found = (text: string | RegExp): string | undefined =>
    typeof text === 'string' ? (output.includes(text) ? text : undefined) : text.exec(output)?.[0];
  const seen = async (text: string | RegExp): Promise<string> => {
    await Promise.race([
      ended,
      new Promise<void>((resolve) => {
        const look = (): void => void (found(text) !== undefined && resolve());
        watchers.add(look);
        look();
      }),
    ]);
    return found(text) ?? assert.fail(`ended without ${String(text)}: ${output}`);
  };
  return { child, ended, seen };
}
