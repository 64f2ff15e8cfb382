/**
 * What one run does: which mutations are on, and for each request of each client what is sent, how it is
 * read, what is done with the bytes and how it is answered. Both sides compute it from the seed, so that the
 * client knows what it may be answered.
 */
import { Random } from './random.ts';

export const CLIENTS = 32;
export const LAYERS = ['http', 'express', 'koa'] as const;
export type Layer = (typeof LAYERS)[number];

/** What is done with a chunk of content that the application was given. */
export const CHUNK_ACTS = [
  'keep',
  'structured-clone',
  'post-message',
  'post-worker',
  'transfer',
  'byte-stream',
  'fill',
  'widen',
  'keep-buffer',
] as const;
/**
 * These leave the chunk where it is. `read(n)` gives parts of a chunk: who gives one away has taken the rest
 * from the stream, in stock Node too.
 */
const STAYING = new Set<ChunkAct>(['keep', 'fill', 'widen', 'keep-buffer']);
/** How content is read. */
export const READERS = [
  'data',
  'for-await',
  'read-n',
  'to-web',
  'pipe-through',
  'pipe-back',
  'body-raw',
  'body-text',
  'body-json',
] as const;
/** What is done with the reply's memory after it was written. */
export const REPLY_ACTS = [
  'reply-structured-clone',
  'reply-transfer',
  'reply-post',
  'reply-fill',
  'shrink',
  'grow',
  'empty-and-grow',
] as const;
/** What the application replaces by functions that keep, transfer or overwrite every memory they see. */
export const PATCHES = [
  'Buffer.prototype.latin1Slice',
  'Buffer.prototype.utf8Slice',
  'Buffer.prototype.copy',
  'Buffer.prototype.subarray',
  'Buffer.prototype.latin1Write',
  'Buffer.prototype.utf8Write',
  'Buffer.prototype.toString',
  'Uint8Array.prototype.subarray',
  'Uint8Array.prototype.set',
  'Uint8Array.prototype.slice',
  'Buffer.from',
  'Buffer.allocUnsafe',
  'Buffer.allocUnsafeSlow',
  'Buffer.concat',
  'Function.prototype.call',
  'Function.prototype.apply',
  'Array.prototype.push',
  'Array.prototype.shift',
  'Array.prototype.slice',
  'Symbol.species',
] as const;
const OTHERS = ['walk', 'reserve', 'headers-count', 'late', 'upgrade', 'break-off', 'pool'] as const;

export type ChunkAct = (typeof CHUNK_ACTS)[number];
export type ReplyAct = (typeof REPLY_ACTS)[number];
export type Reader = (typeof READERS)[number];
export type Mutation = ChunkAct | ReplyAct | (typeof PATCHES)[number] | (typeof OTHERS)[number];

export const MUTATIONS: readonly Mutation[] = [...CHUNK_ACTS, ...REPLY_ACTS, ...OTHERS, ...PATCHES];

/** In one of this many runs the application patches prototypes: these runs see little else. */
const PATCHED_RUNS = 4;
const PATCHES_MAX = 5;
const CONTENT_BYTES_MAX = 256 * 1024;
const BODY_BYTES_MAX = 90 * 1024;
/** The engine closes a connection whose reply came long before its content's end. */
const UNREAD_BYTES_MAX = 32 * 1024;
const REPLY_BYTES_MAX = 2 * 1024 * 1024;
/** Bodies this large are for one request in many, as they would be all that a run does. */
const REPLY_BYTES_USUAL = 128 * 1024;

/** The mutations of a run. */
export function mutationsOf(seed: number): Mutation[] {
  const random = new Random(seed, 1);
  const some = <Item>(items: readonly Item[], percent: number): Item[] => items.filter(() => random.chance(percent));
  const chosen: Mutation[] = [...some(CHUNK_ACTS, 60), ...some(REPLY_ACTS, 60), ...some(OTHERS, 60)];
  if (random.below(PATCHED_RUNS) === 0) {
    const count = 1 + random.below(PATCHES_MAX);
    for (let i = 0; i < count; i += 1) chosen.push(random.pick(PATCHES));
  }
  return [...new Set(chosen)];
}

