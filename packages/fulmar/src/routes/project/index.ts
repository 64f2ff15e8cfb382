/**
 * What opens projects beside `createProject()`: `bin/project.mjs`, the development server, built files.
 */
export { folderSource, type LoadModule, type RouteSource } from '../loading/source.ts';
export { indexOf, type IndexNode } from '../loading/route-index.ts';
export type { FileRoute } from '../files/file-route.ts';
export type { BuiltTable } from './built-project.ts';
export { serveBuilt } from './built-project.ts';
export type { BuildFacts, BuildMessage, BuildRequest } from './build-project.ts';
export { middlewareFiles, openProject, partsOf, type Project, type ProjectParts } from './create-project.ts';
export type { ConfigEnvironment, FulmarConfig, ProjectCommand, ResolvedConfig } from './config-types.ts';
export { serveProject } from './serve-project.ts';
export { loadModule } from '../module/load.ts';
export { patternOf } from '../files/pattern.ts';
