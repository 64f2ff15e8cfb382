/** What an act gets to work on. Types, and the ways in which acts note and undo. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CaseContext, Side } from '../harness/case.ts';

/** Anything that acts read and write by name. */
export type Bag = Record<PropertyKey, unknown>;

/** One request in one middleware, on one side. */
export interface Env {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The application whose middleware it is. */
  readonly app: object;
  /** Koa's context; Express has none. */
  readonly ctx: object | undefined;
  /** The module of the framework. */
  readonly framework: object;
  readonly side: Side;
  readonly tools: CaseContext;
  readonly id: string;
  /** Called when the program is over, for what an act has done to the process. */
  undo(fn: () => void): void;
}

export type Do = (env: Env, name: string, value: unknown) => void;

export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const isHidden = (value: unknown): value is AnyFunction => typeof value === 'function';

/**
 * Puts a function in front of `owner[name]` that notes its first call, does `first`, and goes on to what was
 * there.
 */
export function wrap(owner: object, name: string, env: Env, first?: () => void): void {
  const bag = owner as Bag;
  const original = bag[name];
  if (!isHidden(original)) return;
  let calls = 0;
  bag[name] = function wrapped(this: unknown, ...args: unknown[]): unknown {
    if (calls++ === 0) {
      env.tools.record(env.id, 'called', name, ...args.map((arg) => typeof arg));
      first?.();
    }
    return Reflect.apply(original, this, args);
  };
}

/** The same, undone when the program is over. */
export function wrapForNow(owner: object, name: string, env: Env): void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  wrap(owner, name, env);
  env.undo(() => {
    if (before === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, before);
  });
}
