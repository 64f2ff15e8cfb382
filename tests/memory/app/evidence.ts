/**
 * What the application has found, and what it keeps to look at again: memory that must go on holding what it
 * held, requests whose heads are read long after their replies. Everything has a maximum.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientsIn, damageIn, foreignIn } from '../harness/marks.ts';
import type { RequestPlan } from '../harness/plan.ts';
import { isView, type Memory, textOf, viewOf } from './native-parts.ts';

const FINDINGS_MAX = 20;
const KEPT_MAX = 400;
const REQUESTS_MAX = 300;

export const findings: string[] = [];
export const counts: Record<string, number> = {};

/** Memory of the application's own, which may hold what it likes. */
const owned = new WeakSet<object>();

interface Kept {
  readonly what: string;
  readonly memory: Memory | ArrayBufferView;
  /** Undefined: who sees it is not known; two clients in it are too many. */
  readonly plan: RequestPlan | undefined;
  /** Where in the content it begins, or -1 when only foreign bytes are looked for. */
  readonly from: number;
}

const kept: Kept[] = [];
const requests: (() => void)[] = [];

export function find(what: string): void {
  if (findings.length < FINDINGS_MAX) findings.push(what);
}

export function count(what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

export function own<Item extends Memory>(memory: Item): Item {
  owned.add(memory);
  return memory;
}

export function isOwned(memory: Memory): boolean {
  return owned.has(memory);
}

/**
 * Bytes of Node's pool: those of `Buffer.poolSize`, on newer Nodes some more. Asked for before the pool is
 * switched off.
 */
export const NODE_POOL_BYTES = Buffer.allocUnsafe(1).buffer.byteLength;

/** Node's pool for small buffers is every client's in stock Node too. */
let poolBytes = 0;

/**
 * An application that replaces `Array.prototype.push` takes chunks from Node's streams, whose `push` it is:
 * content has gaps then.
 */
let mayHaveGaps = false;

export function allowGaps(): void {
  mayHaveGaps = true;
}

export function allowPool(bytes: number): void {
  poolBytes = bytes;
}

function isExempt(memory: Memory): boolean {
  return owned.has(memory) || (poolBytes > 0 && memory.byteLength === poolBytes);
}

/** Where two clients meet, or a client that is not the plan's. */
export function foreignText(text: string, plan: RequestPlan | undefined): string | undefined {
  if (plan !== undefined) {
    const client = foreignIn(text, plan.client);
    return client < 0 ? undefined : `bytes of client ${client}`;
  }
  const clients = clientsIn(text);
  return clients.size > 1 ? `bytes of clients ${[...clients].join(', ')}` : undefined;
}

/** Looks at all of a memory for bytes of others. */
export function checkMemory(what: string, memory: Memory, plan?: RequestPlan): boolean {
  // Nothing is left of memory that was transferred.
  if (memory.byteLength === 0 || isExempt(memory)) return true;
  const foreign = foreignText(textOf(viewOf(memory)), plan);
  if (foreign !== undefined)
    find(`${what}: ${foreign} in an ArrayBuffer of ${memory.byteLength} bytes${plan ? ` of client ${plan.client}` : ''}`);
  return foreign === undefined;
}

/** Content, or a part of it: must be the pattern, from this place on. */
export function checkContent(what: string, text: string, plan: RequestPlan, from: number): void {
  const foreign = foreignText(text, plan);
  const at = mayHaveGaps ? -1 : damageIn(text, plan.client, plan.number, from);
  if (foreign !== undefined || at >= 0) {
    const part = JSON.stringify(text.slice(Math.max(0, at), Math.max(0, at) + 32));
    find(`${what}: content of client ${plan.client}, request ${plan.number} holds ${foreign ?? 'something else'} at ${from + at}: ${part}`);
  }
}

export function keep(what: string, memory: Memory | ArrayBufferView, plan?: RequestPlan, from = -1): void {
  kept.push({ what, memory, plan, from });
  if (kept.length > KEPT_MAX) look(kept.shift()!);
}

function look({ what, memory, plan, from }: Kept): void {
  if (!isView(memory)) {
    checkMemory(`${what}, looked at again`, memory, plan);
  } else if (from >= 0 && plan !== undefined) {
    checkContent(`${what}, looked at again`, textOf(memory), plan, from);
  } else {
    checkMemory(`${what}, looked at again`, memory.buffer, plan);
  }
}

/** Keeps a request and its response; `check` is called when many others have come after it. */
export function keepRequest(check: () => void): void {
  requests.push(check);
  if (requests.length > REQUESTS_MAX) requests.shift()!();
}

export function lookAgain(): void {
  for (const one of kept.splice(0)) look(one);
  for (const check of requests.splice(0)) check();
}

/** The head must be the client's own, every field of it. */
export function checkHead(what: string, req: IncomingMessage, plan: RequestPlan, mark: string): void {
  const { url, method, rawHeaders, headers } = req;
  const text = [url, method, ...rawHeaders, ...Object.values(headers).flat()].join('\n');
  const foreign = foreignText(text, plan);
  if (foreign !== undefined) find(`${what}: the head of client ${plan.client}, request ${plan.number} holds ${foreign}`);
  const marked = rawHeaders.filter((name, index) => index % 2 === 0 && name.startsWith('X-Mark-'));
  const isWhole = marked.length === 4 && marked.every((name) => headers[name.toLowerCase()] === mark) && url?.includes(mark) === true;
  if (!isWhole) find(`${what}: the head of client ${plan.client}, request ${plan.number} is ${JSON.stringify(text.slice(0, 600))}`);
  count('heads');
}

export function checkReplyObject(what: string, res: ServerResponse, plan: RequestPlan): void {
  const text = JSON.stringify(res.getHeaders()) + String(res.statusMessage);
  const foreign = foreignText(text, plan);
  if (foreign !== undefined) find(`${what}: the response of client ${plan.client} holds ${foreign}`);
}
