/**
 * One run of `fulmar dev`: the process is prepared, the application run, and what happens to its files handed on. What is
 * done in the process is `hot` of `packages/fulmar/src`, what is shown `dev`; here is what they are told.
 */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { allRoutes } from '../../../fulmar/src/app/registry/index.ts';
import type { Inspector, RouteRow } from '../../../fulmar/src/dev/index.ts';
import { type Hot, isInstalled, startHot } from '../../../fulmar/src/hot/index.ts';
import { beforeFirstServer } from '../../../fulmar/src/launch/lifecycle/first-server.ts';
import { installLifecycle } from '../../../fulmar/src/launch/lifecycle/lifecycle.ts';
import { install } from '../../../fulmar/src/launch/modules/installation.ts';
import { distFolder, NO_ALIAS_VARIABLE, toBundleFile } from '../../../fulmar/src/launch/settings.ts';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import type { Target } from '../target.ts';
import type { Application, Place } from './application-types.ts';
import type { DevOptions } from './arguments.ts';
import { Changes } from './changes.ts';
import { FileApplication } from './file-application.ts';
import { Folders } from './folders.ts';
import { GuestFiles } from './guest-files.ts';
import { DRAIN_MS } from './limits.ts';
import { urlOf, writeRoutes } from './lines.ts';
import { openInBrowser } from './browser.ts';
import { ProjectApplication } from './project-application.ts';
import { Reload } from './reload.ts';
import { StandIn } from './stand-in.ts';
import { Survival } from './survival.ts';

export class Session {
  readonly #options: DevOptions;
  readonly #binFile: string;
  readonly #inspector: Inspector;
  readonly #hot: Hot;
  readonly #application: Application;
  readonly #reload: Reload;
  readonly #changes = new Changes((paths) => this.#reload.changed(paths));
  readonly #folders: Folders;

  constructor(options: DevOptions, target: Target, binFile: string) {
    this.#options = options;
    this.#binFile = resolve(binFile);
    this.#prepareProcess(target);
    const { startInspector } = this.#loadOwn('dev') as typeof import('../../../fulmar/src/dev/index.ts');
    const root = rootOf(target);
    const { inject, remote, hosts } = options;
    this.#inspector = startInspector({
      root,
      inject,
      remote,
      hosts,
      ...(target.project !== undefined && { listRoutes: () => this.#routes() }),
    });
    const survival = new Survival(this.#inspector);
    this.#installLifecycle(survival);
    this.#folders = new Folders({
      touched: (path) => this.#changes.add(path),
      exhausted: (folder, why) => tell(`changes below ${folder} are not noticed: ${why}`),
    });
    const dist = distFolder(this.#binFile);
    this.#hot = startHot({
      ownFolder: dist,
      threadFile: join(dist, 'hot-thread.cjs'),
      throughOwn: target.project === undefined,
      onError: (error) => survival.show(error),
      onFile: (file) => this.#watchOther(file, root),
    });
    this.#application = this.#applicationOf(target, root);
    const standIn = new StandIn(this.#application, this.#hot, () => this.#loadOwn('http') as never);
    this.#reload = new Reload({
      application: this.#application,
      hot: this.#hot,
      guests: new GuestFiles(this.#hot.graph, root),
      inspector: this.#inspector,
      survival,
      standIn: (error) => standIn.show(error),
    });
  }

  async start(): Promise<void> {
    if (this.#options.polyglot) this.#loadOwn('polyglot-global');
    beforeFirstServer((server) => this.#announce(server as { address(): AddressInfo | string | null }));
    this.#folders.add(this.#application.root);
    await this.#reload.start();
  }

  #prepareProcess(target: Target): void {
    const { alias, args, port, host } = this.#options;
    const { project, file } = target;
    process.argv.splice(1, process.argv.length, project ?? file, ...args);
    process.env['NODE_ENV'] ??= 'development';
    if (port !== undefined) process.env['PORT'] = String(port);
    if (host !== undefined) process.env['HOST'] = host;
    if (!alias) process.env[NO_ALIAS_VARIABLE] = '1';
    install(this.#binFile, { alias, verbose: false, atOnce: true }, project === undefined ? file : join(project, 'package.json'));
  }

  #installLifecycle(survival: Survival): void {
    installLifecycle({
      drainTimeoutMs: DRAIN_MS,
      verbose: false,
      supervised: false,
      bundleFile: toBundleFile(this.#binFile),
      onSignal: () => {
        survival.over();
        // Pages that wait for news would be waited for.
        this.#inspector.close();
        this.#folders.close();
        this.#changes.close();
      },
    });
  }

  #applicationOf(target: Target, root: string): Application {
    const { port, host, args } = this.#options;
    const place: Place = { ...(port === undefined ? {} : { port }), ...(host === undefined ? {} : { host }) };
    const common = { root, place, hot: this.#hot };
    if (target.project !== undefined) return new ProjectApplication({ ...common, bundle: this.#loadOwn('lib-project') as never });
    return new FileApplication({ ...common, file: realpathSync(target.file), args, loadOwn: (bundle) => this.#loadOwn(bundle) });
  }

  #routes(): readonly RouteRow[] {
    return this.#application.listRoutes?.() ?? allRoutes();
  }

  /** The first time that something listens; its routes are there a moment later. */
  #announce(server: { address(): AddressInfo | string | null }): void {
    const url = urlOf(server.address());
    tell(`listening on ${url}; routes and requests: ${url}/_fulmar`);
    setImmediate(() => writeRoutes(this.#routes()));
    if (this.#options.open) openInBrowser(url);
  }

  /** A file of a linked package, which lies outside of the application's folder; routes may import one with their first request. */
  #watchOther(file: string, root: string): void {
    if (isAbsolute(file) && !file.startsWith(root + sep) && !isInstalled(file)) this.#folders.addOne(dirname(file));
  }

  #loadOwn(bundle: string): unknown {
    return createRequire(this.#binFile)(`../dist/${bundle}.cjs`) as unknown;
  }
}

/** A project's folder; of a file that of its package, else its own. */
function rootOf({ project, file }: Target): string {
  if (project !== undefined) return realpathSync(project);
  const start = dirname(realpathSync(file));
  let folder = start;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) return start;
    folder = parent;
  }
  return folder;
}
