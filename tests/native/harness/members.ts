/**
 * Lists what a module offers, by name and kind, so that no member is forgotten. Runs in the child, on both
 * hosts.
 */
import type { Lookup } from './write.ts';

/** Member → kind (`function`, `class`, `object`, `string` …). */
export type Members = Record<string, string>;

/** Own properties that every function has. */
const OF_FUNCTIONS: ReadonlySet<string> = new Set(['length', 'name', 'prototype', 'caller', 'arguments', 'constructor']);
const UNSUPPORTED = 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM';

/** Node's module, the global object, or undefined for a topic without a module. */
export function moduleNamed(name: string, lookup: Lookup): object | undefined {
  if (name === 'globals') return globalThis;
  try {
    return lookup(`node:${name}`) as object;
  } catch {
    return undefined;
  }
}

export function membersOf(name: string, lookup: Lookup): Members {
  const members: Members = {};
  const module = moduleNamed(name, lookup);
  if (module === undefined) return members;
  const keys = name === 'globals' ? Object.getOwnPropertyNames(module) : Object.keys(module);
  for (const key of keys.filter(isPublic)) {
    const value = read(module, key);
    members[key] = kindOf(value);
    if (name === 'globals' || value === module || (/^[a-z]/.test(key) && moduleNamed(`${name}/${key}`, lookup) !== undefined)) continue;
    if (members[key] === 'class') addClass(members, key, value as Class);
    else if (members[key] === 'object' && hasFunctions(value as object)) addNested(members, key, value as object);
  }
  return members;
}

const isPublic = (key: string): boolean => /^[A-Za-z$][\w$]*$/.test(key);

type Class = { readonly prototype: object };

function addClass(members: Members, name: string, value: Class): void {
  for (const key of Object.getOwnPropertyNames(value.prototype).filter(isPublic)) {
    if (key !== 'constructor') members[`${name}#${key}`] = describe(value.prototype, key);
  }
  for (const key of Object.getOwnPropertyNames(value).filter(isPublic)) {
    if (!OF_FUNCTIONS.has(key)) members[`${name}.${key}`] = describe(value, key);
  }
}

function addNested(members: Members, name: string, value: object): void {
  for (const key of Object.keys(value).filter(isPublic)) members[`${name}.${key}`] = describe(value, key);
}

function hasFunctions(value: object): boolean {
  return Object.keys(value).some((key) => typeof read(value, key) === 'function');
}

/** The kind of a property without running its getter on a prototype. */
function describe(holder: object, key: string): string {
  const descriptor = Object.getOwnPropertyDescriptor(holder, key);
  return descriptor?.get !== undefined || descriptor?.set !== undefined ? 'accessor' : kindOf(descriptor?.value);
}

function read(holder: object, key: string): unknown {
  try {
    return Reflect.get(holder, key) as unknown;
  } catch {
    return undefined;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'function') return typeof value;
  const prototype = (value as { prototype?: unknown }).prototype;
  const isClass =
    typeof prototype === 'object' && prototype !== null && (Object.getOwnPropertyNames(prototype).length > 1 || /^[A-Z]/.test(value.name));
  return isClass ? 'class' : 'function';
}

/** What a member is on this host: `absent`, `unsupported` (it throws that it is), or `present`. */
export function stateOf(name: string, member: string, lookup: Lookup): 'absent' | 'unsupported' | 'present' {
  const module = moduleNamed(name, lookup);
  if (module === undefined) return 'absent';
  const [path = '', inPrototype] = member.split('#');
  let value: unknown = module;
  for (const key of path.split('.')) value = stepInto(value, key);
  if (inPrototype !== undefined) {
    const prototype = stepInto(value, 'prototype');
    if (typeof prototype !== 'object' || prototype === null || !(inPrototype in prototype)) return 'absent';
    value = Object.getOwnPropertyDescriptor(prototype, inPrototype)?.value;
    return typeof value === 'function' && isUnsupported(value) ? 'unsupported' : 'present';
  }
  if (value === undefined) return 'absent';
  return typeof value === 'function' && isUnsupported(value) ? 'unsupported' : 'present';
}

function stepInto(value: unknown, key: string): unknown {
  return (typeof value === 'object' || typeof value === 'function') && value !== null ? read(value, key) : undefined;
}

/** Calls a function that is listed as missing, to see that it says so. */
function isUnsupported(value: unknown): boolean {
  try {
    (value as () => unknown)();
  } catch (error) {
    return read(error as object, 'code') === UNSUPPORTED;
  }
  return false;
}
