/**
 * The chain of a route: the hooks of the apps it came through, the middleware around it, its handler. Made at
 * its first request, so that an app of many routes starts soon.
 */
import { boundTo, chainOf, type Handler, type Middleware, type Run } from './chain.ts';
import type { RawContext } from './context.ts';
import { observe } from './observing.ts';
import { joinPaths, relationOf, type Under, underOf } from './prefix.ts';
import type { Route, Scope, Used } from './scope.ts';
import { isThenable } from '../host/thenable.ts';

type Chained = Pick<Route, 'path' | 'handler' | 'around' | 'scopes'> & { readonly base?: string };

/** The chain, without middleware that can never apply to its path. */
export function runOf({ path, base = '', handler, around, scopes }: Chained): Run {
  const middleware: Middleware[] = [];
  for (const used of flat(around)) {
    // Middleware for `/admin` is around `/v1/admin` too, and so is that for `/v1`.
    const relation = relate(path, base, used.prefix);
    const one = boundTo(used.prefix, used.middleware);
    if (relation === 'always') middleware.push(one);
    else if (relation === 'maybe') middleware.push(where(base, used.prefix, one));
  }
  const run = middleware.length === 0 ? handler : chainOf(middleware, handler);
  // Each goes around those before it: the outermost comes last.
  return scopes.reduce(withHooksOf, run);
}

/** The middleware that may run for a route, in order. */
export function middlewareOf({ path, base, around }: Pick<Route, 'path' | 'base' | 'around'>): Middleware[] {
  return [...flat(around)].filter(({ prefix }) => relate(path, base, prefix) !== 'never').map(({ middleware }) => middleware);
}

function relate(path: string, base: string, prefix: string): Under {
  const relation = relationOf(path, prefix);
  if (base === '' || relation === 'always') return relation;
  const other = relationOf(path.slice(base.length), prefix);
  return other === 'never' ? relation : other;
}

/** `middleware` for the requests alone whose path lies under its prefix. */
function where(base: string, prefix: string, middleware: Middleware): Middleware {
  const isUnder = underOf(prefix);
  return ((c: RawContext, next) => {
    const { pathname } = c;
    return isUnder(pathname) || (base !== '' && isUnder(pathname.slice(base.length))) ? middleware(c, next) : next();
  }) as Middleware;
}

/** Middleware of plugins stands where these were registered. */
function* flat(around: readonly Used[], base = '/'): Iterable<{ readonly prefix: string; readonly middleware: Middleware }> {
  for (const used of around) {
    const prefix = joinPaths(base, used.prefix);
    if (used.group === undefined) yield { prefix, middleware: used.middleware };
    else yield* flat(used.group, prefix);
  }
}

function withHooksOf(run: Run, { hooks: { request, response }, settings }: Scope): Run {
  if (request.length === 0 && response.length === 0) return run;
  return (c) => {
    if (response.length > 0) watch(c, response, settings.logger);
    return throughHooks(c, request, run);
  };
}

/**
 * Hooks one after the other, then `run`: a value that is not `undefined` is the reply. The context is one where it
 * has a status: `c => c.status(403)`.
 */
export function throughHooks(c: RawContext, hooks: readonly Handler[], run: Run, from = 0): unknown {
  for (let at = from; at < hooks.length; at += 1) {
    const value = (hooks[at] as Handler)(c);
    if (isThenable(value)) return value.then((settled) => (isSilent(c, settled) ? throughHooks(c, hooks, run, at + 1) : settled));
    if (!isSilent(c, value)) return value;
  }
  return run(c);
}

const isSilent = (c: RawContext, value: unknown): boolean => value === undefined || (value === c && c.statusCode === 0);

/** When the reply has left. What a hook throws comes behind it: it is for the log. */
export function watch(c: RawContext, hooks: readonly Handler[], logger: Scope['settings']['logger']): void {
  const { sents } = observe(c.exchange);
  c.exchange.notifySent();
  keepStatus(c);
  // The connection keeps it for `c.ip`: when the reply has left, the client may have, too.
  void c.exchange.connection.remote;
  sents.add(() => {
    for (const hook of hooks) {
      void Promise.resolve(c)
        .then(hook)
        .catch((error: unknown) => logger.error(`onResponse of ${c.method} ${c.pathname}`, error));
    }
  });
}

/** For hooks behind the reply: with what status it has left, also where a mounted application has sent it. */
function keepStatus(c: RawContext): void {
  const { exchange } = c;
  const observing = observe(exchange);
  if (observing.keepsStatus) return;
  observing.keepsStatus = true;
  const { reply, start } = exchange;
  exchange.reply = (...given) => {
    const { begun } = exchange;
    const tag = reply.apply(exchange, given);
    if (!begun) c.statusCode = given[0];
    return tag;
  };
  exchange.start = (...given) => {
    const { begun } = exchange;
    start.apply(exchange, given);
    if (!begun) c.statusCode = given[0];
  };
}
