/**
 * Packages that are known to behave differently under Fulmar, or to keep it from helping. Data, and how
 * versions are compared.
 *
 * An entry is made from what was seen when the package was run, not from hearsay; uWebSockets.js, which npm
 * does not have, is here because its documentation says that it is a server.
 */
import type { Severity } from './findings.ts';

export interface KnownIncompatibility {
  readonly packages: readonly string[];
  /** `*`, or a comparison of the major version: `<5`, `>=2`, `4`. */
  readonly versions: string;
  readonly severity: Severity;
  readonly happens: string;
  readonly advice: string;
}

export const knownIncompatibilities: readonly KnownIncompatibility[] = [
  {
    packages: ['uWebSockets.js', 'hyper-express', 'ultimate-express'],
    versions: '*',
    severity: 'note',
    happens: 'it brings an HTTP server of its own',
    advice: 'What it serves does not run on Fulmar',
  },
  {
    packages: ['spdy', 'http2-express-bridge', 'http2-express'],
    versions: '*',
    severity: 'note',
    happens: 'it is there to serve TLS or HTTP/2, which stay with Node',
    advice: 'Behind a proxy that speaks HTTP/2 to clients, listen with http',
  },
];

/** Does a version fit? An unknown one fits `*` alone. */
export function matchesVersion(version: string | null, wanted: string): boolean {
  if (wanted === '*') return true;
  const [, operator = '', number = ''] = /^(<|>=|)(\d+)$/.exec(wanted) ?? [];
  const major = Number.parseInt(version ?? '', 10);
  if (Number.isNaN(major) || number === '') return false;
  if (operator === '<') return major < Number(number);
  return operator === '>=' ? major >= Number(number) : major === Number(number);
}
