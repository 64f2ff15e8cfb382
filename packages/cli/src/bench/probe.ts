/**
 * Preloaded into the application once, before it is measured: finds its Express, Koa and Fastify routes and
 * writes them to the file that `FULMAR_BENCH_ROUTES` names.
 *
 * A bundle of its own (`dist/bench-probe.cjs`). Watches frameworks only through what they do in the open:
 * events they subscribe to, their diagnostics channel, their routers' stacks. Never part of a process that is
 * measured.
 */
import { EventEmitter } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { Server } from 'node:net';
import { type ExpressApp, routesOfExpress } from './probe-express.ts';
import { type KoaApp, routesOfKoa } from './probe-koa.ts';
import type { FoundRoute, ProbeResult } from './probe-result.ts';

/** Routes that are added after the application listens are seen for so long. */
const LOOK_AGAIN_MS = 100;

const expressApps = new Set<ExpressApp>();
const koaApps = new Set<KoaApp>();
const fastifyRoutes: FoundRoute[] = [];

function install(file: string): void {
  watchEvents();
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

/**
 * Every Express application listens for `mount`, every Koa application that serves for `error`, on itself.
 */
function watchEvents(): void {
  const { prototype } = EventEmitter;
  const { on } = prototype;
  const watched = function on_(this: EventEmitter, event: string | symbol, listener: (...args: unknown[]) => void) {
    if (event === 'mount' && typeof this === 'function') expressApps.add(this as unknown as ExpressApp);
    if (event === 'error' && Array.isArray((this as Partial<KoaApp>).middleware)) koaApps.add(this as unknown as KoaApp);
    return Reflect.apply(on, this, [event, listener]) as EventEmitter;
  };
  prototype.on = watched as typeof on;
  prototype.addListener = watched as typeof on;
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

function collect(): ProbeResult {
  const routes = [...[...expressApps].flatMap(routesOfExpress), ...[...koaApps].flatMap(routesOfKoa), ...fastifyRoutes];
  const frameworks = [
    ...(expressApps.size > 0 ? ['Express'] : []),
    ...(koaApps.size > 0 ? ['Koa'] : []),
    ...(fastifyRoutes.length > 0 ? ['Fastify'] : []),
  ];
  return { frameworks, routes };
}

const file = process.env['FULMAR_BENCH_ROUTES'];
if (file !== undefined) install(file);
