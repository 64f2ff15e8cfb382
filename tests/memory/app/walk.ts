/**
 * Everything that can be reached from an object by reflection: own and inherited fields, symbols, getters,
 * the elements of collections. Every memory that is found on the way is looked at. The server, which knows
 * all clients, is not entered.
 */
import type { RequestPlan } from '../harness/plan.ts';
import { checkMemory, count, find, foreignText } from './evidence.ts';
import { apply, getOwnPropertyDescriptor, getPrototypeOf, isMemory, isView, ownKeys } from './native-parts.ts';

const OBJECTS_MAX = 4000;
const DEPTH_MAX = 7;
/** Lead to every client, in stock Node too, or out of the application. */
const SHARED_KEYS = new Set<unknown>(['server', '_server', 'prototype', 'constructor', 'caller', 'callee', 'arguments', 'app']);
const outside = new WeakSet<object>([globalThis, process, console]);

interface Step {
  readonly value: object;
  readonly path: string;
  readonly depth: number;
}

/** Walks from `root`. */
export function walk(name: string, root: object, plan: RequestPlan): void {
  const seen = new Set<object>();
  const open: Step[] = [{ value: root, path: name, depth: 0 }];
  for (let at = 0; at < open.length && at < OBJECTS_MAX; at += 1) {
    const step = open[at]!;
    if (isMemory(step.value) || isView(step.value)) {
      const memory = isView(step.value) ? step.value.buffer : step.value;
      checkMemory(`walk ${step.path}`, memory, plan);
    } else if (step.depth < DEPTH_MAX) {
      for (const [key, value] of members(step.value)) {
        if (typeof value === 'string') checkText(`${step.path}.${key}`, value, plan);
        if (value === null || (typeof value !== 'object' && typeof value !== 'function')) continue;
        if (seen.has(value) || outside.has(value)) continue;
        seen.add(value);
        open.push({ value, path: `${step.path}.${key}`, depth: step.depth + 1 });
      }
    }
  }
  count('walks');
}

function checkText(path: string, text: string, plan: RequestPlan): void {
  const foreign = foreignText(text, plan);
  if (foreign !== undefined) find(`walk ${path}: ${foreign} in a string that client ${plan.client} can reach`);
}

/** Own members and, through prototypes, getters, each read with the object itself as `this`. */
function members(object: object): [string, unknown][] {
  const found: [string, unknown][] = [];
  if (object instanceof Map) found.push(...[...object].flat().map((value, i): [string, unknown] => [`<entry ${i}>`, value]));
  if (object instanceof Set) found.push(...[...object].map((value, i): [string, unknown] => [`<item ${i}>`, value]));
  for (let holder: object | null = object; holder !== null && holder !== Object.prototype; holder = getPrototypeOf(holder)) {
    for (const key of ownKeys(holder)) {
      if (SHARED_KEYS.has(key)) continue;
      const found1 = read(object, holder, key);
      if (found1 !== undefined) found.push([String(key), found1]);
    }
  }
  return found;
}

function read(object: object, holder: object, key: PropertyKey): unknown {
  const member = getOwnPropertyDescriptor(holder, key);
  if (member === undefined) return undefined;
  if ('value' in member && member.get === undefined) return member.value as unknown;
  try {
    return member.get === undefined ? undefined : apply(member.get, object, []);
  } catch {
    return undefined;
  }
}
