/**
 * One module on its way through a bundler: which modules are meant, what is made of them, and how what is wrong is
 * told. What all bundlers have in common; knows none of them.
 */
import { relative } from 'node:path';
import type { CompileError, Problem } from '../analyze/problem.ts';
import { type Compiled, compile } from '../index.ts';
import { TYPESCRIPT, USES_TYPES } from '../program/mentions.ts';

export const NAME = 'fulmar-types';

/** Packages are published compiled; sources of a workspace lie elsewhere, as bundlers follow links. */
const INSTALLED = /[\\/]node_modules[\\/]/;

export interface Outcome {
  /** `undefined` where something is wrong. */
  readonly made: Compiled | undefined;
  readonly problems: readonly Problem[];
  /** Files whose change makes it stale, without those of packages, which nobody edits. */
  readonly watched: readonly string[];
}

const isMeant = (id: string, code: string): boolean => TYPESCRIPT.test(id) && !INSTALLED.test(id) && USES_TYPES.test(code);

/** `undefined`: the module is left as it is. */
export function compileModule(id: string, code: string): Outcome | undefined {
  if (!isMeant(id, code)) return undefined;
  try {
    // Bundlers keep what they have transformed, and a folder of ours would be swept by nobody.
    const made = compile(id, code, null);
    return made === undefined ? undefined : { made, problems: [], watched: edited(made.files) };
  } catch (error) {
    // By its code: the class is in the other bundle, with TypeScript.
    if ((error as NodeJS.ErrnoException).code !== 'FULMAR_TYPES') throw error;
    const { problems, files } = error as CompileError;
    return { made: undefined, problems, watched: edited(files) };
  }
}

const edited = (files: readonly string[]): string[] => files.filter((file) => !INSTALLED.test(file));

/** For people: `User.run is a function, which cannot be sent`. */
export const textOf = ({ path, message }: Problem): string => (path === '' ? message : `${path} ${message}`);

/** Several in one text, where a bundler takes one error for a module; the place of the first stands beside it. */
export function textOfAll([first, ...others]: readonly Problem[]): string {
  const lines = others.map((one) => `${placeOf(one)} ${textOf(one)}`);
  return [first === undefined ? '' : textOf(first), ...lines].join('\n');
}

export const placeOf = ({ file, line, column }: Problem): string => `${relative(process.cwd(), file)}:${line}:${column}`;
