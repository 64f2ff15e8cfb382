/**
 * Routes without a file, from the config and from plugins, beside those of the folder; and files that plugins leave out.
 */
import { type FileRoute, fileRouteOf } from '../files/file-route.ts';
import { patternOf } from '../files/pattern.ts';
import { RouteFileError } from '../files/route-file-error.ts';
import { checkConflicts } from '../files/scan.ts';
import { indexOf } from '../loading/route-index.ts';
import type { RouteSource } from '../loading/source.ts';
import { isRouteExport, type ModuleExports } from '../module/declared.ts';
import type { FoundRoute, ProjectPlugin } from './config-types.ts';

type Virtual = Readonly<Record<string, unknown>>;

/** @throws RouteFileError for names that say nothing, or the same as another */
export function withVirtual(source: RouteSource, virtual: Virtual, plugins: readonly ProjectPlugin[]): RouteSource {
  const kept = source.files.filter((file) => !isRoute(file) || plugins.every((plugin) => plugin.routeFound?.(foundOf(file)) !== false));
  const exports = new Map<FileRoute, ModuleExports>();
  addVirtual(exports, virtual);
  for (const plugin of plugins) {
    const more = plugin.routes?.([...kept, ...exports.keys()].filter(isRoute).map(foundOf));
    if (more !== undefined && more !== null) addVirtual(exports, more);
  }
  if (exports.size === 0 && kept.length === source.files.length) return source;
  const files = [...kept, ...exports.keys()];
  checkConflicts(files);
  return {
    ...source,
    files,
    index: indexOf(files),
    load: (file) => {
      const own = exports.get(file);
      return own === undefined ? source.load(file) : Promise.resolve(own);
    },
    pathOf: (file) => (exports.has(file) ? `virtual route ${file.file}` : source.pathOf(file)),
  };
}

const isRoute = ({ kind }: FileRoute): boolean => kind === 'route' || kind === 'page';

const foundOf = ({ file, parts, method, kind }: FileRoute): FoundRoute => ({
  file,
  path: patternOf(parts),
  method,
  kind: kind as FoundRoute['kind'],
});

function addVirtual(exports: Map<FileRoute, ModuleExports>, virtual: Virtual): void {
  for (const [name, given] of Object.entries(virtual)) {
    const route = fileRouteOf(`${name.replace(/^\//, '') || 'index'}.js`);
    if (route === null || !isRoute(route)) throw new RouteFileError('is no name of a virtual route, as /users/[id]', [name]);
    exports.set({ ...route, file: name }, toExports(given));
  }
}

/** What a module exports, or what it would export by default. */
function toExports(given: unknown): ModuleExports {
  const isExports =
    typeof given === 'object' &&
    given !== null &&
    (Object.prototype.toString.call(given) === '[object Module]' || Object.getPrototypeOf(given) === Object.prototype) &&
    Object.keys(given).length > 0 &&
    Object.keys(given).every(isRouteExport);
  return isExports ? (given as ModuleExports) : { default: given };
}
