// The request target while a request is inside a mounted layer: the matched prefix is taken off `req.url`, added to
// `req.baseUrl`, and put back when the layer calls `next`.
import type { ExpressRequest } from '../messages.ts';

/** What is remembered about a target between taking its prefix off and putting it back. */
export interface MountState {
  readonly req: ExpressRequest;
  readonly path: string;
  readonly matchPath: string;
  readonly protohost: string;
  readonly parentUrl: string;
  removed: string;
  slashAdded: boolean;
  urlBefore: string;
  urlTrimmed: string | undefined;
}

/** Takes the matched prefix off the target; false when the path does not begin with it. */
export function trimPrefix(state: MountState): boolean {
  const { req, path, matchPath: prefix, protohost } = state;
  if (!path.startsWith(prefix)) return false;
  const url = req.url as string;
  let trimmed = protohost + url.slice(protohost.length + prefix.length);
  if (protohost.length === 0 && trimmed.charCodeAt(0) !== 0x2f) {
    trimmed = `/${trimmed}`;
    state.slashAdded = true;
  }
  state.removed = prefix;
  state.urlBefore = url;
  state.urlTrimmed = req.url = trimmed;
  req.baseUrl = state.parentUrl + (prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
  return true;
}

/** Puts the prefix back. `dropSlash` takes the slash that was added off a target that the layer changed. */
export function restoreUrl(state: MountState, dropSlash: (url: string, removed: string) => string): void {
  const { req, removed, protohost } = state;
  if (!state.slashAdded && req.url === state.urlTrimmed) {
    req.url = state.urlBefore;
  } else {
    const url = state.slashAdded ? dropSlash(req.url as string, removed) : (req.url as string);
    req.url = protohost + removed + url.slice(protohost.length);
  }
  state.slashAdded = false;
  req.baseUrl = state.parentUrl;
  state.removed = '';
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
