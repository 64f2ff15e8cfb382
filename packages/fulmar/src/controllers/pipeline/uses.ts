/**
 * Functions of `@Use()` around guards, interceptors and the handler of a route. One that does not call `next()` answers by
 * what it returns. Routes without any never get here.
 */
import type { AnyContext } from '../../app/index.ts';
import { isEventRoute, setField } from './around.ts';
import type { Host } from './host.ts';
import { settled } from './values.ts';

export type UseFunction = ((ctx: any, next: any) => unknown) | ((req: any, res: any, next: any) => unknown);

/** Of Express's middleware: what it takes besides. */
const EXPRESS_PARAMETERS = 3;

/** A reply as functions set it: `ctx.set.status = 401`, `ctx.set.headers['X-Own'] = 'a'`. */
class ReplySettings {
  readonly headers: Record<string, string>;
  status: number | undefined = undefined;

  constructor(host: Host) {
    this.headers = new Proxy({} as Record<string, string>, {
      set(known, name, value) {
        setField(host, String(name), String(value));
        return Reflect.set(known, name, value);
      },
    });
  }
}

/** What a function is given, with WynkJS's names: a request as it is asked for. Other members are the functions' own. */
class UseContext {
  readonly set: ReplySettings;
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    this.set = new ReplySettings(host);
  }

  /** The app's own context. */
  get context(): AnyContext {
    return this.#host.c;
  }
  get request(): any {
    return this.#host.getRequest();
  }
  get response(): any {
    return this.#host.getResponse();
  }
  get headers(): Readonly<Record<string, string | undefined>> {
    return this.#host.c.headers as Readonly<Record<string, string | undefined>>;
  }
  get method(): string {
    return this.#host.c.method;
  }
  get path(): string {
    return this.#host.c.pathname;
  }
  get params(): unknown {
    return this.#host.c.params;
  }
  get query(): unknown {
    return this.#host.c.query;
  }
  get cookies(): unknown {
    return this.#host.c.cookies;
  }
  get body(): unknown {
    return this.#host.content;
  }
  /** `req.user`, which `@User()` gives. */
  get user(): any {
    return this.#host.hasMessages ? (this.#host.messages.req['user'] as unknown) : undefined;
  }
  set user(user: unknown) {
    this.#host.messages.req['user'] = user;
  }
}

/** What `inner` gives, or what a function returns in its place. */
export async function throughUses(functions: readonly UseFunction[], host: Host, inner: () => unknown): Promise<unknown> {
  const ctx = new UseContext(host);
  let isInner = false;
  const call = async (at: number): Promise<unknown> => {
    const one = functions[at];
    if (one !== undefined)
      return one.length >= EXPRESS_PARAMETERS
        ? byCallback(one, host, () => call(at + 1))
        : (one as Around)(
            ctx,
            once(() => call(at + 1), one),
          );
    isInner = true;
    // An Observable of events is to arrive as one.
    return isEventRoute(host) ? inner() : settled(inner());
  };
  const value = await call(0);
  // As of a route: POST is 201.
  if (!isInner) host.prepare();
  const { status } = ctx.set;
  if (status !== undefined) setStatus(host, status);
  return value;
}

type Around = (ctx: unknown, next: () => Promise<unknown>) => unknown;

function once(next: () => Promise<unknown>, { name }: Function): () => Promise<unknown> {
  let isCalled = false;
  return () => {
    if (isCalled) return Promise.reject(new Error(`next() of ${name === '' ? 'a function' : name} of @Use() is called a second time.`));
    isCalled = true;
    return next();
  };
}

/** One that answers by `res` never calls back: nobody waits for its promise but what it was made for. */
function byCallback(one: Function, host: Host, next: () => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error?: unknown): void => {
      if (error === undefined || error === null) resolve(next());
      else reject(error as Error);
    };
    const result: unknown = one(host.getRequest(), host.getResponse(), done);
    if (result instanceof Promise) result.catch(reject);
  });
}

/** @throws RangeError for what is none */
function setStatus(host: Host, status: number): void {
  if (host.hasMessages) host.messages.res.status(status);
  else host.c.status(status);
}
