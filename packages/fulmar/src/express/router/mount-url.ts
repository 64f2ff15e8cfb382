/**
 * The request target while a request is inside a mounted layer: the matched prefix is taken off `req.url`,
 * added to `req.baseUrl`, and put back when the layer calls `next`.
 */
import type { ExpressRequest } from '../message-types.ts';

/** What was taken off a target. */
export interface Mount {
  readonly removed: string;
  readonly slashAdded: boolean;
  readonly urlBefore: string;
  readonly urlTrimmed: string;
}

/** A request in a router, as far as its target is concerned. */
export interface MountState {
  readonly req: ExpressRequest;
  readonly path: string;
  readonly matchPath: string;
  readonly protohost: string;
  readonly parentUrl: string;
  mount: Mount | null;
}

/** Takes the matched prefix off the target; false when the path does not begin with it. */
export function trimPrefix(state: MountState): boolean {
  const { req, path, matchPath: prefix, protohost } = state;
  if (!path.startsWith(prefix)) return false;
  const url = req.url as string;
  const rest = protohost + url.slice(protohost.length + prefix.length);
  const slashAdded = protohost.length === 0 && rest.charCodeAt(0) !== 0x2f;
  const trimmed = slashAdded ? `/${rest}` : rest;
  state.mount = { removed: prefix, slashAdded, urlBefore: url, urlTrimmed: trimmed };
  req.url = trimmed;
  req.baseUrl = state.parentUrl + (prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
  return true;
}

/** Puts the prefix back. `dropSlash` takes the slash that was added off a target that the layer changed. */
export function restoreUrl(state: MountState, mount: Mount, dropSlash: (url: string, removed: string) => string): void {
  const { req, protohost } = state;
  const { removed, slashAdded } = mount;
  if (!slashAdded && req.url === mount.urlTrimmed) {
    req.url = mount.urlBefore;
  } else {
    const url = slashAdded ? dropSlash(req.url as string, removed) : (req.url as string);
    req.url = protohost + removed + url.slice(protohost.length);
  }
  state.mount = null;
  req.baseUrl = state.parentUrl;
}

/** The added slash goes, unless the layer rewrote the path under a mount path that has no trailing slash. */
export function dropAddedSlash(url: string, removed: string): string {
  const isRoot = url === '/' || url.startsWith('/?');
  return isRoot || (removed.endsWith('/') && url[0] === '/') ? url.slice(1) : url;
}

/** Protocol and host of an absolute request target, or nothing. */
export function protohostOf(url: string | undefined): string {
  if (typeof url !== 'string' || url.length === 0 || url.charCodeAt(0) === 0x2f) return '';
  const query = url.indexOf('?');
  const at = url.slice(0, query === -1 ? url.length : query).indexOf('://');
  return at === -1 ? '' : url.slice(0, Math.max(0, url.indexOf('/', 3 + at)));
}
