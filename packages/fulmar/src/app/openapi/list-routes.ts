/**
 * `listRoutes()`: the routes of this process, or of one application, for programs that show or check them.
 */
import { allRoutes, type ListedRoute, routesOf } from '../registry/index.ts';

/** Without an application those of all there are. @throws TypeError for what is no application */
export function listRoutes(app?: object): ListedRoute[] {
  const found = app === undefined ? allRoutes() : routesOf(app);
  return found.map(({ fn: _fn, route: _route, ...listed }) => listed);
}