export type ReplyMemory = 'buffer' | 'uint8' | 'pool' | 'resizable' | 'shared' | 'dataview' | 'string';
export type ReplyWay = 'end' | 'write' | 'cork' | 'pipe' | 'layer';

export interface RequestPlan {
  readonly client: number;
  readonly number: number;
  /** `upgrade` turns the connection into an echo; `break-off` sends a part of the content and leaves. */
  readonly kind: 'plain' | 'upgrade' | 'break-off';
  readonly contentBytes: number;
  readonly isChunked: boolean;
  readonly hasTrailers: boolean;
  readonly reader: Reader | 'none';
  readonly acts: readonly ChunkAct[];
  /** Headers are first read after the reply. */
  readonly isLate: boolean;
  readonly walks: boolean;
  readonly reserves: boolean;
  readonly setsHeadersCount: boolean;
  readonly reply: {
    readonly bytes: number;
    readonly memory: ReplyMemory;
    readonly way: ReplyWay;
    readonly act: ReplyAct | null;
    /** The answer comes before the content is read. */
    readonly isEarly: boolean;
  };
  /** The client takes the reply in small pieces. */
  readonly isSlow: boolean;
  /** Sent together with the one before. */
  readonly isPipelined: boolean;
}

export interface RunPlan {
  readonly seed: number;
  readonly layer: Layer;
  readonly mutations: readonly Mutation[];
  readonly requests: number;
}

export function planRequest(run: RunPlan, client: number, number: number): RequestPlan {
  const random = new Random(run.seed, client, number);
  const has = (mutation: Mutation, percent: number): boolean => random.chance(percent) && run.mutations.includes(mutation);
  const isUpgrade = has('upgrade', 12);
  const isBrokenOff = has('break-off', 12);
  const hasContent = isUpgrade || isBrokenOff || random.chance(65);
  const reader = hasContent && !random.chance(8) ? pickReader(random, run.layer) : 'none';
  const isBody = reader.startsWith('body-');
  const limit = isUpgrade ? 16 * 1024 : CONTENT_BYTES_MAX;
  const isChunked = hasContent && !isUpgrade && random.chance(35);
  const reply = planReply(random, run, reader);
  return {
    client,
    number,
    kind: isUpgrade ? 'upgrade' : isBrokenOff ? 'break-off' : 'plain',
    contentBytes: hasContent ? random.size(isBody ? BODY_BYTES_MAX : reader === 'none' || reply.isEarly ? UNREAD_BYTES_MAX : limit) : 0,
    isChunked,
    hasTrailers: isChunked && random.chance(50),
    reader,
    acts: CHUNK_ACTS.filter((act) => has(act, act === 'keep' ? 60 : 35) && (STAYING.has(act) || reader !== 'read-n')),
    isLate: has('late', 50),
    walks: has('walk', 4),
    reserves: has('reserve', 3),
    setsHeadersCount: has('headers-count', 6),
    reply,
    isSlow: random.chance(20),
    isPipelined: random.chance(30),
  };
}

function planReply(random: Random, run: RunPlan, reader: RequestPlan['reader']): RequestPlan['reply'] {
  const bytes = random.size(random.chance(4) ? REPLY_BYTES_MAX : REPLY_BYTES_USUAL);
  const memory = random.pick(['buffer', 'uint8', 'pool', 'resizable', 'shared', 'dataview', 'string'] as const);
  const ways =
    run.layer === 'http' ? (['end', 'write', 'cork', 'pipe'] as const) : (['end', 'write', 'cork', 'pipe', 'layer', 'layer'] as const);
  const acts = REPLY_ACTS.filter((act) => run.mutations.includes(act) && canAct(act, memory));
  const act = acts.length > 0 && random.chance(60) ? random.pick(acts) : null;
  return { bytes, memory, way: random.pick(ways), act, isEarly: reader !== 'pipe-back' && random.chance(20) };
}

function canAct(act: ReplyAct, memory: ReplyMemory): boolean {
  if (memory === 'string') return false;
  if (act === 'shrink' || act === 'grow' || act === 'empty-and-grow') return memory === 'resizable';
  return act === 'reply-fill' || (memory !== 'shared' && memory !== 'pool');
}

function pickReader(random: Random, layer: Layer): Reader {
  const isExpress = layer === 'express';
  return random.pick(READERS.filter((reader) => isExpress || !reader.startsWith('body-')));
}
