/**
 * `node:cluster`: each worker listens for itself with SO_REUSEPORT. What Node's primary did for it is done
 * here: the primary learns who listens, port 0 is the same in all workers, and a disconnecting worker closes
 * its servers. Messages use Node's internal channel, so applications never see them.
 */
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import type { ServerState } from './server-state.ts';

/** How long a worker waits for a primary that may not know us, in ms. */
const ANSWER_TIMEOUT_MS = 2_000;
const ASK = 'NODE_FULMAR_ASK_PORT';
const ANSWER = 'NODE_FULMAR_PORT';
const TAKEN = 'NODE_FULMAR_PORT_TAKEN';

interface PortMessage {
  readonly cmd: string;
  readonly key: string;
  readonly port: number;
}

type Send = (message: object) => void;

/** Who is gone needs no message; without somebody to tell, a failure to send would end the process. */
const nop = (): void => undefined;

const isWorker = (): boolean => cluster.isWorker;

const isPortMessage = (value: unknown): value is PortMessage => {
  const { cmd } = (value ?? {}) as { cmd?: unknown };
  return cmd === ASK || cmd === ANSWER || cmd === TAKEN;
};

// ---- the primary ----

/** One port-0 listen that workers share. `port` 0: a worker is trying, the others wait. */
interface SharedPort {
  port: number;
  trying: Worker | null;
  waiting: { worker: Worker; reply: Send }[];
}

/** Bounded by the number of different port-0 listens of the application. */
const shared = new Map<string, SharedPort>();

function offer(entry: SharedPort, key: string, worker: Worker, reply: Send): void {
  if (entry.port === 0 && entry.trying !== null) {
    entry.waiting.push({ worker, reply });
    return;
  }
  if (entry.port === 0) entry.trying = worker;
  reply({ cmd: ANSWER, key, port: entry.port });
}

function settle(entry: SharedPort, key: string, port: number): void {
  entry.port = port;
  entry.trying = null;
  for (const { worker, reply } of entry.waiting.splice(0)) offer(entry, key, worker, reply);
}

function onWorkerMessage(worker: Worker, message: unknown): void {
  if (!isPortMessage(message)) return;
  const { cmd, key, port } = message;
  const entry = shared.get(key) ?? { port: 0, trying: null, waiting: [] };
  shared.set(key, entry);
  if (cmd === ASK) offer(entry, key, worker, (reply) => void worker.process.send(reply, nop));
  else if (cmd === TAKEN && entry.trying === worker) settle(entry, key, port);
}

function follow(worker: Worker): void {
  worker.process.on('internalMessage' as 'message', (message: unknown) => onWorkerMessage(worker, message));
  worker.once('disconnect', () => letGo(worker));
  worker.once('exit', () => letGo(worker));
}

/** It asks for nothing any more, and tells nothing. */
function letGo(worker: Worker): void {
  for (const [key, entry] of shared) {
    entry.waiting = entry.waiting.filter((one) => one.worker !== worker);
    if (entry.trying === worker) settle(entry, key, 0);
  }
}

let isServing = false;

/**
 * A primary answers its workers. Asked for by whoever is there before the first of them: this package, what
 * starts the application, or both.
 */
function servePrimary(): void {
  if (!cluster.isPrimary || isServing) return;
  isServing = true;
  for (const worker of Object.values(cluster.workers ?? {})) if (worker !== undefined) follow(worker);
  cluster.on('fork', follow);
}

// ---- a worker ----

/** How often this worker has listened on port 0 for the same address; part of the key, as in Node. */
const counts = new Map<string, number>();

/**
 * Asks the primary for the port of a port-0 listen. `ready(port, taken)`: listen on `port` (0: any) and tell
 * which it was, 0 if none: others may wait for it. Without an answer every worker takes its own port, with a
 * warning.
 */
function agreePort(address: string, ready: (port: number, taken: (port: number) => void) => void): void {
  const index = counts.get(address) ?? 0;
  counts.set(address, index + 1);
  const key = `${address}:${index}`;
  const taken = (port: number): void => send({ cmd: TAKEN, key, port });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.emitWarning('the cluster primary did not answer; load fulmar/http there too, so that listen(0) gives all workers one port');
    ready(0, nop);
  }, ANSWER_TIMEOUT_MS);
  const onAnswer = (message: unknown): void => {
    if (!isPortMessage(message) || message.cmd !== ANSWER || message.key !== key) return;
    clearTimeout(timer);
    process.off('internalMessage' as 'message', onAnswer);
    if (isLate) taken(0);
    else ready(message.port, taken);
  };
  process.on('internalMessage' as 'message', onAnswer);
  send({ cmd: ASK, key, port: 0 });
}

function send(message: object): void {
  if (process.connected) process.send?.(message, nop);
}

/**
 * Tells the primary, which emits `listening`, and closes the server when the worker disconnects. `asked`: the
 * address that `listen()` was given or has found for a name, null for none.
 */
function announceListening(server: ServerState, asked: { readonly address: string | null; readonly addressType: number | null }): void {
  const address = server.address();
  const where =
    typeof address === 'object' && address !== null
      ? { address: asked.address, port: address.port, addressType: asked.addressType ?? 4 }
      : { address, port: -1, addressType: -1 };
  send({ cmd: 'NODE_CLUSTER', act: 'listening', ...where });
  const { worker } = cluster;
  const close = (): void => void (server.listening && server.close());
  worker?.once('disconnect', close);
  server.once('close', () => worker?.removeListener('disconnect', close));
}

export default { agreePort, announceListening, isWorker, servePrimary };
