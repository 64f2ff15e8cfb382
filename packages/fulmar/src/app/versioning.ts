/**
 * Versions of routes, told by a request as `createApp({ versioning })` says: in its path, a field, a parameter of
 * `Accept`, or by a function.
 */
import type { AnyContext } from './context.ts';
import { isFieldText, isToken } from './checked-options.ts';

export type Versioning =
  | { readonly type: 'uri'; /** Before the version, in the path's first segment. Default: v. */ readonly prefix?: string }
  | { readonly type: 'header'; readonly header: string }
  | { readonly type: 'media-type'; /** The parameter, as `v` in `application/json;v=2`. Default: v. */ readonly key?: string }
  | {
      readonly type: 'custom';
      /** One, or several with the best first. */ readonly version: (c: AnyContext) => string | readonly string[] | undefined;
    };

export const whatVersioningIs =
  "{ type: 'uri', prefix? }, { type: 'header', header }, { type: 'media-type', key? } or { type: 'custom', version(c) }";

const MEMBERS: Readonly<Record<string, (given: Record<string, unknown>) => boolean>> = {
  uri: ({ prefix, ...rest }) => isOnly(rest) && (prefix === undefined || (typeof prefix === 'string' && /^[\w.-]*$/.test(prefix))),
  header: ({ header, ...rest }) => isOnly(rest) && isToken(header),
  'media-type': ({ key, ...rest }) => isOnly(rest) && (key === undefined || isToken(key)),
  custom: ({ version, ...rest }) => isOnly(rest) && typeof version === 'function',
};

const isOnly = (rest: Record<string, unknown>): boolean => Object.keys(rest).every((key) => key === 'type');

export function isVersioning(given: unknown): given is Versioning {
  if (typeof given !== 'object' || given === null) return false;
  const { type } = given as { type?: unknown };
  return typeof type === 'string' && Object.hasOwn(MEMBERS, type) && MEMBERS[type]?.(given as Record<string, unknown>) === true;
}

/** A version as a route names it. */
export const isVersion = (given: unknown): boolean => isFieldText(given) && /^[\w.~-]+$/.test(given as string);

/** The versions that a request asks for, the best first; none of a path, which the routes have in theirs. */
export function versionsOf(c: AnyContext, versioning: Versioning): readonly string[] {
  switch (versioning.type) {
    case 'uri':
      return [];
    case 'header':
      return list(c.header(versioning.header)?.trim());
    case 'media-type':
      return list(parameterOf(c.header('accept') ?? '', versioning.key ?? 'v'));
    case 'custom':
      return list(versioning.version(c));
  }
}

const list = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined || given === '' ? [] : typeof given === 'string' ? [given] : given;

function parameterOf(accept: string, key: string): string | undefined {
  for (const part of accept.split(/[;,]/)) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim().toLowerCase() === key.toLowerCase())
      return part
        .slice(at + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

/** The field that a cache has to look at. */
export function varyOf(versioning: Versioning): string | null {
  return versioning.type === 'header' ? versioning.header : versioning.type === 'media-type' ? 'Accept' : null;
}
