/**
 * `req._parsedUrl`: what upstream's router leaves on a request, the parts of the target as it was when the
 * router looked at it last. Ours finds paths without such an object, so it is made when somebody reads it.
 * Never read by routing.
 */
import type { IncomingMessage } from 'node:http';
import parseUrl from 'parseurl';

/** The way through a router that a request is on. */
export interface Routing {
  /** The target it looked at last. */
  readonly url: string | undefined;
  /** Where in the stack it is. */
  readonly idx: number;
}

/** The parts of a target, and where the request was when they were set. */
interface Kept extends Routing {
  readonly routing: Routing | undefined;
  readonly parsed: object | undefined;
}

interface Message {
  readonly _routing: Routing | undefined;
  _parsed: Kept | undefined;
}

function keep(req: Message, parsed: object | undefined): void {
  const { _routing: routing } = req;
  req._parsed = { routing, parsed, url: routing?.url, idx: routing === undefined ? 0 : routing.idx };
}

/** Nothing was routed since then. */
const isLast = (kept: Kept, routing: Routing | undefined): boolean =>
  kept.routing === routing && (routing === undefined || (kept.url === routing.url && kept.idx === routing.idx));

/** The parts of `url`; `before` if it has them already, as upstream's library decides it. */
const parse = (url: string, before: object | undefined): object | undefined =>
  parseUrl({ url, _parsedUrl: before } as unknown as IncomingMessage);

/** What `req._parsedUrl` is. */
export function readParsedUrl(request: object): object | undefined {
  const req = request as Message;
  const { _routing: routing, _parsed: kept } = req;
  if (kept !== undefined && isLast(kept, routing)) return kept.parsed;
  const url = routing?.url;
  if (url === undefined) return kept?.parsed;
  keep(req, parse(url, kept?.parsed));
  return req._parsed?.parsed;
}

/** Who parses a target by `parseurl` sets what it found. */
export function writeParsedUrl(request: object, value: object | undefined): void {
  keep(request as Message, value);
}
