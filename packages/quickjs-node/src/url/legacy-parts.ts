/**
 * What parsing, formatting and resolving of legacy URLs share.
 */
import { coded } from '../shared/errors.ts';

/** Schemes without a host. */
export const HOSTLESS: ReadonlySet<string> = new Set(['javascript', 'javascript:']);

/** Schemes whose URLs have `//`. */
export const SLASHED: ReadonlySet<string> = new Set(
  ['http', 'https', 'ftp', 'gopher', 'file', 'ws', 'wss'].flatMap((name) => [name, `${name}:`]),
);

export function isBracketed(hostname: string): boolean {
  return hostname.startsWith('[') && hostname.endsWith(']');
}

/** Escaped as a component, but for `:`. */
export function escapedAuth(auth: string): string {
  try {
    return encodeURIComponent(auth).replaceAll('%3A', ':');
  } catch {
    throw coded(URIError, 'ERR_INVALID_URI', 'URI malformed');
  }
}
