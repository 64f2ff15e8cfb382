/**
 * The line that says where the first server listens and what stands for which package.
 *
 * Told when a server is entered among those that listen: before the application's own listeners hear of it.
 */
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { findInstalled } from '../aliases.ts';
import { beforeFirstServer } from '../first-server.ts';
import { paintFor } from '../paint.ts';
import { aliasedPackages, distFolder } from '../settings.ts';
import { writeLine } from '../tell.ts';
import { readVersion } from '../version.ts';

export interface Announcement {
  readonly binFile: string;
  /** The file that is run: packages are looked for from its folder. */
  readonly entry: string;
  /** `undefined`: one process, without a primary. */
  readonly workers: number | undefined;
}

interface Listening {
  address(): AddressInfo | string | null;
}

/** Once for this process. */
export function announceFirst(announcement: Announcement): void {
  beforeFirstServer((server) => writeLine(startLine(server as Listening, announcement)));
}

function startLine(server: Listening, { binFile, entry, workers }: Announcement): string {
  const { bold, dim } = paintFor(process.stderr);
  const parts = [
    bold(`fulmar ${readVersion(binFile)}`),
    `http on ${describeAddress(server.address())}`,
    ...(workers === undefined ? [] : [`${workers} ${workers === 1 ? 'worker' : 'workers'}`]),
    ...loadedPackages(binFile, entry),
  ];
  return parts.join(dim(' · '));
}

export function describeAddress(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return address ?? 'no address';
  return `${address.address.includes(':') ? `[${address.address}]` : address.address}:${address.port}`;
}

/** What of ours has been loaded in place of a package. By what is loaded, not by what was asked for: that may be in another thread. */
function loadedPackages(binFile: string, entry: string): string[] {
  const { cache } = createRequire(binFile);
  const dist = distFolder(binFile);
  return Object.entries(aliasedPackages).flatMap(([name, entries]) => {
    const installed = findInstalled(name, dirname(entry), new Map());
    return Object.entries(entries)
      .filter(([, target]) => cache[join(dist, `${target}.cjs`)] !== undefined)
      .map(([major, target]) => `${name} ${versionOf(installed?.version, major)}→ fulmar/${target}`);
  });
}

/** A dependency may have another version than the application, whose major is then all that is known. */
function versionOf(version: string | undefined, major: string): string {
  if (version === undefined) return '';
  return version.startsWith(`${major}.`) ? `${version} ` : `${major} `;
}
