/**
 * Knows Koa applications from their first moment, and passes their middleware through wrappers that do
 * nothing until requests are watched: Koa copies its list when it begins to serve, so afterwards it is too
 * late.
 *
 * An application is an event emitter with Koa's methods; its list is seen when the constructor assigns it.
 */
import { EventEmitter } from 'node:events';
import { enterHandler } from './visits.ts';
import { recordOf, wrapKoa } from './handlers.ts';

export interface KoaMiddleware {
  readonly router?: { readonly stack?: readonly unknown[] };
}

export interface KoaApp {
  middleware: KoaMiddleware[];
}

const methods = ['use', 'callback', 'createContext', 'handleRequest'] as const;

/** `isWatching`: asked by each wrapper. `found` is called once for each application. */
export function watchKoa(isWatching: () => boolean, found: (app: KoaApp) => string): void {
  const emitter = EventEmitter as unknown as { init: (this: object, ...args: unknown[]) => void };
  const { init } = emitter;
  emitter.init = function initWatched(this: object, ...args: unknown[]): void {
    Reflect.apply(init, this, args);
    if (methods.every((name) => typeof (this as Record<string, unknown>)[name] === 'function')) {
      const id = found(this as KoaApp);
      defineList(this as KoaApp, (fn, index) => wrapKoa(recordOf(fn, `${id}.${index}`), enterHandler, isWatching) as KoaMiddleware);
    }
  };
}

/** The list becomes a plain property with its first assignment; only its `push` knows more. */
function defineList(app: KoaApp, wrapAt: (fn: KoaMiddleware, index: number) => KoaMiddleware): void {
  Object.defineProperty(app, 'middleware', {
    configurable: true,
    enumerable: true,
    set(list: KoaMiddleware[]) {
      const push = (...added: KoaMiddleware[]): number => {
        for (const fn of added) list[list.length] = typeof fn === 'function' ? wrapAt(fn, list.length) : fn;
        return list.length;
      };
      Object.defineProperty(list, 'push', { value: push, writable: true, configurable: true });
      Object.defineProperty(app, 'middleware', { value: list, writable: true, configurable: true, enumerable: true });
    },
  });
}
