/**
 * Who answers a request without a route: the handler of the app that the path lies in, the innermost that has one.
 */
import type { Handler } from './chain.ts';
import type { RawContext } from './context.ts';
import { matchHost } from './host.ts';
import { isUnder, joinPaths } from './prefix.ts';
import type { Scope } from './scope.ts';

export function notFoundOf(scope: Scope, c: RawContext, base = '/'): Handler | null {
  let found: Handler | null = null;
  let foundAt = '';
  for (const child of scope.children) {
    const host = child.origin?.host;
    if (host !== undefined && matchHost(host, c.hostname) === null) continue;
    for (const parent of child.parents) {
      const prefix = joinPaths(base, parent.prefix);
      // Of two, the longer prefix is the one within.
      if (parent.scope !== scope || prefix.length <= foundAt.length || !isUnder(c.pathname, prefix)) continue;
      const handler = notFoundOf(child, c, prefix);
      if (handler === null) continue;
      found = handler;
      foundAt = prefix;
    }
  }
  // What shares an app's place has its handler too, unless that has one itself.
  return foundAt.length > base.length || scope.notFound === null ? (found ?? scope.notFound) : scope.notFound;
}
