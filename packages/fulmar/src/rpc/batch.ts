/**
 * Several calls of one request. They run side by side, but for those that are given a part of another's result:
 * these wait for it. What a call is given so is what its client would have seen of it, and nothing else.
 */
import { HttpError } from '../app/index.ts';
import { fromBinary, toBinary } from '../shape/binary/values.ts';
import { fromWire } from '../shape/wire-hints.ts';
import { failed, type Outcome, type Request, runCall } from './call.ts';
import { isMembers, toAsked, VERSION } from './request.ts';
import type { Endpoint } from './tree.ts';

/** What references to items of lists may give in one request. */
const ITEMS_MAX = 100_000;
/** Values that all references of a request may give: one may stand in a call as often as its content has room for. */
const VALUES_MAX = 1_000_000;
/** Of texts and bytes this much is a value. */
const LENGTH_PER_VALUE = 16;

export interface BatchOf {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly callsMax: number;
}

/** The reply. @throws HttpError 400, 413 for what is no batch */
export async function runBatch(
  members: Readonly<Record<string, unknown>>,
  request: Request,
  { endpoints, callsMax }: BatchOf,
): Promise<Outcome> {
  const { calls, want } = members;
  if (!Array.isArray(calls) || calls.length === 0) throw new HttpError(400, 'calls is a list of { path, params }.');
  if (calls.length > callsMax) throw new HttpError(413, `${callsMax} calls are taken in one request, and these are ${calls.length}.`);
  const { values, timeoutMs: timeout } = toAsked({ ...members, params: [] });
  const isWanted = wanted(want, calls.length);
  const left = { items: ITEMS_MAX, values: VALUES_MAX };
  const outcomes: Promise<Outcome>[] = [];
  for (const [at, call] of calls.entries())
    outcomes.push(runOne({ call, at, shared: { values, timeout } }, { endpoints, request, before: outcomes, left }));
  const settled = await Promise.all(outcomes);
  const results = settled.map((outcome, at) => resultIn(outcome, isWanted(at), request));
  if (!request.isBinary) return { status: 200, members: `,"results":[${results.join(',')}]` };
  const value = results.map(toResult);
  return { status: 200, bytes: toBinary({ rpc: VERSION, results: value }), value };
}

/** Calls whose results are to come; what went wrong is told of all. */
function wanted(want: unknown, count: number): (at: number) => boolean {
  if (want === undefined) return () => true;
  const isCall = (one: unknown): boolean => Number.isInteger(one) && (one as number) >= 0 && (one as number) < count;
  if (!Array.isArray(want) || !want.every(isCall)) throw new HttpError(400, 'want is a list of numbers of calls.');
  const numbers = new Set<unknown>(want);
  return (at) => numbers.has(at);
}

interface One {
  readonly call: unknown;
  readonly at: number;
  readonly shared: object;
}

interface Among {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly request: Request;
  /** Grows while calls are begun: it has what stands before this one. */
  readonly before: readonly Promise<Outcome>[];
  readonly left: Left;
}

async function runOne({ call, at, shared }: One, { endpoints, request, before, left }: Among): Promise<Outcome> {
  try {
    if (!isMembers(call) || typeof call['path'] !== 'string') throw new HttpError(400, `calls[${at}] is { path, params }.`);
    const endpoint = endpoints.get(call['path']);
    if (endpoint === undefined) throw new HttpError(404, `There is no procedure ${call['path']}.`);
    const asked = toAsked({ ...shared, params: call['params'], as: call['as'] });
    const earlier = before.slice(0, at);
    const results = new Map<number, unknown>();
    for (const one of referredTo(asked.as)) results.set(one, valueOf(one < at ? await earlier[one] : undefined, one));
    const resolve = (hint: readonly unknown[]): unknown => partOf(results, hint, left);
    return await runCall(endpoint, asked, request, resolve);
  } catch (error) {
    return failed(error, `call ${at} of a batch`, request.log);
  }
}

