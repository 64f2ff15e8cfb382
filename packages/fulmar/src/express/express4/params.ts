/**
 * `router.process_params` of version 4: the callbacks of a layer's parameters, one after the other, before
 * its handler.
 */
import type { ExpressRequest, ExpressResponse, Next } from '../message-types.ts';
import { type ParamCallbacks, type ParamCalls, processParams } from '../router/params.ts';
import type { ParamHandler } from '../router/promises.ts';
import type { Layer } from './layer.ts';
import type { RouterInstance } from './router.ts';

/** The way through parameter callbacks that nobody has replaced. Its parameters are upstream's. */
// oxlint-disable-next-line max-params -- as above
export function ownProcessParams(
  this: RouterInstance,
  layer: Layer,
  called: ParamCalls,
  req: ExpressRequest,
  res: ExpressResponse,
  done: Next,
) {
  const { keys } = layer;
  if (!keys || keys.length === 0) {
    done();
    return;
  }
  const step = {
    keys: keys.map(({ name }) => name as string),
    calls: called,
    req,
    call: (fn: ParamHandler, next: Next, value: unknown, name: string): void => {
      try {
        fn(req, res, next, value, name);
      } catch (err) {
        next(err);
      }
    },
  };
  processParams(this.params as ParamCallbacks, step, done);
}

Object.defineProperty(ownProcessParams, 'name', { value: 'process_params', configurable: true });
