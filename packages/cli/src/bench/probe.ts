/**
 * Preloaded into the application once, before it is measured: finds its routes (of apps of fulmar, Express, Koa,
 * Fastify) and writes them to the file that `FULMAR_BENCH_ROUTES` names.
 *
 * A bundle of its own (`dist/bench-probe.cjs`). Watches frameworks only through what they do in the open:
 * events they subscribe to, their diagnostics channel, their routers' stacks. Never part of a process that is
 * measured.
 */
import { watchEvents } from '../watch-events.ts';
import { renameSync, writeFileSync } from 'node:fs';
import { Server } from 'node:net';
import { allRoutes, type RouteStyle } from '../../../fulmar/src/app/registry/index.ts';
import type { FoundRoute, ProbeResult } from './probe-result.ts';

/** Routes that are added after the application listens are seen for so long. */
const LOOK_AGAIN_MS = 100;

/** Applications of Express and Koa from npm, which are noted nowhere. */
const found = new Set<object>();
const fastifyRoutes: FoundRoute[] = [];

function install(file: string): void {
  watchEvents(found);
  watchFastify();
  const { listen } = Server.prototype;
  let written = '';
  const write = (): void => {
    const text = JSON.stringify(collect());
    if (text === written) return;
    written = text;
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  };
  Server.prototype.listen = function listenWatched(this: Server, ...args: unknown[]) {
    this.once('listening', () => {
      setImmediate(write);
      setInterval(write, LOOK_AGAIN_MS).unref();
    });
    return Reflect.apply(listen, this, args) as Server;
  } as typeof listen;
}

interface FastifyInstance {
  addHook(name: 'onRoute', hook: (route: { method: string | string[]; url: string }) => void): unknown;
}

function watchFastify(): void {
  process.getBuiltinModule('node:diagnostics_channel').subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) fastifyRoutes.push({ method: name, path: url, needsValues: /[:*(]/.test(url) });
    });
  });
}

const TITLES: Readonly<Partial<Record<RouteStyle, string>>> = { app: 'Fulmar', express: 'Express', koa: 'Koa' };

/** What answers below a path, whatever that is, has no path that can be asked for. */
function collect(): ProbeResult {
  const all = allRoutes([...found]);
  const known = all.filter(({ path, style }) => style in TITLES && !path.endsWith('/*'));
  const routes = known.map(({ method, path }): FoundRoute => {
    return { method: method === '*' ? 'GET' : method, path, needsValues: /[…:*(){}[\]?+^\\]/.test(path) };
  });
  const frameworks = Object.entries(TITLES).flatMap(([style, title]) => (all.some((one) => one.style === style) ? [title] : []));
  return { frameworks: [...frameworks, ...(fastifyRoutes.length > 0 ? ['Fastify'] : [])], routes: [...routes, ...fastifyRoutes] };
}

const file = process.env['FULMAR_BENCH_ROUTES'];
if (file !== undefined) install(file);
