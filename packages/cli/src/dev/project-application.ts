/**
 * A folder of routes under `fulmar dev`: opened anew when its files say so, which costs a look at their names; modules
 * that have not changed stay what they are, and each is loaded by the first request for it.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { RouteRow } from '../../../fulmar/src/dev/index.ts';
import type { Hot } from '../../../fulmar/src/hot/index.ts';
import type { Project, RouteSource } from '../../../fulmar/src/routes/project/index.ts';
import { CONFIG } from '../project-target.ts';
import type { Application, Place } from './application-types.ts';
import { MODULE_OR_PAGE } from './limits.ts';

type Bundle = typeof import('../../../fulmar/src/routes/project/index.ts');

export interface ProjectOptions {
  readonly root: string;
  readonly place: Place;
  readonly hot: Hot;
  readonly bundle: Bundle;
}

export class ProjectApplication implements Application {
  readonly root: string;
  readonly entry = undefined;
  readonly #options: ProjectOptions;
  #project: Project | null = null;
  #source: RouteSource | null = null;
  #opened = 0;

  constructor(options: ProjectOptions) {
    this.#options = options;
    this.root = options.root;
  }

  get target(): Application['target'] {
    const { port, host } = this.#options.place;
    return { port: port ?? portOf(process.env['PORT']), ...(host === undefined ? {} : { host }) };
  }

  async load(): Promise<void> {
    const { bundle, hot, place, root } = this.#options;
    const environment = { root, command: 'dev' } as const;
    const parts = bundle.partsOf(environment, (path) => hot.attempt(() => bundle.loadModule(path)));
    const number = (this.#opened += 1);
    let source: RouteSource | null = null;
    const project = await bundle.openProject(environment, {
      ...parts,
      routes: (config) => (source = parts.routes(config)),
    });
    try {
      await project.app.listen({ ...project.config.server, ...place });
    } catch (error) {
      await project.app.close().catch(() => undefined);
      throw error;
    }
    // Files may have changed before it was open.
    if (number !== this.#opened) return;
    this.#project = project;
    this.#source = source;
  }

  /** Files that answer requests, or are in front of them, come and go. */
  isReshapedBy(paths: ReadonlySet<string>): boolean {
    return [...paths].some((path) => this.#reshapes(path));
  }

  needs(_files: ReadonlySet<string>, isOwn: boolean): boolean {
    return isOwn;
  }

  readonly listRoutes = (): readonly RouteRow[] => {
    const source = this.#source;
    const project = this.#project;
    if (source === null || project === null) return [];
    const prefix = project.config.routes.prefix.replace(/\/+$/, '');
    return source.files.flatMap((file) => {
      if (file.kind !== 'route' && file.kind !== 'page') return [];
      const path = prefix + this.#options.bundle.patternOf(file.parts);
      return [{ method: file.method ?? '*', path, style: 'app' as const, place: `${relative(this.root, source.pathOf(file))}:1` }];
    });
  };

  #reshapes(path: string): boolean {
    const name = relative(this.root, path);
    if (CONFIG.test(name)) return !this.#options.hot.graph.has(path);
    const project = this.#project;
    // What it needs may be missing anywhere.
    if (project === null) return true;
    const { routes, middlewares } = project.config;
    // A whole folder has come or gone: names in it were touched too, if it has come.
    if (routes.dir === path || routes.dir.startsWith(path + sep)) return true;
    if (middlewares.dir !== false && dirname(path) === middlewares.dir) return !this.#options.hot.graph.has(path);
    if (!path.startsWith(routes.dir + sep)) return false;
    const files = (this.#source?.files ?? []).map(({ file }) => join(routes.dir, file));
    const isListed = files.includes(path);
    const isThere = existsSync(path);
    if (isThere) return !isListed && MODULE_OR_PAGE.test(path);
    return isListed || files.some((file) => file.startsWith(path + sep));
  }
}

const DEFAULT_PORT = 3000;
const portOf = (variable: string | undefined): number => (variable === undefined || variable === '' ? DEFAULT_PORT : Number(variable));
