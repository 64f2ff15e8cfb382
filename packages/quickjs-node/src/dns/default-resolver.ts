/**
 * The resolver that `dns.resolve*` asks when no other is named; `dns` and `dns/promises` share it.
 */
import { QUERIES, resolverOptions } from './resolver.ts';
import type { ResolverOptions } from './resolver.ts';

export const defaultResolver: { readonly options: ResolverOptions } = { options: resolverOptions(undefined) };

/** The methods of a resolver's prototype, for the default one. */
export function bindDefault(prototype: object, resolver: object): Record<string, unknown> {
  const bound: Record<string, unknown> = {};
  for (const name of ['getServers', 'resolve', ...Object.keys(QUERIES), 'reverse']) {
    bound[name] = (Reflect.get(prototype, name) as () => unknown).bind(resolver);
    Object.defineProperty(bound[name], 'name', { value: name });
  }
  return bound;
}
