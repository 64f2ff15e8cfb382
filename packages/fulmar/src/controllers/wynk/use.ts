/**
 * `@Use()`: functions around a route, `(ctx, next)` as WynkJS's and `(req, res, next)` as Express's, before its guards. What
 * they return is the reply; `next()` gives what the handler has returned.
 */
import { KEYS } from '../metadata/keys.ts';
import { onClassOrMethod } from '../metadata/placed.ts';
import { extend } from '../metadata/reflect.ts';
import type { UseFunction } from '../pipeline/uses.ts';

/** Those of the class before those of the method. @throws TypeError for what is no function */
export function Use(...functions: UseFunction[]): MethodDecorator & ClassDecorator {
  for (const one of functions)
    if (typeof one !== 'function')
      throw new TypeError(`@Use() takes functions (ctx, next), and this is ${one === null ? 'null' : `of type ${typeof one}`}.`);
  return onClassOrMethod('Use', (target) => extend(KEYS.uses, functions, target));
}
