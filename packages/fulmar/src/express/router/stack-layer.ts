/**
 * What the stack, its index and the dispatcher know of a layer, whichever version of Express it belongs to.
 */
import type { Handler } from '../message-types.ts';
import type { IndexedPattern } from './pattern.ts';

/** Under it a layer tells how it is compiled. */
export const kCompiled: unique symbol = Symbol('fulmar.compiledLayer');

/** A route as the dispatcher sees it: something that answers for some methods. */
export interface StackRoute {
  readonly stack: unknown;
}

export interface StackLayer {
  handle: Handler;
  readonly route?: StackRoute | undefined;
  /**
   * How this layer matches, as compiled; `null` when somebody replaced that. Foreign layers have no such
   * member.
   */
  [kCompiled]?(): CompiledLayer | null;
}

export interface CompiledLayer {
  /** Matches every path and takes nothing of it. */
  readonly slash: boolean;
  readonly patterns: readonly IndexedPattern[];
}
