// What the stack, its index and the dispatcher know of a layer, whichever version of Express it belongs to. Types only.
import type { Handler } from '../messages.ts';
import type { IndexedPattern } from './pattern.ts';

/** A route as the dispatcher sees it: something that answers for some methods. */
export interface StackRoute {
  readonly stack: unknown;
}

export interface StackLayer {
  handle: Handler;
  readonly route?: StackRoute | undefined;
  /** How this layer matches, as compiled; `null` when somebody replaced that. Foreign layers have no such member. */
  _compiled?(): CompiledLayer | null;
}

export interface CompiledLayer {
  /** Matches every path and takes nothing of it. */
  readonly slash: boolean;
  readonly patterns: readonly IndexedPattern[];
}