/** Calls that hints name: `["ref", 0, "id"]`. */
function referredTo(as: unknown): Set<number> {
  const found = new Set<number>();
  const waiting: unknown[] = [as];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next) && next[0] === 'ref') {
      if (!Number.isInteger(next[1]) || (next[1] as number) < 0)
        throw new HttpError(400, 'A reference is ["ref", number of an earlier call, …path].');
      found.add(next[1] as number);
    } else if (typeof next === 'object' && next !== null) {
      // One by one: as arguments of one call they could be too many for the stack.
      for (const one of Object.values(next)) waiting.push(one);
    }
  }
  return found;
}

function valueOf(outcome: Outcome | undefined, at: number): unknown {
  if (outcome === undefined) throw new HttpError(400, `Call ${at} is not before this one.`);
  if (outcome.stream !== undefined || outcome.status !== 200 || 'file' in outcome)
    throw new HttpError(424, `Call ${at}, whose result is needed, has none.`);
  if (outcome.bytes !== undefined) return (fromBinary(outcome.bytes) as { value: unknown }).value;
  const { value, as } = JSON.parse(`{${outcome.members.slice(1)}}`) as { value?: unknown; as?: unknown };
  return fromWire(value, as);
}

function partOf(results: ReadonlyMap<number, unknown>, [kind, at, ...path]: readonly unknown[], left: Left): unknown {
  if (kind !== 'ref') throw new TypeError(`${JSON.stringify(kind)} is no kind`);
  const part = within(results.get(at as number), path, left);
  count(part, left);
  return part;
}

interface Left {
  items: number;
  values: number;
}

/** A result that holds itself many times over, by a call that gives what it is given, is refused before it is made again. @throws HttpError 413 */
function count(part: unknown, left: Left): void {
  const waiting: unknown[] = [part];
  while (waiting.length > 0) {
    const value = waiting.pop();
    left.values -= 1 + (typeof value === 'string' || value instanceof Uint8Array ? value.length / LENGTH_PER_VALUE : 0);
    if (left.values < 0)
      throw new HttpError(
        413,
        `References to results give ${VALUES_MAX} values in one request, of texts ${LENGTH_PER_VALUE} characters each.`,
      );
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) continue;
    for (const one of value instanceof Map || value instanceof Set ? value : Object.values(value)) waiting.push(one);
  }
}

/** `*` is each item of a list, so that a reference can be as long as the list: they are counted. @throws HttpError 413 */
function within(from: unknown, path: readonly unknown[], left: Left): unknown {
  let value = from;
  for (const [depth, step] of path.entries()) {
    if (step === '*' && Array.isArray(value)) {
      if ((left.items -= value.length) < 0)
        throw new HttpError(413, `References to items of lists give ${ITEMS_MAX} items in one request.`);
      return value.map((item: unknown) => within(item, path.slice(depth + 1), left));
    }
    if (typeof value !== 'object' || value === null || !isStep(step) || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value;
}

const isStep = (step: unknown): step is string | number => typeof step === 'string' || typeof step === 'number';

/** What is not sent in bytes is JSON in both forms: errors, and results that have a text of their own. */
const toResult = (result: string | Uint8Array): unknown => (typeof result === 'string' ? JSON.parse(result) : result);

/** A stream has no end that others could wait for. */
function resultIn(outcome: Outcome, isWanted: boolean, { log }: Request): string | Uint8Array {
  const whole = ({ members }: { readonly members: string }): string => `{${members.slice(1)}}`;
  if (outcome.stream === undefined) {
    if (!isWanted && outcome.status === 200) return '{}';
    if (outcome.bytes !== undefined) return outcome.bytes;
    if (!('file' in outcome)) return whole(outcome);
    return whole(failed(new HttpError(400, 'A procedure that gives a file is asked by itself, not in a batch.'), 'batch', log));
  }
  const iterator = outcome.stream[Symbol.asyncIterator]();
  void Promise.resolve(iterator.return?.()).catch((error: unknown) => log.error('a stream that was not asked for', error));
  return whole(failed(new HttpError(400, 'A stream is asked for by itself, not in a batch.'), 'batch', log));
}
