/** The plugin for esbuild, which has no transforms: it loads what is compiled, in place of esbuild's own loading. */
import { readFile } from 'node:fs/promises';
import type { Problem } from '../analyze/problem.ts';
import type { Compiled } from '../index.ts';
import { compileModule, NAME, textOf } from './compile-module.ts';
import { TYPESCRIPT } from '../program/mentions.ts';

interface Message {
  readonly text: string;
  readonly location: { readonly file: string; readonly line: number; readonly column: number; readonly lineText: string };
}

interface Loaded {
  contents?: string;
  loader?: 'ts' | 'tsx';
  watchFiles?: string[];
  errors?: Message[];
}

interface Build {
  onLoad(
    options: { filter: RegExp; namespace?: string },
    callback: (args: { path: string; suffix: string }) => Promise<Loaded | undefined>,
  ): void;
}

export interface EsbuildPlugin {
  readonly name: string;
  setup(build: Build): void;
}

export function esbuild(): EsbuildPlugin {
  return {
    name: NAME,
    setup(build) {
      build.onLoad({ filter: TYPESCRIPT, namespace: 'file' }, async ({ path, suffix }) => (suffix === '' ? await load(path) : undefined));
    },
  };
}

async function load(path: string): Promise<Loaded | undefined> {
  const text = await readFile(path, 'utf8');
  const outcome = compileModule(path, text);
  if (outcome === undefined) return undefined;
  const watchFiles = [path, ...outcome.watched];
  if (outcome.made === undefined) return { errors: outcome.problems.map((one) => messageOf(one, text)), watchFiles };
  return { contents: withMap(outcome.made), loader: path.endsWith('x') ? 'tsx' : 'ts', watchFiles };
}

/** esbuild joins it with its own. */
function withMap({ code, map }: Compiled): string {
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}\n`;
}

function messageOf(problem: Problem, source: string): Message {
  const lineText = source.split('\n')[problem.line - 1] ?? '';
  // Bytes, for esbuild.
  const column = Buffer.byteLength(lineText.slice(0, problem.column - 1));
  return { text: textOf(problem), location: { file: problem.file, line: problem.line, column, lineText } };
}
