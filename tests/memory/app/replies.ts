/**
 * The ways in which the application replies, and what it does with the reply's memory once it was written.
 * What it writes over it has the client's leave; what it takes away may break the connection off.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { FILL, pattern } from '../harness/marks.ts';
import type { ReplyAct, RequestPlan } from '../harness/plan.ts';
import { count, own } from './evidence.ts';
import { fillAll } from './native-parts.ts';

const POOL_BYTES = 4 * 1024 * 1024;
const PIECES = 5;

let pool = new Uint8Array(own(new ArrayBuffer(POOL_BYTES)));
let poolAt = 0;

/** A part of memory that holds other clients' replies before and behind it. */
function pooled(bytes: number): Uint8Array {
  if (poolAt + bytes > POOL_BYTES) {
    pool = new Uint8Array(own(new ArrayBuffer(POOL_BYTES)));
    poolAt = 0;
  }
  const part = pool.subarray(poolAt, poolAt + bytes);
  poolAt += bytes;
  return part;
}

type Resizable = ArrayBuffer & { resize?: (bytes: number) => void };

function memoryFor({ reply: { bytes, memory } }: RequestPlan): Uint8Array {
  if (memory === 'pool') return pooled(bytes);
  if (memory === 'shared') return new Uint8Array(own(new SharedArrayBuffer(bytes)));
  if (memory === 'resizable') {
    const Class = ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer;
    return new Uint8Array(own(new Class(bytes, { maxByteLength: bytes * 2 })));
  }
  const made = new Uint8Array(own(new ArrayBuffer(bytes)));
  return memory === 'uint8' ? made : Buffer.from(made.buffer, 0, bytes);
}

/** The reply's content, in memory of the planned kind. */
export function replyBody(plan: RequestPlan): Uint8Array | string {
  const text = pattern(plan.client, plan.number, 0, plan.reply.bytes);
  if (plan.reply.memory === 'string') return text;
  const body = memoryFor(plan);
  for (let i = 0; i < text.length; i += 1) body[i] = text.charCodeAt(i);
  return body;
}

/** `write` takes a DataView on some Nodes and refuses it on others; Fulmar must do one or the other. */
function dataView(res: ServerResponse, body: Uint8Array): boolean {
  try {
    res.write(new DataView(body.buffer, body.byteOffset, body.byteLength));
    return true;
  } catch {
    count('DataView refused');
    return false;
  }
}

function pieces(body: Uint8Array | string): (Uint8Array | string)[] {
  const step = Math.ceil(body.length / PIECES);
  return Array.from({ length: PIECES }, (_, i) =>
    typeof body === 'string' ? body.slice(i * step, (i + 1) * step) : body.subarray(i * step, (i + 1) * step),
  ).filter((piece) => piece.length > 0);
}

/** Writes the whole reply in the planned way, and calls `written` when the last piece is given. */
export function give(res: ServerResponse, plan: RequestPlan, body: Uint8Array | string, written: () => void): void {
  const { way, memory } = plan.reply;
  if (way === 'pipe') {
    const source = Readable.from(pieces(body));
    source.once('end', written);
    source.pipe(res);
    return;
  }
  if (memory === 'dataview' && typeof body !== 'string' && dataView(res, body)) {
    res.end();
  } else if (way === 'write' || way === 'cork') {
    if (way === 'cork') res.cork();
    for (const piece of pieces(body)) res.write(piece);
    if (way === 'cork') res.uncork();
    res.end();
  } else {
    res.end(body);
  }
  written();
}

function resize(body: Uint8Array, bytes: number): void {
  (body.buffer as Resizable).resize?.(bytes);
}

const ACTS: Readonly<Record<ReplyAct, (body: Uint8Array) => void>> = {
  'reply-structured-clone': (body) => fillAll(structuredClone(body, { transfer: [body.buffer as ArrayBuffer] }), FILL),
  'reply-transfer': (body) => {
    const moved = (body.buffer as ArrayBuffer & { transfer?: (bytes: number) => ArrayBuffer }).transfer?.(1);
    if (moved !== undefined) fillAll(new Uint8Array(own(moved)), FILL);
  },
  'reply-post': (body) => {
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(body, [body.buffer as ArrayBuffer]);
    port1.close();
    port2.close();
  },
  'reply-fill': (body) => fillAll(body, FILL),
  shrink: (body) => resize(body, body.buffer.byteLength >>> 1),
  grow: (body) => resize(body, body.buffer.byteLength * 2),
  'empty-and-grow': (body) => {
    const bytes = body.buffer.byteLength;
    resize(body, 0);
    resize(body, bytes * 2);
  },
};

/**
 * What becomes of the memory after it was written; new memory of the same size is asked for, to be where it
 * was.
 */
export function actOnReply(body: Uint8Array | string, act: ReplyAct | null): void {
  if (act === null || typeof body === 'string') return;
  const bytes = body.byteLength;
  try {
    ACTS[act](body);
    count(act);
  } catch {
    count(`${act} refused`);
  }
  if (bytes > 0) fillAll(new Uint8Array(own(new ArrayBuffer(bytes))), '?'.charCodeAt(0));
}
