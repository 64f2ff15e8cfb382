/**
 * `node:cluster`: a native executable is one process. It is always the primary, and has no workers; what
 * would start one says so.
 */
import { EventEmitter } from 'node:events';
import { unsupported } from '../shared/errors.ts';

const cluster = new EventEmitter() as EventEmitter & Record<string, unknown>;
const SCHED_NONE = 1;
const SCHED_RR = 2;

class Worker extends EventEmitter {
  constructor() {
    super();
    throw refused('new cluster.Worker()');
  }
}

const refused = (what: string): Error =>
  unsupported(what, 'Start several processes that listen with { reusePort: true }; the system shares connections among them.');

function setupPrimary(settings?: object): void {
  cluster['settings'] = { ...(cluster['settings'] as object), ...settings };
}

Object.assign(cluster, {
  isWorker: false,
  isMaster: true,
  isPrimary: true,
  Worker,
  workers: {},
  settings: {},
  SCHED_NONE,
  SCHED_RR,
  schedulingPolicy: SCHED_RR,
  setupPrimary,
  setupMaster: setupPrimary,
  fork(): never {
    throw refused('cluster.fork()');
  },
  disconnect(callback?: () => void): void {
    if (callback !== undefined) process.nextTick(callback);
  },
});

export default cluster;
