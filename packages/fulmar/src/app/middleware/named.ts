/**
 * The name that lists of routes show of a middleware, and what it says of security for documents. Changes nothing
 * of what it does.
 */
import type { Middleware } from '../chain.ts';

/** Security schemes of OpenAPI, by name: all of them are needed. */
export type Told = Readonly<Record<string, { readonly type: string; readonly [member: string]: unknown }>>;

export function named<M extends Middleware>(name: string, middleware: M, security?: Told): M {
  Object.defineProperty(middleware, 'name', { value: name, configurable: true });
  if (security !== undefined) Object.defineProperty(middleware, 'security', { value: security, configurable: true });
  return middleware;
}
