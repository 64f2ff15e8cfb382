/**
 * `RouterModule.register()`: paths before those of whole modules, and of those within them.
 */
import { Module } from '../decorators/modules.ts';
import type { DynamicModule, Type } from '../nest-types.ts';
import { withoutEnd, withSlash } from '../routing/paths.ts';

export interface RouteTree {
  path: string;
  module?: Type<any>;
  children?: (RouteTree | Type<any>)[];
}
export type Routes = RouteTree[];

/** Where an application finds them. */
export const ROUTES = 'ROUTES';

export class RouterModule {
  static register(routes: Routes): DynamicModule {
    return { module: RouterModule, providers: [{ provide: ROUTES, useValue: routes }] };
  }
}
Module({})(RouterModule);

/** The path of each module that one has been said for. @throws TypeError for what is no route */
export function modulePaths(routes: readonly (RouteTree | Type)[], base = '', found = new Map<Type, string>()): Map<Type, string> {
  for (const route of routes) {
    if (typeof route === 'function') {
      found.set(route, base);
      continue;
    }
    if (typeof route?.path !== 'string') throw new TypeError('RouterModule.register() takes { path, module, children }.');
    const path = withoutEnd(base) + withoutEnd(withSlash(route.path));
    if (route.module !== undefined) found.set(route.module, path);
    modulePaths(route.children ?? [], path, found);
  }
  return found;
}
