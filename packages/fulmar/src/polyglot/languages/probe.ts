/**
 * Asks the interpreter of a language about itself, on the path or where it was named, and says why it has not answered.
 * Knows no language.
 */
import { execFile, execFileSync } from 'node:child_process';

const TIMEOUT_MS = 20_000;
/** Of what it has said instead: enough for the lines that a version manager writes. */
const SAID_MAX = 300;

export interface Question {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Why there is no answer. */
export class NotAnswered extends Error {
  /** There is no such program. */
  readonly isMissing: boolean;

  constructor(message: string, isMissing: boolean, cause: unknown) {
    super(message, { cause });
    this.isMissing = isMissing;
  }
}

const optionsOf = ({ env }: Question) => ({ timeout: TIMEOUT_MS, encoding: 'utf8', ...(env === undefined ? {} : { env }) }) as const;

/** What it writes. Rejects with `NotAnswered`. */
export function ask(question: Question): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(question.command, question.args, optionsOf(question), (error, output, said) => {
      if (error === null) resolve(output);
      else reject(notAnswered(error, said));
    });
  });
}

/** The same, waiting for it. */
export function askNow(question: Question): string {
  try {
    return execFileSync(question.command, question.args, { ...optionsOf(question), stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw notAnswered(error as Error, String((error as { stderr?: unknown }).stderr ?? ''));
  }
}

interface Failed {
  /** A code of the system's, or what the program ended with. */
  readonly code?: string | number | null;
  readonly status?: number | null;
  readonly signal?: string | null;
  readonly killed?: boolean;
}

/** Not the message of Node's, which repeats the program that it was given. */
function notAnswered(error: Error, said: string): NotAnswered {
  const { code, status, signal, killed } = error as Failed;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new NotAnswered('there is none', true, error);
  if (killed === true || code === 'ETIMEDOUT') return new NotAnswered(`it took longer than ${TIMEOUT_MS / 1_000} s`, false, error);
  if (code === 'EACCES') return new NotAnswered('it is no program that may be run (EACCES)', false, error);
  if (typeof code === 'string') return new NotAnswered(`it could not be run (${code})`, false, error);
  const end = typeof signal === 'string' ? `by ${signal}` : `with ${String(status ?? code)}`;
  const text = lastWords(said);
  return new NotAnswered(`it ended ${end}${text === '' ? '' : `: ${text}`}`, false, error);
}

/** Of a trace, the error at its end. */
function lastWords(said: string): string {
  const lines = said.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const text = (said.startsWith('Traceback') ? (lines.at(-1) ?? '') : lines.join(' ')).replace(/\.$/, '');
  return text.length > SAID_MAX ? `${text.slice(0, SAID_MAX)}…` : text;
}
