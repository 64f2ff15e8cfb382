/**
 * What a random Koa program is: plain JSON, so that it can be printed, replayed and shrunk. Data only; builds
 * nothing.
 */
import type { StructuredRequest } from '../../harness/case.ts';
import type { Version } from '../sides.ts';

export type Wait = 'microtask' | 'promises' | 'tick' | 'immediate';

export const BODIES = [
  'text',
  'html',
  'empty',
  'unicode',
  'long',
  'buffer',
  'json',
  'array',
  'number',
  'true',
  'null',
  'undefined',
  'stream',
  'late-stream',
  'large-stream',
  'blob',
  'web-stream',
  'response',
] as const;
export type BodyKind = (typeof BODIES)[number];

export const FAILURES = [
  'error',
  'status',
  'exposed',
  'headers',
  'http-error',
  'assert',
  'string',
  'object',
  'type-error',
  'enoent',
] as const;
export type FailureKind = (typeof FAILURES)[number];

/** One thing a middleware does, before or after its next. */
export type Step =
  | { readonly do: 'wait'; readonly for: Wait }
  | { readonly do: 'body'; readonly kind: BodyKind }
  | { readonly do: 'status'; readonly code: number }
  | { readonly do: 'message'; readonly text: string }
  | { readonly do: 'type'; readonly type: string }
  | { readonly do: 'field'; readonly name: string; readonly value: string }
  | { readonly do: 'append'; readonly name: string; readonly value: string }
  | { readonly do: 'remove'; readonly name: string }
  | { readonly do: 'cookie' }
  | { readonly do: 'etag' }
  | { readonly do: 'redirect'; readonly to: string }
  | { readonly do: 'url'; readonly url: string }
  | { readonly do: 'method'; readonly method: string }
  | { readonly do: 'state'; readonly value: string }
  | { readonly do: 'note' }
  | { readonly do: 'fail'; readonly how: 'throw' | 'reject'; readonly value: FailureKind }
  | { readonly do: 'onerror' }
  | { readonly do: 'end' }
  | { readonly do: 'flush' }
  | { readonly do: 'bypass' }
  | { readonly do: 'read-content' }
  /** Sets something once the reply has been sent. */
  | { readonly do: 'late'; readonly step: Step };

/** How a middleware calls what comes after it. */
export type NextUse = 'await' | 'return' | 'then' | 'forget' | 'twice' | 'twice-at-once' | 'none';

export interface MiddlewareModel {
  readonly id: number;
  readonly style: 'async' | 'plain';
  readonly before: readonly Step[];
  readonly next: NextUse;
  readonly after: readonly Step[];
  /** What it does with an error of the others. */
  readonly catches: 'no' | 'answer' | 'rethrow' | 'swallow';
}

export interface ProgramModel {
  readonly version: Version;
  readonly storage: boolean;
  readonly proxy: boolean;
  readonly listens: boolean;
  readonly middleware: readonly MiddlewareModel[];
  readonly requests: readonly StructuredRequest[];
  readonly pipelined: boolean;
}
