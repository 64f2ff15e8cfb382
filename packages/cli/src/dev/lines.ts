/** What `fulmar dev` prints when it starts: where it listens, and the first routes. */
import type { AddressInfo } from 'node:net';
import type { RouteRow } from '../../../fulmar/src/dev/index.ts';
import { writeLine } from '../../../fulmar/src/launch/terminal/tell.ts';
import { ROUTES_SHOWN } from './limits.ts';

export function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return String(address);
  const { address: host, port } = address;
  const name = host === '::' || host === '0.0.0.0' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

export function writeRoutes(rows: readonly RouteRow[]): void {
  const shown = rows.slice(0, ROUTES_SHOWN);
  const width = Math.max(0, ...shown.map(({ method }) => method.length));
  for (const { method, path } of shown) writeLine(`  ${method.padEnd(width)} ${path}`);
  if (rows.length > shown.length) writeLine(`  and ${rows.length - shown.length} more, on /_fulmar`);
}
