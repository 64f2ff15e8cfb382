/**
 * What adapters are given, and what they make of it.
 */
import type { App } from '../app/index.ts';
import type { FetchFunction, Mountable } from '../app/mount.ts';
import type { Exchange } from '../exchange/types.ts';

/** An app of ours, an Express or Koa application, a function `(req, res)`, a `fetch` function or an object with one. */
export type Application = App | Mountable;

export interface AdapterOptions {
  /** What a function is, where its parameters do not tell: one of two and more is taken for `(req, res)`. */
  readonly style?: 'fetch' | 'messages';
}

/** Answers an exchange; `fail` is told what no reply can be made of. */
export type Answer = (exchange: Exchange, fail: (error: unknown) => void) => void;

export interface Answering {
  readonly answer: Answer;
  /** The application itself where it is a fetch function. */
  readonly fetch: FetchFunction | null;
  /** Runs the hooks of an app's start, once; those that failed again. `null`: nothing is to be waited for. */
  ready(): Promise<void> | null;
}
