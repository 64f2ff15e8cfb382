/**
 * The plugin for Rollup and Rolldown, and the part of it that Vite has, too: a module is transformed before any
 * other plugin sees it.
 */
import type { Compiled } from '../index.ts';
import { TYPESCRIPT, USES_TYPES } from '../program/mentions.ts';
import { compileModule, NAME, type Outcome, textOfAll } from './compile-module.ts';

/** What of a plugin's context is used here. */
export interface TransformContext {
  error(error: { message: string; id: string; loc: { file: string; line: number; column: number } }): never;
  addWatchFile(file: string): void;
}

export interface Transform {
  readonly order: 'pre';
  readonly filter: { readonly id: RegExp; readonly code: RegExp };
  handler(this: TransformContext, code: string, id: string): Pick<Compiled, 'code' | 'map'> | undefined;
}

export interface RollupPlugin {
  readonly name: string;
  readonly transform: Transform;
}

/** `note` is told what became of each module, before an error is. */
export function transformBy(
  note: (context: TransformContext, outcome: Outcome, module: { id: string; source: string }) => void,
): Transform {
  return {
    order: 'pre',
    filter: { id: TYPESCRIPT, code: USES_TYPES },
    handler(code, id) {
      const outcome = compileModule(id, code);
      if (outcome === undefined) return undefined;
      note(this, outcome, { id, source: code });
      const { made, problems } = outcome;
      const [first] = problems;
      if (first !== undefined)
        return this.error({ message: textOfAll(problems), id, loc: { file: first.file, line: first.line, column: first.column - 1 } });
      return made === undefined ? undefined : { code: made.code, map: made.map };
    },
  };
}

export const watchAll = (context: TransformContext, { watched }: Outcome): void => {
  for (const file of watched) context.addWatchFile(file);
};

export const rollup = (): RollupPlugin => ({ name: NAME, transform: transformBy(watchAll) });
