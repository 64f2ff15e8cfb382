/**
 * `accessLog()`: a line for each reply when it has left, and for each that its client did not wait for:
 * method, path, status, time and bytes.
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { observe } from '../observing.ts';
import { named } from './named.ts';
import { checkOptions, type Checks, isFunction } from '../checked-options.ts';
import { type Sent, watchReply } from './watch-reply.ts';

export type AccessLogFormat = 'short' | 'common' | 'json';

export interface AccessLogOptions {
  /** Takes a line, without its end. Default: `console.log`. */
  readonly write?: (line: string) => void;
  /**
   * `short`: `GET /birds 200 1.3 ms 12 B`. `common`: what web servers write, with the query. `json`: an
   * object. Default: `short`.
   */
  readonly format?: AccessLogFormat;
}

/** What is known of an exchange that is over. */
interface Entry extends Sent {
  readonly ms: number;
}

const FORMATS: Readonly<Record<AccessLogFormat, (c: AnyContext, entry: Entry) => string>> = {
  short: toShort,
  common: toCommon,
  json: toJsonLine,
};

const CHECKS: Checks<AccessLogOptions> = {
  write: isFunction('(line)'),
  format: [(value) => typeof value === 'string' && Object.hasOwn(FORMATS, value), "'short', 'common' or 'json'"],
};

/** To microseconds: what is beyond is the clock's. */
const MS_DIGITS = 3;

export function accessLog(options: AccessLogOptions = {}): Middleware {
  checkOptions('accessLog', options, CHECKS);
  const { write = (line: string) => console.log(line), format = 'short' } = options;
  const toLine = FORMATS[format];
  return named('accessLog', (c, next) => {
    const began = performance.now();
    const sent = watchReply(c.exchange);
    // The connection keeps it: when the reply has left, the client may have, too.
    if (format !== 'short') void c.exchange.connection.remote;
    let isLogged = false;
    const log = (): void => {
      if (isLogged) return;
      isLogged = true;
      write(toLine(c, { ...sent, ms: Number((performance.now() - began).toFixed(MS_DIGITS)) }));
    };
    const { sents, aborts } = observe(c.exchange);
    sents.add(log);
    aborts.add(log);
    c.exchange.notifySent();
    return next();
  });
}

/** Without the query, which may hold what is nobody's business. */
function toShort(c: AnyContext, { status, ms, bytes }: Entry): string {
  return `${c.method} ${escaped(c.pathname)} ${status ?? '-'} ${ms.toFixed(1)} ms ${bytes} B`;
}

/** Common Log Format, the time in UTC. */
function toCommon(c: AnyContext, { status, bytes }: Entry): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date().toUTCString()) ?? [];
  const minor = c.exchange.httpVersionMinor;
  const request = `${c.method} ${escaped(c.url)} HTTP/1.${minor}`;
  return `${c.ip === '' ? '-' : c.ip} - - [${day}/${month}/${year}:${time} +0000] "${request}" ${status ?? '-'} ${bytes}`;
}

function toJsonLine(c: AnyContext, { status, ms, bytes }: Entry): string {
  const { requestId } = c.state as { requestId?: unknown };
  const id = requestId === undefined ? {} : { requestId };
  return JSON.stringify({ time: new Date().toISOString(), method: c.method, path: c.pathname, status, ms, bytes, ip: c.ip, ...id });
}

/** A target cannot end the line or its quotes. */
function escaped(target: string): string {
  return target.replaceAll(/[^\x21-\x7e]|["\\]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
