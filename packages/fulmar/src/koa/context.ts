/**
 * The prototype of all contexts: errors, cookies, JSON form; everything else is the request's or the
 * response's. An application extends its own copy, `app.context`, which inherits from this.
 */
import { inspect } from 'node:util';

import { responseDelegates, requestDelegates } from './delegates.ts';
import { Cookies, httpAssert } from './lazy.ts';
import { assemble } from './members.ts';
import { createErrorHandler, type ErrorRules } from './on-error.ts';
import type { Edition, KoaContext } from './types.ts';

const COOKIES = Symbol('context#cookies');

type Own = KoaContext & { [COOKIES]?: object };

const cookieMembers = {
  get cookies(): object {
    const ctx = this as unknown as Own;
    // The library is loaded, and signatures are set up, by the first request that looks at its cookies.
    return (ctx[COOKIES] ||= new (Cookies())(ctx.req, ctx.res, { keys: ctx.app.keys, secure: ctx.request.secure }));
  },
  set cookies(value: object) {
    (this as unknown as Own)[COOKIES] = value;
  },
};

/** `ctx.assert` with its relatives `ctx.assert.equal`, …: the library's own function once it is used. */
function lazyAssert(): object {
  return {
    get assert(): unknown {
      return httpAssert();
    },
    set assert(value: unknown) {
      Object.defineProperty(this, 'assert', { value, writable: true, enumerable: true, configurable: true });
    },
  };
}

function toJSON(this: KoaContext): object {
  return {
    request: this.request.toJSON(),
    response: this.response.toJSON(),
    app: this.app.toJSON(),
    originalUrl: this.originalUrl,
    req: '<original node req>',
    res: '<original node res>',
    socket: '<original node socket>',
  };
}

/** Makes the prototype for one version of Koa. */
export function createContextPrototype({ createError, statuses }: Edition, rules: ErrorRules, more: object): object {
  function inspectContext(this: KoaContext): unknown {
    return (this as object) === prototype ? this : this.toJSON();
  }
  const prototype = assemble(
    {
      inspect: inspectContext,
      toJSON,
      throw(...args: never[]): never {
        throw createError(...args);
      },
      onerror: createErrorHandler(statuses, rules),
      [inspect.custom]: inspectContext,
    },
    lazyAssert(),
    cookieMembers,
    responseDelegates,
    more,
    requestDelegates,
  );
  return prototype;
}
