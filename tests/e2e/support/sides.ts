/**
 * The two sides of a comparison: npm's `express` on `node:http`, and `fulmar/express` on `fulmar/http`.
 *
 * `PARITY_SELF=1` makes both sides stock (it proves the cases themselves), `PARITY_HTTP=node` runs our
 * express on `node:http`, `PARITY_EXPRESS=stock` runs npm's express on `fulmar/http`: which of the two layers
 * a difference is in.
 */
import { createRequire } from 'node:module';
import nodeHttp from 'node:http';
import type { Server } from 'node:http';
import type { Express } from './express-types.ts';

export interface Side {
  readonly name: 'stock' | 'ours';
  readonly express: Express;
  readonly http: typeof nodeHttp;
}

const require = createRequire(import.meta.url);
const isSelf = process.env['PARITY_SELF'] === '1';

export const stock: Side = { name: 'stock', express: require('express') as Express, http: nodeHttp };

export const ours: Side = {
  name: 'ours',
  express: isSelf || process.env['PARITY_EXPRESS'] === 'stock' ? stock.express : (require('fulmar/express') as Express),
  http: isSelf || process.env['PARITY_HTTP'] === 'node' ? nodeHttp : (require('fulmar/http') as typeof nodeHttp),
};

/** A server of the side, listening on a free port of the loopback. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

const CLOSE_MS_MAX = 5000;

/**
 * Closes a server; one that keeps a connection (an upgraded one, for instance) is an error of the test, not a
 * hang.
 */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`the server did not close in ${CLOSE_MS_MAX} ms`)), CLOSE_MS_MAX);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeAllConnections();
  });
}
