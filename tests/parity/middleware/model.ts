/**
 * What a random program of middleware is: plain JSON, so that it can be printed, replayed and shrunk. Data
 * only; builds nothing.
 */
import type { StructuredRequest } from '../harness/case.ts';
import type { ComposeVersion } from '../koa/compose-versions.ts';

export const FRAMEWORKS = ['express', 'express4', 'koa', 'koa2'] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/**
 * One thing that a package does to a request, a response, a context or an application. `acts.ts` and its
 * relatives say what.
 */
export interface Act {
  readonly do: string;
  readonly name?: string;
  readonly value?: unknown;
}

/** When an act is done: in its middleware, a little later, or in a later phase of the request. */
export type When = 'now' | 'tick' | 'immediate' | 'finish' | 'close';

export interface Step {
  readonly act: Act;
  readonly when: When;
}

/** When a middleware goes on. */
export type Next = 'sync' | 'microtask' | 'tick' | 'immediate' | 'timer';

export type Layer =
  | {
      readonly type: 'middleware';
      readonly id: number;
      readonly steps: readonly Step[];
      readonly next: Next;
      readonly after: readonly Step[];
    }
  | { readonly type: 'parser'; readonly parser: 'json' | 'text' | 'urlencoded' | 'raw' }
  | { readonly type: 'static' }
  | { readonly type: 'router'; readonly path: string; readonly isApp: boolean; readonly layers: readonly Layer[] }
  | { readonly type: 'reply'; readonly id: number; readonly path: string | null; readonly reply: string };

export interface ProgramModel {
  readonly framework: Framework;
  /** Which koa-compose stands beside Koa. */
  readonly compose: ComposeVersion;
  readonly layers: readonly Layer[];
  readonly requests: readonly StructuredRequest[];
}
