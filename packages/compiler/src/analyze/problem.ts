/**
 * What cannot be compiled, collected while types are analysed: all of a file is told at once. Knows where in
 * the source and where in the type; never decides what is wrong.
 */
import { isAbsolute, relative } from 'node:path';

export interface Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Where in the type, as `User.address.street`. */
  readonly path: string;
  readonly message: string;
}

/** More than these of one file are not told: one wrong type may be used everywhere. */
const TOLD_MAX = 20;

/** Thrown for all problems of a file. */
export class CompileError extends SyntaxError {
  readonly code = 'FULMAR_TYPES';
  readonly problems: readonly Problem[];
  /** Files besides the source that the types come from: what is wrong may be put right in any of them. */
  readonly files: readonly string[];

  constructor(problems: readonly Problem[], files: readonly string[]) {
    super(textOf(problems));
    this.name = 'SyntaxError';
    this.problems = problems;
    this.files = files;
  }
}

function textOf(problems: readonly Problem[]): string {
  const lines = problems.slice(0, TOLD_MAX).map(({ file, line, column, path, message }) => {
    return `${shown(file)}:${line}:${column} ${path === '' ? '' : `${path} `}${message}`;
  });
  if (problems.length > TOLD_MAX) lines.push(`and ${problems.length - TOLD_MAX} more`);
  return `cannot compile types:\n${lines.join('\n')}`;
}

/** From where the reader stands, unless that is elsewhere. */
function shown(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}
