/**
 * What a resolver of `node:dns` and one of `node:dns/promises` have in common: their servers.
 */
import { defaultResolver } from './default-resolver.ts';
import { cancel, getServers, resolverOptions, setLocalAddress, setServers } from './resolver.ts';
import type { ResolverOptions } from './resolver.ts';

/** What a resolver asks and how; hidden from applications. */
const own = new WeakMap<object, ResolverOptions>();
export const optionsOf = (resolver: object): ResolverOptions => own.get(resolver) ?? defaultResolver.options;

export class ResolverBase {
  constructor(options?: unknown) {
    own.set(this, resolverOptions(options));
  }

  cancel(): void {
    cancel(optionsOf(this));
  }

  getServers(): string[] {
    return getServers(optionsOf(this));
  }

  setServers(servers: unknown): void {
    setServers(optionsOf(this), servers);
  }

  setLocalAddress(v4: unknown, v6?: unknown): void {
    setLocalAddress(optionsOf(this), v4, v6);
  }
}
