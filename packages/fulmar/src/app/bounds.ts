/**
 * The host and the versions that a route is for, as it is registered: its own options, or those of the app it is
 * registered in.
 */
import { type HostPattern, toHostPattern } from './host.ts';
import { shown } from './checked-options.ts';
import type { RouteName } from './route-options.ts';
import type { RouteOptions } from './route-types.ts';
import { RouteError } from './router/route-error.ts';
import type { Scope } from './scope.ts';
import { isVersion, type Versioning, whatVersioningIs } from './versioning.ts';

export interface Bounds {
  readonly host?: HostPattern;
  readonly versions?: readonly string[];
}

interface RouteBounds {
  readonly host: HostPattern | null;
  readonly versions: readonly string[] | null;
}

/** @throws RouteError for a host or version that is none */
export function boundsOf({ settings }: Scope, options: RouteOptions | null, { path, place }: RouteName): RouteBounds {
  const { host, version } = options ?? {};
  try {
    return {
      host: host === undefined ? null : toHostPattern(host),
      versions: version === undefined ? null : toVersions(version, settings.versioning),
    };
  } catch (error) {
    throw new RouteError(`${path}${place === undefined ? '' : ` (${place.toString()})`}: ${(error as Error).message}`, path, place);
  }
}

/** @throws TypeError for what is no version, or where requests cannot tell one */
export function toVersions(given: string | readonly string[], versioning: Versioning | null): readonly string[] {
  if (versioning === null) throw new TypeError(`Versions need createApp({ versioning }), ${whatVersioningIs}.`);
  const versions = [...new Set([given].flat())];
  const wrong = versions.find((one) => !isVersion(one));
  if (wrong !== undefined || versions.length === 0)
    throw new TypeError(`A version is a word such as '1' or '2024-06', and this is ${shown(wrong)}.`);
  return versions;
}
