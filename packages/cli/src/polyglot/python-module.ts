/**
 * What a file of Python declares, as an interpreter has parsed it: the shapes, and how it is asked. The file is not run.
 */
import { execFile } from 'node:child_process';
import { CommandError } from '../errors.ts';
import { PROGRAM } from './python-program.ts';

const READ_TIMEOUT_MS = 20_000;
/** Of what is printed of one file. */
const OUTPUT_BYTES_MAX = 64 * 1_024 * 1_024;

/** An expression, as far as types need it. Names are dotted: `np.ndarray`. */
export type Expression =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'constant'; readonly type: string; readonly value?: string | boolean; readonly parsed?: Expression }
  | { readonly kind: 'index'; readonly of: Expression; readonly items: readonly Expression[] }
  | { readonly kind: 'call'; readonly of: Expression; readonly items: readonly Expression[]; readonly named?: readonly string[] }
  | { readonly kind: 'or' | 'list' | 'tuple' | 'set' | 'dict'; readonly items: readonly Expression[] }
  | { readonly kind: 'other' };

export interface Parameter {
  readonly name: string;
  /** `any`: by place or by name. */
  readonly kind: 'positional' | 'any' | 'rest' | 'named' | 'named rest';
  readonly annotation: Expression | null;
  readonly isOptional: boolean;
}

export interface FunctionDeclaration {
  readonly kind: 'function';
  readonly name: string;
  readonly doc: string | null;
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
  readonly decorators: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly returns: Expression | null;
}

export interface ClassDeclaration {
  readonly kind: 'class';
  readonly name: string;
  readonly doc: string | null;
  readonly bases: readonly Expression[];
  readonly keywords: Readonly<Record<string, Expression>>;
  readonly decorators: readonly string[];
  readonly body: readonly Declaration[];
}

export interface ValueDeclaration {
  readonly kind: 'value';
  readonly name: string;
  readonly annotation: Expression | null;
  readonly value: Expression | null;
}

export interface ImportDeclaration {
  readonly kind: 'import';
  readonly name: string;
  /** `typing.Optional`. */
  readonly from: string;
}

export type Declaration = FunctionDeclaration | ClassDeclaration | ValueDeclaration | ImportDeclaration;

export interface PythonModule {
  readonly doc: string | null;
  readonly body: readonly Declaration[];
}

interface Broken {
  readonly error: { readonly message: string; readonly line: number; readonly code: string };
}

/** Throws a `CommandError` with the place for what is no Python. */
export function parsePython(executable: string, file: string, name: string): Promise<PythonModule> {
  return new Promise((resolve, reject) => {
    const options = { timeout: READ_TIMEOUT_MS, maxBuffer: OUTPUT_BYTES_MAX };
    // Isolated: what lies in the working directory is not imported in place of Python's own.
    execFile(executable, ['-I', '-c', PROGRAM, file], options, (error, output) => {
      if (error !== null) {
        reject(new CommandError('FULMAR_CLI_POLYGLOT', `${executable} could not read ${name}: ${error.message}`));
        return;
      }
      const parsed = JSON.parse(output) as PythonModule | Broken;
      if ('error' in parsed) {
        const { message, line, code } = parsed.error;
        const place = line === 0 ? name : `${name}:${line}`;
        reject(new CommandError('FULMAR_CLI_POLYGLOT', `${place}: ${message}${code === '' ? '' : `: ${code}`}`));
      } else resolve(parsed);
    });
  });
}
