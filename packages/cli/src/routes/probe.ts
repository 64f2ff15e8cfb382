/**
 * Preloaded by `fulmar routes` into each process of the application: lets no server listen, and writes the routes
 * that there are when one wants to, or when nothing more happens.
 *
 * A bundle of its own (`dist/routes-probe.cjs`). A server that wants to listen is told that it does: what an
 * application registers then is registered. Keeps no process alive.
 */
import { watchEvents } from '../watch-events.ts';
import { renameSync, writeFileSync } from 'node:fs';
import { Server } from 'node:net';
import { join } from 'node:path';
import { allRoutes, type FoundRoute, type ListedRoute } from '../../../fulmar/src/app/registry/index.ts';
import { readGlobal, setGlobal } from '../../../fulmar/src/host/globals.ts';
import { placesOf } from '../../../fulmar/src/launch/function-places.ts';
import { SETTLE_MS } from './limits.ts';
import { documentOf } from './probe-document.ts';
import type { Occasion, ProbeReport } from './report-types.ts';
import type { RoutesRequest } from './session.ts';

const found = new Set<object>();
const held = new Set<unknown>();
let isWritten = false;

function install({ folder, timeoutMs, openapi, dist }: RoutesRequest): void {
  const write = (occasion: Occasion, code = 0): void => {
    if (isWritten) return;
    isWritten = true;
    const routes = allRoutes([...found]);
    const report: ProbeReport = {
      occasion,
      code,
      routes: toListed(routes),
      ...(openapi ? { openapi: documentOf(routes, found, dist) } : {}),
    };
    const file = join(folder, `${process.pid}.json`);
    writeFileSync(`${file}.part`, JSON.stringify(report));
    renameSync(`${file}.part`, file);
  };
  keepNoted();
  watchEvents(found);
  watchListen(() => write('listening'));
  process.once('beforeExit', () => write('idle'));
  process.once('exit', (code) => write('exit', code));
  setTimeout(() => write('timeout'), timeoutMs).unref();
}

/** An application that nobody else holds, as one that is made to be looked at, is there until it has been. */
function keepNoted(): void {
  const list = readGlobal('fulmar.applications') ?? [];
  Object.defineProperty(list, 'push', {
    value(this: WeakRef<object>[], reference: WeakRef<object>): number {
      held.add(reference.deref());
      return Array.prototype.push.call(this, reference);
    },
  });
  setGlobal('fulmar.applications', list);
}

/** `settled`: for so long no other server has wanted to listen. */
function watchListen(settled: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  Server.prototype.listen = function listenPretended(this: Server, ...args: unknown[]) {
    found.add(this);
    const callback = args.find((one) => typeof one === 'function');
    if (callback !== undefined) this.once('listening', callback as () => void);
    pretend(this, args);
    process.nextTick(() => this.emit('listening'));
    clearTimeout(timer);
    // It holds the process until then: there is no server that does.
    timer = setTimeout(settled, SETTLE_MS);
    return this;
  } as typeof Server.prototype.listen;
}

function pretend(server: Server, [first]: readonly unknown[]): void {
  const target = (typeof first === 'object' && first !== null ? first : {}) as { port?: unknown; path?: unknown };
  const path = typeof first === 'string' && !/^\d+$/.test(first) ? first : target.path;
  const port = Number(typeof first === 'object' ? target.port : first);
  const address = typeof path === 'string' ? path : { address: '127.0.0.1', family: 'IPv4', port: port > 0 ? port : 1 };
  Object.defineProperty(server, 'address', { value: () => address, configurable: true });
  Object.defineProperty(server, 'listening', { value: true, configurable: true, writable: true });
}

/** Where a registration is not known, the place of its handler is told. */
function toListed(routes: readonly FoundRoute[]): ListedRoute[] {
  const places = placesOf(routes.map(({ fn, place }) => (place === undefined ? fn : undefined)));
  return routes.map(({ fn: _fn, route: _route, ...listed }, at) => {
    const place = places[at];
    return { ...listed, place: listed.place ?? (place === undefined ? undefined : `${place.file}:${place.line}`) };
  });
}

const request = process.env['FULMAR_ROUTES'];
if (request !== undefined) install(JSON.parse(request) as RoutesRequest);
