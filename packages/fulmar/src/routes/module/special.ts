/**
 * What `_middleware.ts`, `_404.ts` and `_error.ts` export: functions, by default or by their name.
 */
import type { Middleware } from '../../app/chain.ts';
import { type AnyContext, HttpError } from '../../app/index.ts';
import type { FileRoute } from '../files/file-route.ts';
import { RouteFileError } from '../files/route-file-error.ts';
import { RouteEntry } from './define.ts';
import { zelyHandler } from '../zely/handler.ts';
import { declaredBy, type ModuleExports } from './declared.ts';

/** @throws RouteFileError for a file without a function */
export function singleBy(exports: ModuleExports, { file, kind }: FileRoute): Function {
  const { default: given } = exports;
  if (typeof given === 'function') return given;
  const form = kind === 'error' ? '(error, c)' : '(c)';
  throw new RouteFileError(`needs a default export, a function ${form} that returns the reply`, [file]);
}

/** The outermost first. @throws RouteFileError for what is none */
export function middlewareBy(exports: ModuleExports, { file }: FileRoute): Middleware[] {
  const given = exports['middleware'] ?? exports['default'];
  const list = [given]
    .flat()
    .flatMap((one) => (one instanceof RouteEntry && one.method === null ? (one.given as Middleware[]) : [one as Middleware]));
  if (list.length > 0 && list.every((one) => typeof one === 'function')) return list;
  throw new RouteFileError('needs a default export: a function (c, next), or a list of them', [file]);
}

/** Of a file of Zely, which answers by method as any page. @throws RouteFileError for a file without a handler */
export function zelyNotFound(exports: ModuleExports, route: FileRoute): (c: AnyContext) => unknown {
  const declared = declaredBy(exports, route, 'zely');
  const handlers = new Map(declared.routes.map((one) => [one.method, zelyHandler(one, declared)]));
  return (c) => {
    const handler = handlers.get(c.method) ?? handlers.get('*') ?? handlers.get('GET');
    if (handler === undefined) throw new HttpError(404);
    return handler(c);
  };
}
