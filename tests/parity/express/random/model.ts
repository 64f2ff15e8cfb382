/**
 * What a random program is: plain JSON, so that it can be printed, replayed and shrunk. Data only; builds
 * nothing.
 */
import type { StructuredRequest } from '../../harness/case.ts';

/** A path as it is written: text, a regular expression, or a list of both. `null` means no path was given. */
export type PathModel = string | { readonly re: string; readonly flags: string } | readonly PathModel[];

/** When a handler does what it does. */
export type Timing = 'sync' | 'microtask' | 'tick' | 'immediate' | 'async';

/** What a handler does. */
export type Action =
  | { readonly do: 'next' }
  | { readonly do: 'next-with'; readonly value: 'route' | 'router' | 'null' | 'false' | 'zero' | 'empty' | 'text' | 'object' }
  | { readonly do: 'fail'; readonly how: 'next' | 'throw' | 'reject'; readonly value: FailureValue }
  | { readonly do: 'reply'; readonly kind: ReplyKind; readonly status: number | null }
  | { readonly do: 'reply-then'; readonly kind: ReplyKind; readonly then: 'next' | 'throw' }
  | { readonly do: 'field'; readonly name: string; readonly value: string }
  | { readonly do: 'rewrite'; readonly url: string }
  | { readonly do: 'param'; readonly name: string; readonly value: string }
  | { readonly do: 'method'; readonly method: string }
  | { readonly do: 'locals'; readonly value: string };

export type FailureValue = 'error' | 'status' | 'string' | 'undefined' | 'null' | 'object' | 'headers' | 'type-error';

export const REPLY_KINDS = [
  'echo',
  'text',
  'html',
  'empty',
  'buffer',
  'json',
  'array',
  'null',
  'number',
  'true',
  'undefined',
  'jsonp',
  'sendStatus',
  'end',
  'write',
  'redirect',
  'format',
  'cookie',
  'attachment',
  'type',
  'etag',
  'query',
  'accepts',
  'links',
  'long',
  'location',
  'request',
  'locals',
] as const;
/** Ways of answering that only Express 4 has. */
export const OLD_REPLY_KINDS = [
  'send-status',
  'status-send',
  'send-last',
  'json-status',
  'json-last',
  'back',
  'param',
  'old-accepts',
  'host',
] as const;
export type ReplyKind = (typeof REPLY_KINDS)[number] | (typeof OLD_REPLY_KINDS)[number];

export interface HandlerModel {
  readonly id: number;
  readonly timing: Timing;
  readonly action: Action;
}

export interface ErrorHandlerModel {
  readonly id: number;
  readonly timing: Timing;
  readonly action: 'reply' | 'pass' | 'recover' | 'replace' | 'throw' | 'route' | 'router';
}

export interface ParamModel {
  readonly name: string;
  readonly id: number;
  readonly timing: Timing;
  readonly action: 'next' | 'change' | 'fail' | 'fail-on-a' | 'route' | 'reject';
}

export type LayerModel =
  | { readonly type: 'use'; readonly path: PathModel | null; readonly handlers: readonly HandlerModel[] }
  | {
      readonly type: 'route';
      readonly method: string;
      readonly path: PathModel;
      readonly handlers: readonly (HandlerModel | ErrorHandlerModel)[];
      readonly chained: boolean;
    }
  | { readonly type: 'mount'; readonly path: PathModel | null; readonly router: RouterModel }
  | { readonly type: 'error'; readonly path: PathModel | null; readonly handler: ErrorHandlerModel };

export interface RouterModel {
  readonly kind: 'app' | 'router';
  readonly strict: boolean;
  readonly caseSensitive: boolean;
  readonly mergeParams: boolean;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly params: readonly ParamModel[];
  readonly layers: readonly LayerModel[];
}

export interface ProgramModel {
  readonly app: RouterModel;
  readonly requests: readonly StructuredRequest[];
  readonly pipelined: boolean;
}
