/**
 * What commands share that start an application with a probe in it (`doctor`, `routes`): their common words, and the
 * group of processes that they lead. Starts nothing itself.
 */
import { existsSync } from 'node:fs';
import { CommandError } from './errors.ts';

const START_TIMEOUT_S_MAX = 3_600;
/** What is kept of the application's output. */
export const OUTPUT_CHARS_MAX = 64 * 1024;
/** Lines of it that an error shows. */
const OUTPUT_LINES = 15;
const START_TIMEOUT_S_MIN = 0.1;

/** The one file of a command line. `what` it is to the command: "starts a file". */
export function takeFile(draft: { file: string | undefined }, word: string, what: string): void {
  if (/^[a-z][a-z+.-]*:\/\//i.test(word))
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', `fulmar ${what} and cannot look into a running server; got "${word}"`);
  if (draft.file !== undefined) {
    throw new CommandError(
      'FULMAR_CLI_INVALID_VALUE',
      `one file at a time; got "${word}" as well. Arguments of the application go after --`,
    );
  }
  draft.file = word;
}

export function toStartTimeout(value: string): number {
  const seconds = Number(value);
  if (value.trim() !== '' && seconds >= START_TIMEOUT_S_MIN && seconds <= START_TIMEOUT_S_MAX) return seconds;
  throw new CommandError(
    'FULMAR_CLI_INVALID_VALUE',
    `--start-timeout needs a number of seconds from ${START_TIMEOUT_S_MIN} to ${START_TIMEOUT_S_MAX}; got "${value}"`,
  );
}

export function checkEnvFiles(files: readonly string[]): void {
  for (const file of files)
    if (!existsSync(file)) throw new CommandError('FULMAR_CLI_ENV_FILE', `cannot read the environment file ${file}: there is no such file`);
}

/** To the application and all that it has started. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // All of it has ended.
  }
}

/** For the end of an error's message. */
export function lastOutput(output: string): string {
  if (output.trim() === '') return 'It printed nothing.';
  const lines = output.trimEnd().split('\n').slice(-OUTPUT_LINES);
  return `Its last output:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
