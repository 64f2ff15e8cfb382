/**
 * Packages that are known to behave differently under Fulmar, or to keep it from helping. Data, and how versions are compared.
 *
 * An entry is made from what was seen when the package was run, not from hearsay.
 */
import type { Severity } from './findings.ts';

export interface KnownIncompatibility {
  readonly packages: readonly string[];
  /** `*`, or a comparison of the major version: `<5`, `>=2`, `4`. */
  readonly versions: string;
  readonly severity: Severity;
  readonly happens: string;
  readonly advice: string;
  /** Only where imports lead to an entry whose name begins so: `fulmar/express`. */
  readonly whenAliased?: string;
}

export const knownIncompatibilities: readonly KnownIncompatibility[] = [
  {
    packages: ['express-async-errors'],
    versions: '*',
    severity: 'problem',
    whenAliased: 'fulmar/express',
    happens: 'it patches npm’s router files, which do not route here, so a rejection of an async handler ends the process',
    advice:
      'With Express 5 remove it: rejections are passed on. With Express 4 wrap the handlers (express-async-handler), or use --no-alias',
  },
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
    happens: 'it serves HTTP/2, which stays with Node',
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
