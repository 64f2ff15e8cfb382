/** node:cluster: a native executable is one process, and always the primary. */
import cluster from 'node:cluster';
import { cases } from '../harness/cases.ts';

const reason = 'start several processes that listen with { reusePort: true }; the system shares connections among them';

export default cases(
  'cluster',
  {
    isPrimary: [() => cluster.isPrimary],
    isMaster: [() => cluster.isMaster],
    isWorker: [() => cluster.isWorker],
    workers: [() => ({ ...cluster.workers })],
    settings: [() => ({ ...cluster.settings })],
    SCHED_NONE: [() => cluster.SCHED_NONE],
    SCHED_RR: [() => cluster.SCHED_RR],
    schedulingPolicy: [() => cluster.schedulingPolicy],
    Worker: [() => typeof new cluster.Worker()],
    disconnect: [() => new Promise((resolve) => cluster.disconnect(() => resolve('disconnected')))],
  },
  { missing: { fork: reason }, differs: { Worker: reason } },
);
