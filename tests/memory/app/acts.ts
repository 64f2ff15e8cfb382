/**
 * What the application does with a chunk of content: keeps it, gives its memory away, writes over it. What
 * the platform refuses (memory that cannot be transferred, a host without workers) is not done.
 */
import { createRequire } from 'node:module';
import type { Worker } from 'node:worker_threads';
import { FILL } from '../harness/marks.ts';
import type { ChunkAct, RequestPlan } from '../harness/plan.ts';
import { checkContent, checkMemory, count, find, keep, NODE_POOL_BYTES } from './evidence.ts';
import { fillAll, textOf } from './native-parts.ts';

type Act = (chunk: Uint8Array, plan: RequestPlan, from: number) => void;
type Transferable = ArrayBuffer & { transfer?: () => ArrayBuffer };

const { structuredClone: clone, MessageChannel: Channel } = globalThis;

/**
 * A worker that holds what it is given, and tells which clients' cells it sees in it, now and once more when
 * the next one comes.
 */
const WORKER = `
  const { parentPort } = require('node:worker_threads');
  const held = [];
  const clients = (bytes) => [...new Set([...Buffer.from(bytes.buffer).toString('latin1').matchAll(/M(\\d\\d):[0-9a-f]{3}:[0-9a-f]{7}\\./g)].map((match) => Number(match[1])))];
  parentPort.on('message', ({ bytes, client }) => {
    held.push({ bytes, client });
    for (const one of held.length > 1 ? [held.at(-1), held[0]] : held) parentPort.postMessage({ client: one.client, seen: clients(one.bytes) });
    if (held.length > 50) held.shift();
  });`;

let worker: Worker | null | undefined;

/** Null: this host has no workers. */
function sharedWorker(): Worker | null {
  if (worker !== undefined) return worker;
  try {
    const { Worker: Class } = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker };
    worker = new Class(WORKER, { eval: true });
    worker.on('message', ({ client, seen }: { client: number; seen: number[] }) => {
      count('seen by the worker');
      if (seen.some((one) => one !== client)) find(`post-worker: a chunk of client ${client} holds bytes of clients ${seen.join(', ')}`);
    });
    worker.on('error', (error: unknown) => find(`post-worker: the worker failed: ${String(error)}`));
    worker.unref();
  } catch {
    worker = null;
  }
  return worker;
}

/** Gives `chunk`'s memory away by `move`; what comes out must still be the content, now and later. */
function movedBy(what: ChunkAct, move: (chunk: Uint8Array) => Uint8Array | undefined): Act {
  return (chunk, plan, from) => {
    let moved: Uint8Array | undefined;
    try {
      moved = move(chunk);
    } catch {
      count(`${what} refused`);
      return;
    }
    if (moved === undefined) return;
    count(what);
    checkContent(what, textOf(moved), plan, from);
    checkMemory(what, moved.buffer as ArrayBuffer, plan);
    keep(what, moved, plan, from);
    keep(what, moved.buffer as ArrayBuffer, plan);
  };
}

function postMessage(chunk: Uint8Array, plan: RequestPlan, from: number): void {
  const { port1, port2 } = new Channel();
  port2.addEventListener('message', (event: Event) => {
    const received = (event as MessageEvent).data as Uint8Array;
    count('post-message');
    checkContent('post-message', textOf(received), plan, from);
    checkMemory('post-message', received.buffer, plan);
    keep('post-message', received, plan, from);
    port2.close();
  });
  port2.start();
  try {
    port1.postMessage(chunk, [chunk.buffer as ArrayBuffer]);
  } catch {
    count('post-message refused');
    port2.close();
  }
}

function postWorker(chunk: Uint8Array, plan: RequestPlan): void {
  try {
    sharedWorker()?.postMessage({ bytes: chunk, client: plan.client }, [chunk.buffer as ArrayBuffer]);
    count('post-worker');
  } catch {
    count('post-worker refused');
  }
}

/** `controller.enqueue()` of a byte stream transfers what it is given. */
function byteStream(chunk: Uint8Array, plan: RequestPlan, from: number): void {
  let refused = false;
  const stream = new ReadableStream({
    type: 'bytes',
    start(controller) {
      try {
        controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
      } catch {
        refused = true;
      }
      controller.close();
    },
  });
  if (refused) {
    count('byte-stream refused');
    return;
  }
  const look = async (): Promise<void> => {
    const { value } = (await stream.getReader().read()) as { value?: Uint8Array };
    if (value === undefined) return;
    count('byte-stream');
    checkContent('byte-stream', textOf(value), plan, from);
    checkMemory('byte-stream', value.buffer as ArrayBuffer, plan);
    keep('byte-stream', value, plan, from);
  };
  look().catch((error: unknown) => find(`byte-stream: ${String(error)}`));
}

const ACTS: Readonly<Record<ChunkAct, Act>> = {
  keep: (chunk, plan, from) => keep('keep', chunk, plan, from),
  'structured-clone': movedBy('structured-clone', (chunk) => clone(chunk, { transfer: [chunk.buffer as ArrayBuffer] })),
  'post-message': postMessage,
  'post-worker': postWorker,
  transfer: movedBy('transfer', (chunk) => {
    const { byteOffset, length } = chunk;
    const moved = (chunk.buffer as Transferable).transfer?.();
    return moved === undefined ? undefined : new Uint8Array(moved, byteOffset, length);
  }),
  'byte-stream': byteStream,
  fill: (chunk) => fillAll(chunk, FILL),
  widen: (chunk, plan) => void checkMemory('chunk.buffer', chunk.buffer as ArrayBuffer, plan),
  'keep-buffer': (chunk, plan) => keep('chunk.buffer', chunk.buffer as ArrayBuffer, plan),
};

/** A chunk may be given away by one act only; looking at it comes first. */
const ORDER: readonly ChunkAct[] = ['widen', 'keep', 'keep-buffer', 'fill'];

/** Checks a chunk of content and does with it what the plan says. */
export function act(chunk: Uint8Array, plan: RequestPlan, from: number): void {
  checkContent('content', textOf(chunk), plan, from);
  count('chunks');
  for (const one of ORDER) if (plan.acts.includes(one)) ACTS[one](chunk, plan, from);
  const away = plan.acts.filter((one) => !ORDER.includes(one));
  // Each chunk of a request goes another way.
  const chosen = away[Math.floor(from / 4096) % Math.max(1, away.length)];
  if (chosen !== undefined && !isPooled(chunk)) ACTS[chosen](chunk, plan, from);
}

/** To detach Node's pool breaks every application in stock Node too. */
function isPooled(chunk: Uint8Array): boolean {
  return Buffer.poolSize > 0 && chunk.buffer.byteLength === NODE_POOL_BYTES && chunk.length < NODE_POOL_BYTES;
}
