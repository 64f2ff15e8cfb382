/**
 * Preloaded by `fulmar doctor` into each process of the application: collects facts for the command, which
 * draws the conclusions.
 *
 * A bundle of its own (`dist/doctor-probe.cjs`). Looks on through what frameworks do in the open; handlers
 * are wrapped only when the command asks, behind the facts of the untouched process. Keeps no process alive.
 */
import { EventEmitter } from 'node:events';
import { connect, Server } from 'node:net';
import type { FromProbe, ProcessFacts, ProcessKind, ToProbe } from '../protocol-types.ts';
import type { DOCTOR_VARIABLE } from '../session.ts';
import { describeExpress, type ExpressApp } from './express-tree.ts';
import { findPlaces, type Watcher } from './handlers.ts';
import { describeKoa } from './koa-list.ts';
import { type KoaApp, watchKoa } from './koa-watch.ts';
import { privateReads } from './private-fields.ts';
import { describeServer, watchServer, type WatchedServer } from './servers.ts';
import { describeSignals } from './signals.ts';
import { enterHandler, requestFacts } from './visits.ts';

const expressApps: ExpressApp[] = [];
const koaApps: KoaApp[] = [];
const servers: WatchedServer[] = [];
const addons: string[] = [];
/** The arguments of a handler are request and response, with an error before them where there was one. */
const watcher: Watcher = { enter: (record, args) => enterHandler(record, args.find(isMessage)) };
let isWatching = false;

function isMessage(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && '_exchange' in argument;
}

function install(path: string): void {
  const socket = connect(path).unref();
  const send = (message: FromProbe): void => void socket.write(`${JSON.stringify(message)}\n`);
  socket.on('error', () => undefined);
  send({ type: 'hello', kind: kindOfProcess(), pid: process.pid, script: script() });
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) answer(JSON.parse(line) as ToProbe, send);
  });
  watchEvents();
  watchKoa(
    () => isWatching,
    (app) => `koa${koaApps.push(app) - 1}`,
  );
  watchAddons();
  watchListen((server) => send({ type: 'listening', server: describe(server) }));
}

function answer({ type }: ToProbe, send: (message: FromProbe) => void): void {
  if (type === 'watch') {
    isWatching = true;
    for (const server of servers) watchServer(server, idOfServer(server));
  }
  // Asking for the facts also wraps what was registered meanwhile.
  const facts = collect();
  if (type === 'facts') send({ type: 'facts', facts });
}

/** Every Express application listens for `mount` on itself. */
function watchEvents(): void {
  const { prototype } = EventEmitter;
  const { on } = prototype;
  const watched = function on_(this: EventEmitter, event: string | symbol, listener: (...args: unknown[]) => void) {
    if (event === 'mount' && typeof this === 'function') addOnce(expressApps, this as unknown as ExpressApp);
    return Reflect.apply(on, this, [event, listener]) as EventEmitter;
  };
  prototype.on = watched as typeof on;
  prototype.addListener = watched as typeof on;
}

function addOnce<Item>(list: Item[], item: Item): void {
  if (!list.includes(item)) list.push(item);
}

function watchAddons(): void {
  const { dlopen } = process as unknown as { dlopen: (module: object, file: string, ...flags: number[]) => void };
  Object.assign(process, {
    dlopen(module: object, file: string, ...flags: number[]): void {
      Reflect.apply(dlopen, process, [module, file, ...flags]);
      addOnce(addons, file);
    },
  });
}

function watchListen(report: (server: WatchedServer) => void): void {
  const { listen } = Server.prototype;
  Server.prototype.listen = function listenWatched(this: WatchedServer, ...args: unknown[]) {
    this.once('listening', () => {
      addOnce(servers, this);
      if (isWatching) watchServer(this, idOfServer(this));
      setImmediate(() => report(this));
    });
    return Reflect.apply(listen, this, args) as Server;
  } as typeof listen;
}

function idOfServer(server: WatchedServer): string {
  return `server${servers.indexOf(server)}`;
}

function describe(server: WatchedServer): ReturnType<typeof describeServer> {
  return describeServer(server, idOfServer(server), idOfListener);
}

function idOfListener(listener: unknown): string | undefined {
  const index = expressApps.findIndex((app) => (app as unknown) === listener);
  return index < 0 ? undefined : `express${index}`;
}

function collect(): ProcessFacts {
  const given = isWatching ? watcher : undefined;
  const describeAll = (): ProcessFacts['applications'] => [
    ...expressApps.map((app, index) => describeExpress(app, `express${index}`, given)),
    ...koaApps.map((app, index) => describeKoa(app, `koa${index}`)),
  ];
  // Once to meet every function, once more with their places.
  describeAll();
  for (const server of servers) describe(server);
  findPlaces();
  return {
    kind: kindOfProcess(),
    pid: process.pid,
    script: script(),
    servers: servers.map(describe),
    applications: describeAll(),
    requests: requestFacts(),
    addons,
    signals: describeSignals(),
    privateReads: privateReads(),
  };
}

function kindOfProcess(): ProcessKind {
  if (!process.getBuiltinModule('node:worker_threads').isMainThread) return 'worker thread';
  if (process.getBuiltinModule('node:cluster').isWorker) return 'cluster worker';
  return process.send === undefined ? 'main' : 'forked';
}

function script(): string {
  return process.argv[1] ?? '';
}

/** Written out, so that this bundle shares no file with the command's. */
const variable: typeof DOCTOR_VARIABLE = 'FULMAR_DOCTOR_SOCKET';
const path = process.env[variable];
if (path !== undefined) install(path);
