/**
 * What a run finds before it looks at its target: the tools, the machine, where to tell what goes on. Types
 * only.
 */
import type { Pinning, Quiet } from './machine.ts';
import type { Progress } from './progress.ts';

export interface Setting {
  /** `bin/fulmar.cjs`. */
  readonly binFile: string;
  readonly distFolder: string;
  readonly loadProgram: string;
  /** Of the package. */
  readonly version: string;
  readonly pinning: Pinning;
  readonly quiet: Quiet;
  readonly progress: Progress;
}
