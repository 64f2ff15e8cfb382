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
  const { calls, values = {}, timeout = 0 } = members;
  if (!Array.isArray(calls) || calls.length === 0) throw new HttpError(400, 'calls is a list of { path, params }.');
  if (calls.length > callsMax) throw new HttpError(413, `${callsMax} calls are taken in one request, and these are ${calls.length}.`);
  const outcomes: Promise<Outcome>[] = [];
  for (const [at, call] of calls.entries())
    outcomes.push(runOne({ call, at, shared: { values, timeout } }, { endpoints, request, before: outcomes }));
  const settled = await Promise.all(outcomes);
  const results = settled.map((outcome) => resultIn(outcome, request));
  if (request.isBinary) return { status: 200, bytes: toBinary({ rpc: VERSION, results: results.map(toResult) }) };
  return { status: 200, members: `,"results":[${results.join(',')}]` };
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
}

async function runOne({ call, at, shared }: One, { endpoints, request, before }: Among): Promise<Outcome> {
  try {
    if (!isMembers(call) || typeof call['path'] !== 'string') throw new HttpError(400, `calls[${at}] is { path, params }.`);
    const endpoint = endpoints.get(call['path']);
    if (endpoint === undefined) throw new HttpError(404, `There is no procedure ${call['path']}.`);
    const asked = toAsked({ ...shared, params: call['params'], as: call['as'] });
    const earlier = before.slice(0, at);
    const results = new Map<number, unknown>();
    for (const one of referredTo(asked.as)) results.set(one, valueOf(one < at ? await earlier[one] : undefined, one));
    const resolve = (hint: readonly unknown[]): unknown => partOf(results, hint);
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
    } else if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next).filter((one) => one !== null));
  }
  return found;
}

function valueOf(outcome: Outcome | undefined, at: number): unknown {
  if (outcome === undefined) throw new HttpError(400, `Call ${at} is not before this one.`);
  if (outcome.stream !== undefined || outcome.status !== 200) throw new HttpError(424, `Call ${at}, whose result is needed, has none.`);
  if (outcome.bytes !== undefined) return (fromBinary(outcome.bytes) as { value: unknown }).value;
  const { value, as } = JSON.parse(`{${outcome.members.slice(1)}}`) as { value?: unknown; as?: unknown };
  return fromWire(value, as);
}

function partOf(results: ReadonlyMap<number, unknown>, [kind, at, ...path]: readonly unknown[]): unknown {
  if (kind !== 'ref') throw new TypeError(`${JSON.stringify(kind)} is no kind`);
  let value = results.get(at as number);
  for (const step of path) {
    if (
      typeof value !== 'object' ||
      value === null ||
      (typeof step !== 'string' && typeof step !== 'number') ||
      !Object.hasOwn(value, step)
    )
      return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value;
}

/** Errors are JSON in both forms. */
const toResult = (result: string | Uint8Array): unknown => (typeof result === 'string' ? JSON.parse(result) : result);

/** A stream has no end that others could wait for. */
function resultIn(outcome: Outcome, { log }: Request): string | Uint8Array {
  if (outcome.stream === undefined) return outcome.bytes ?? `{${outcome.members.slice(1)}}`;
  const iterator = outcome.stream[Symbol.asyncIterator]();
  void Promise.resolve(iterator.return?.()).catch((error: unknown) => log.error('a stream that was not asked for', error));
  return failed(new HttpError(400, 'A stream is asked for by itself, not in a batch.'), 'batch', log).members.replace(/^,(.*)$/s, '{$1}');
}
