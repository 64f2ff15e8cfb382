/** The answer to an OPTIONS request that no handler took: the methods of the routes its path matched. */
import type { ExpressResponse, Next } from '../message-types.ts';

/** Sends the list of methods; `failed` gets what goes wrong. */
export function respondToOptions(res: ExpressResponse, methods: readonly string[], failed: Next): void {
  try {
    const allow = [...new Set(methods)].sort().join(', ');
    res.setHeader('Allow', allow);
    res.setHeader('Content-Length', Buffer.byteLength(allow));
    res.setHeader('Content-Type', 'text/plain');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.end(allow);
  } catch (err) {
    failed(err);
  }
}
