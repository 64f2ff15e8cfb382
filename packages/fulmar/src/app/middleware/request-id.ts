/**
 * `requestId()`: a name for each request, in `c.state.requestId` and in the reply, for logs of several
 * services to agree on.
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { named } from './named.ts';
import { keepByContext } from './of-context.ts';
import type { OfContext } from './session/session-types.ts';
import { checkOptions, type Checks, isBoolean, isFunction, isToken } from '../checked-options.ts';

export interface RequestIdOptions {
  /** The field of request and reply. Default: `X-Request-Id`. */
  readonly header?: string;
  /** Default: a random UUID. */
  readonly generate?: (c: AnyContext) => string;
  /**
   * Takes over the id that the request brings, where it is one: for servers behind a proxy that makes them.
   * Default: false.
   */
  readonly trust?: boolean;
}

export interface RequestIdMiddleware extends Middleware {
  /** The request's id. */
  of(c: OfContext): string;
}

const CHECKS: Checks<RequestIdOptions> = {
  header: [isToken, 'the name of a field'],
  generate: isFunction('(c) that returns a string'),
  trust: isBoolean,
};

/**
 * What can stand in a log, a URL and a field without being escaped; longer than any id in use is an attempt
 * at something else.
 */
const VALID = /^[\w\-.:+/=@]{1,128}$/;

export function requestId(options: RequestIdOptions = {}): RequestIdMiddleware {
  checkOptions('requestId', options, CHECKS);
  const { header = 'X-Request-Id', generate = () => globalThis.crypto.randomUUID(), trust = false } = options;
  const ids = keepByContext<string>('requestId');
  const around: Middleware = (c, next) => {
    const given = trust ? c.header(header) : undefined;
    const id = given !== undefined && VALID.test(given) ? given : generate(c);
    c.state['requestId'] = id;
    ids.set(c, id);
    c.header(header, id);
    return next();
  };
  return Object.assign(named('requestId', around), { of: ids.of });
}
