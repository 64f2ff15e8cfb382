/**
 * Where an Express application is mounted, as one path that a request can be made of.
 *
 * `app.path()` joins what `use` was given, so that `/` doubles the slash behind it and several paths become a
 * list; and it does not know of an application in a router.
 */

interface Mounted {
  readonly parent?: unknown;
  readonly mountpath?: unknown;
}

/** What stands for a path that is not known. */
export const UNKNOWN = '/…';
/** Applications may be mounted in each other, even in a circle. */
const DEPTH_MAX = 16;

/** Of applications that were found in a router. */
const inRouters = new WeakMap<object, string>();

/** Is it an application, by what it shows? */
export function isApplication(handler: unknown): handler is object {
  return typeof handler === 'function' && 'mountpath' in handler && 'settings' in handler;
}

export function noteInRouter(app: object, path: string): void {
  inRouters.set(app, path);
}

/**
 * What comes before the paths of its routes: without a slash at its end, empty for one that is mounted
 * nowhere or at `/`.
 */
export function mountPathOf(app: object, depth = 0): string {
  try {
    const { parent, mountpath } = app as Mounted;
    if (parent === undefined || parent === null) return inRouters.get(app) ?? '';
    const [first] = [mountpath].flat(Infinity);
    const own = typeof first === 'string' ? first.replace(/\/+$/, '') : UNKNOWN;
    return depth > DEPTH_MAX ? own : mountPathOf(parent, depth + 1) + own;
  } catch {
    return UNKNOWN;
  }
}
