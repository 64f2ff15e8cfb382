/** What of Vite is used here. Its own types are not named: who has no Vite needs none. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface ModuleRunner {
  import(url: string): Promise<unknown>;
  clearCache(): void;
}

export interface ModuleGraph<Module> {
  invalidateModule(module: Module): void;
}

/** A message to the pages that are open. */
export interface HotChannel {
  send(payload: object): void;
}

type Next = (error?: unknown) => void;

/** Vite's own first, its check of the host among them, then those of plugins. */
export interface Middlewares {
  (req: IncomingMessage, res: ServerResponse, next: Next): void;
  use(handler: (req: IncomingMessage, res: ServerResponse, next: Next) => void): unknown;
}

export interface DevServer {
  readonly config: ResolvedConfig & { readonly logger: { error(message: string, options?: { timestamp?: boolean }): void } };
  readonly middlewares: Middlewares;
  readonly httpServer: { on(event: 'upgrade', listener: (req: IncomingMessage, socket: Duplex, head: Buffer) => void): unknown } | null;
  readonly environments: { readonly [name: string]: object };
  close(): Promise<void>;
}

export interface UserConfig {
  readonly root?: string | undefined;
  readonly build?: { readonly outDir?: string | undefined } | undefined;
  readonly builder?: { readonly buildApp?: unknown } | undefined;
}

export interface ResolvedConfig {
  readonly root: string;
  readonly base: string;
  readonly build: { readonly assetsDir: string };
  readonly environments?: unknown;
}

export interface InEnvironment<Module> {
  readonly environment: { readonly name: string; readonly moduleGraph?: ModuleGraph<Module> };
}

/** A plugin as Vite takes it. */
export interface VitePlugin {
  readonly name: string;
  config(config: UserConfig): object;
  configResolved(config: ResolvedConfig): void;
  configureServer(server: DevServer): void;
  hotUpdate<Module>(this: InEnvironment<Module>, update: { readonly modules: Module[] }): Module[] | undefined;
  resolveId(id: string): string | undefined;
  load(this: InEnvironment<unknown>, id: string): string | undefined;
}
