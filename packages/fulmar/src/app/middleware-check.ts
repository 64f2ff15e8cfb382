/**
 * What is wrong with what `use()` and routes are given as middleware: habits of other frameworks are told where
 * they are registered. Never met by a request.
 */
import { kindText, shown } from './checked-options.ts';

/** `(c, next)`. */
const PARAMETERS_MAX = 2;

/** @throws TypeError that says what to do instead */
export function checkMiddleware(given: unknown, who: string): void {
  if (typeof given !== 'function') {
    const isPlugin = typeof given === 'object' && given !== null && typeof (given as { setup?: unknown }).setup === 'function';
    throw new TypeError(
      isPlugin
        ? `${who} takes middleware, and this is a plugin: app.register(plugin).`
        : `Middleware is a function (c, next), and this is ${kindText(given)}.`,
    );
  }
  if (typeof (given as { handle?: unknown }).handle === 'function')
    throw new TypeError(
      `${who} takes middleware (c, next), and this is an application or a router of Express: app.mount(path, application).`,
    );
  if (given.length > PARAMETERS_MAX) {
    throw new TypeError(
      `Middleware is a function (c, next), and ${given.name === '' ? 'this one' : given.name} has ${given.length} parameters, ` +
        'as (req, res, next) of Express: nodeMiddleware() of fulmar/middleware takes it.',
    );
  }
}

/** @throws TypeError for a path that is none */
export function checkPath(given: unknown, who: string): void {
  if (typeof given !== 'string') throw new TypeError(`${who} takes a path such as '/birds/:id', and this is ${shown(given)}.`);
}
