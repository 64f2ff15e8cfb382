/**
 * The content of a request where it is what it nearly always is: JSON of an object or a list, all of it there with the
 * head. Everything else is Express's parsers' (`SLOW`), whose values and errors are those of Nest.
 */
import type { AnyContext } from '../../app/index.ts';
import type { Exchange } from '../../exchange/types.ts';

/** Content that is not read here. */
export const SLOW: unique symbol = Symbol('slow');

/** As Express's parsers: `100kb`. */
const BYTES_MAX = 102_400;
/** Decoded, bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd';
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** `undefined` where there is none. */
export function lightBody({ exchange }: AnyContext): unknown {
  const state = exchange.contentState;
  if (state === 'none') {
    // Content of no length is content to the parsers; nobody says so of a GET's.
    if (exchange.method === 'GET' || exchange.method === 'HEAD') return undefined;
    return exchange.header('content-length') === undefined ? undefined : SLOW;
  }
  return state === 'inline' && isPlainJson(exchange) ? parsed(exchange.inlineText()) : SLOW;
}

function isPlainJson(exchange: Exchange): boolean {
  const type = exchange.header('content-type');
  if (type !== 'application/json' && type !== 'application/json; charset=utf-8') return false;
  return exchange.inlineBytes <= BYTES_MAX && exchange.inlineBytes > 0 && exchange.header('content-encoding') === undefined;
}

function parsed(text: string): unknown {
  const first = text.charCodeAt(0);
  if ((first !== OPEN_BRACE && first !== OPEN_BRACKET) || text.includes(REPLACEMENT)) return SLOW;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return SLOW;
  }
}
