/**
 * `fulmar/vite`: the app in Vite's dev server, at the origin of the pages it serves, and a build of both in one
 * `vite build`. The app has an environment of its own (`fulmar`): what changes there loads no page anew, and nothing
 * of it is seen by other plugins' server rendering.
 */
import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { Api } from './api.ts';
import { typesPlugin } from './compiler.ts';
import { type FulmarOptions, isBelow, type Settings, toSettings } from './options.ts';
import { guestEnding, guestEndings } from '../host/guest-files.ts';
import { serverEntry } from './server-entry.ts';
import { isOfVite, Upgrades } from './upgrade.ts';
import type { DevServer, ModuleRunner, ResolvedConfig, UserConfig, VitePlugin } from './vite-types.ts';

const ENVIRONMENT = 'fulmar';
const ENTRY = 'virtual:fulmar-server';
/** As bundlers mark what is no file. */
const RESOLVED_ENTRY = `\0${ENTRY}`;
const CLIENT = 'client';
const SERVER = 'server';

/** @throws TypeError for options that are none */
export function fulmar(options: FulmarOptions): (VitePlugin | { readonly name: string })[] {
  return [...typesPlugin(), appPlugin(toSettings(options))];
}

function appPlugin({ entry, paths }: Settings): VitePlugin {
  let api: Api | null = null;
  let config: ResolvedConfig;
  const file = (): string => resolve(config.root, entry).replaceAll('\\', '/');
  return {
    name: 'fulmar',
    config: configOf,
    configResolved(resolved) {
      if (resolved.environments === undefined)
        throw new Error('fulmar/vite needs Vite 6 or later, and this is an older one. Install a newer one.');
      config = resolved;
      if (!existsSync(file()))
        throw new Error(`fulmar/vite: entry is ${entry}, and ${file()} does not exist. Name the module that exports the app.`);
    },
    configureServer(server) {
      api = serveIn(server, new Api(server, file(), runnerOf(server)), paths);
    },
    hotUpdate({ modules }) {
      const { name, moduleGraph } = this.environment;
      if (name !== ENVIRONMENT) return undefined;
      for (const module of modules) moduleGraph?.invalidateModule(module);
      if (modules.length > 0) api?.reload();
      // That is all there is to do: Vite's own way would load its entries a second time.
      return [];
    },
    resolveId: (id) => (id === ENTRY ? RESOLVED_ENTRY : undefined),
    load(id) {
      // Its source, and what it holds, would stand in the pages' files.
      if (this.environment.name === CLIENT && id.split('?', 1)[0] === file())
        throw new Error(`fulmar/vite: a page imports ${entry}, which is the server's. Import its type alone: import type { … } from it.`);
      if (guestEnding(id) !== undefined && this.environment.name === ENVIRONMENT) throw notImported(relative(config.root, id));
      if (id !== RESOLVED_ENTRY) return undefined;
      const { base, build } = config;
      return serverEntry({
        file: file(),
        name: relative(config.root, file()),
        paths,
        base,
        assets: build.assetsDir,
        client: `../${CLIENT}/`,
      });
    },
  };
}

/** Vite would take it for JavaScript. */
function notImported(file: string): Error {
  const call = `import('./${basename(file)}', { from: import.meta.url })`;
  return new Error(
    `fulmar/vite: ${file} is imported, which Vite cannot. Load it by fulmar/polyglot: ${String(guestEndings[guestEnding(file) ?? ''])}.${call}.`,
  );
}

function serveIn(server: DevServer, api: Api, paths: readonly string[]): Api {
  // Vite starts again with the same plugins, and ends the server before only then.
  const { close } = server;
  server.close = async () => {
    await Promise.all([api.close(), close.call(server)]);
  };
  const upgrades = new Upgrades();
  server.middlewares.use((req, res, next) => {
    if (!isBelow(req.url ?? '/', paths)) return next();
    const upgrade = upgrades.take(req, res);
    if (upgrade === undefined) api.answer(req, res);
    else api.upgrade(req, upgrade.socket, upgrade.head);
  });
  server.httpServer?.on('upgrade', (req, socket, head) => {
    if (!isOfVite(req) && isBelow(req.url ?? '/', paths)) upgrades.ask(req, { socket, head }, server.middlewares);
  });
  return api;
}

function configOf({ build, builder }: UserConfig): object {
  const folder = build?.outDir ?? 'dist';
  const server = {
    consumer: 'server',
    // The one that this plugin has, which a link into a workspace would make another one of.
    resolve: { external: ['fulmar'] },
    build: {
      outDir: join(folder, SERVER),
      emptyOutDir: true,
      copyPublicDir: false,
      // `import.meta.url` and `await` stand at the top of it.
      target: 'es2022',
      rollupOptions: { input: { index: ENTRY }, output: { format: 'es', entryFileNames: '[name].mjs' } },
    },
  };
  return {
    environments: { client: { build: { outDir: join(folder, CLIENT) } }, [ENVIRONMENT]: server },
    ...(builder?.buildApp === undefined && { builder: { buildApp } }),
  };
}

interface Builder {
  readonly environments: { readonly [name: string]: object };
  build(environment: object): Promise<unknown>;
}

async function buildApp(builder: Builder): Promise<void> {
  for (const name of ['client', ENVIRONMENT]) await builder.build(builder.environments[name] as object);
}

function runnerOf({ environments }: DevServer): ModuleRunner {
  const { runner } = environments[ENVIRONMENT] as { readonly runner?: ModuleRunner };
  if (runner !== undefined) return runner;
  throw new Error(
    `fulmar/vite: the environment ${ENVIRONMENT} cannot run modules here. Leave its dev.createEnvironment out of the configuration.`,
  );
}

export type { FulmarOptions } from './options.ts';
// `require('fulmar/vite')` is the function, too.
export default Object.assign(fulmar, { fulmar });
