/**
 * Other applications below a prefix: an Express app, a Koa app, a function `(req, res)`, a `fetch` function
 * or an object with one.
 */
import type { Exchange } from '../exchange/types.ts';
import type { AnyContext } from './context.ts';
import { HttpError } from './http-error.ts';
import { messages } from './lazy.ts';
import { keepObserving } from './observing.ts';
import { pathOf, searchOf } from './request-parts.ts';
import { isThenable } from '../host/thenable.ts';

export type FetchFunction = (request: Request) => Response | Promise<Response>;
export type MessageListener = (req: never, res: never, next?: (error?: unknown) => void) => unknown;
/** Whatever `mount()` takes beside an app of ours. */
export type Mountable = MessageListener | FetchFunction | { readonly fetch: FetchFunction } | { callback(): MessageListener };

/** A mounted application's handler, with what lists of routes are told of it. */
export interface MountedHandler {
  (c: AnyContext): unknown;
  readonly mounted: unknown;
  readonly style: 'fetch' | 'messages';
}

/** A handler's value when the reply is somebody else's doing. */
export const ANSWERED: unique symbol = Symbol('answered');

/** A function that is given requests, or a listener of messages. */
export type Recognised =
  | { readonly fetch: FetchFunction; readonly listener?: undefined }
  | { readonly listener: MessageListener; readonly fetch?: undefined };

/**
 * A handler for everything below the route's path. `style` says what a function is where its parameters do
 * not. @throws TypeError for what is none of these
 */
export function mounted(given: unknown, style?: 'fetch' | 'messages'): MountedHandler {
  const { fetch, listener } = recognise(given, style, 'mount()');
  return fetch === undefined ? told(given, 'messages', throughMessages(listener)) : told(given, 'fetch', throughFetch(fetch));
}

/** Tells applications apart. `who` asks. @throws TypeError for what is none */
export function recognise(given: unknown, style: 'fetch' | 'messages' | undefined, who: string): Recognised {
  if (isObject(given)) {
    if (style !== 'messages' && typeof given['fetch'] === 'function' && !isListener(given)) {
      return { fetch: (given['fetch'] as FetchFunction).bind(given) };
    }
    if (typeof given['callback'] === 'function' && typeof given !== 'function')
      return { listener: (given['callback'] as () => MessageListener)() };
  }
  if (typeof given !== 'function') {
    throw new TypeError(
      `${who} takes an app, an Express or Koa application, a function (req, res), a fetch function or an object with one.`,
    );
  }
  if (isRouter(given))
    throw new TypeError(
      `A router of Express needs its application, whose request and response it uses: ${who.replace(')', '')}${who === 'mount()' ? 'prefix, ' : ''}express().use(router)).`,
    );
  const isFetch = style === undefined ? given.length < 2 && !isListener(given) : style === 'fetch';
  return isFetch ? { fetch: given as FetchFunction } : { listener: given as MessageListener };
}

const told = (given: unknown, style: MountedHandler['style'], handler: (c: AnyContext) => unknown): MountedHandler =>
  Object.assign(handler, { mounted: given, style });

const isObject = (value: unknown): value is Record<string, unknown> =>
  (typeof value === 'object' || typeof value === 'function') && value !== null;

/** An application or a router of Express's kind. */
const isListener = (value: unknown): boolean => typeof value === 'function' && typeof (value as { handle?: unknown }).handle === 'function';

const isRouter = (value: unknown): boolean => isListener(value) && typeof (value as { set?: unknown }).set !== 'function';

function throughFetch(answer: FetchFunction): (c: AnyContext) => unknown {
  return async (c) => {
    const { request } = c;
    const url = new URL(request.url);
    url.pathname = behind(url.pathname, baseOf(c, url.pathname));
    return answer(new Request(url, request));
  };
}

function throughMessages(listener: MessageListener): (c: AnyContext) => Promise<unknown> {
  return (c) =>
    new Promise((resolve, reject) => {
      keepObserving(c.exchange);
      messages()(c.exchange, listener, (req, res) => {
        const { url } = req;
        const base = baseOf(c, c.pathname);
        if (base !== '') Object.assign(req, { originalUrl: url, baseUrl: base, url: targetBehind(url, base) });
        for (const [name, value] of c.lines?.entries() ?? []) res.appendHeader(name, value);
        res.once('close', () => {
          c.statusCode = res.statusCode;
          resolve(ANSWERED);
        });
        const next = (error?: unknown): void => {
          if (error !== undefined && error !== null && error !== 'route' && error !== 'router') reject(error as Error);
          else reject(new HttpError(404, `Nothing is at ${c.pathname}.`));
        };
        try {
          const returned = listener(req as never, res as never, next);
          if (isThenable(returned)) returned.then(undefined, (error: unknown) => reject(error as Error));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
}

/** What is left of a target behind a base: a path with its query. */
export const targetBehind = (target: string, base: string): string => behind(withoutAuthority(target), base);

/** A target in absolute form as one in origin form. */
function withoutAuthority(target: string): string {
  const path = pathOf(target);
  const search = searchOf(target);
  return search === '' ? path : `${path}?${search}`;
}

/**
 * The part of the path that stands for the prefix, as it was asked for: the route's path has as many segments
 * before its `/*`.
 */
function baseOf({ route }: AnyContext, pathname: string): string {
  const prefix = route.replace(/\/\*$/, '');
  if (prefix === '' || prefix === '/') return '';
  return pathname.split('/', prefix.split('/').length).join('/');
}

/** The part of a path or target behind a base, with its slash. */
function behind(path: string, base: string): string {
  const rest = path.slice(base.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

export interface MountedRequest {
  url: string;
}

export interface MountedResponse {
  readonly statusCode: number;
  appendHeader(name: string, value: string): void;
  once(event: 'close', listener: () => void): void;
}

export type ServeMessages = (
  exchange: Exchange,
  application: MessageListener,
  listener: (req: MountedRequest, res: MountedResponse) => void,
) => void;
