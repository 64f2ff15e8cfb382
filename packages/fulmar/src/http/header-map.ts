/**
 * The fields of a reply as Node's own functions expect to find them: an object with an entry `[name, value]`
 * for each lower-case name. A live view of the list in `headers-out.ts`; made when such a function is called
 * on a response of ours.
 */
import { parts } from './borrowed-parts.ts';
import type { HeaderName } from './header-name.ts';
import type { ResponseState } from './response-state.ts';

type Entry = [name: string, value: unknown];

/** Node's functions put other values into an entry; they must arrive in the list. */
function entryOf(res: ResponseState, name: HeaderName): Entry {
  return Object.defineProperty([name.name, undefined] as Entry, 1, {
    get: () => parts.peekHeader(res, name.lower),
    set(value: unknown) {
      parts.putHeader(res, name, value);
    },
    enumerable: true,
    configurable: true,
  });
}

function find(res: ResponseState, key: PropertyKey): Entry | undefined {
  const list = parts.visibleHeaders(res);
  for (let i = 0; i < list.length; i += 2) if ((list[i] as HeaderName).lower === key) return entryOf(res, list[i] as HeaderName);
  return undefined;
}

function put(res: ResponseState, value: unknown): void {
  const [name, content] = value as Entry;
  parts.putHeader(res, parts.headerName(name), content);
}

function namesOf(res: ResponseState): string[] {
  const list = parts.visibleHeaders(res);
  const names: string[] = [];
  for (let i = 0; i < list.length; i += 2) names.push((list[i] as HeaderName).lower);
  return names;
}

/** The fields of `res`, to be read and changed. */
export function headerMap(res: ResponseState): object {
  return new Proxy(Object.create(null) as object, {
    get: (_target, key) => find(res, key),
    has: (_target, key) => find(res, key) !== undefined,
    set(_target, _key, value) {
      put(res, value);
      return true;
    },
    defineProperty(_target, _key, { value }) {
      put(res, value);
      return true;
    },
    deleteProperty(_target, key) {
      parts.dropHeader(res, key as string);
      return true;
    },
    ownKeys: () => namesOf(res),
    getOwnPropertyDescriptor(_target, key) {
      const value = find(res, key);
      return value && { value, writable: true, enumerable: true, configurable: true };
    },
  });
}

/**
 * Replaces all fields by those of `entries`, an object of this kind or null. Node's functions give an empty
 * object for the first field and put that into it afterwards: with the live view beneath it, it arrives in
 * the list.
 */
export function replaceHeaders(res: ResponseState, entries: object | null | undefined, view: object): void {
  const given = Object.values(entries ?? {});
  res._out = null;
  for (const entry of given) put(res, entry);
  if (entries !== null && entries !== undefined && given.length === 0) Object.setPrototypeOf(entries, view);
}
