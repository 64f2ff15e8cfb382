/**
 * What counts as a member of an object: what it inherits from `Object.prototype` never does, and what is to be
 * JSON is its own members alone.
 */
import type { CompiledProperty } from './objects.ts';

export type Members = Readonly<Record<string, unknown>>;

/** Whether `JSON.stringify` writes exactly the own members: else the value is converted first. */
export const isSentAsItIs = (value: Members): boolean => hasOwnAlone(value) && typeof value['toJSON'] !== 'function';

export function hasOwnAlone(value: Members): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export const memberOf = (value: Members, { name, isInherited }: CompiledProperty): unknown =>
  isInherited && !Object.hasOwn(value, name) ? undefined : value[name];

/** For a member that is `undefined`: whether it may be that, or not be there. */
export function mayBeMissing({ name, rule, presence, isInherited }: CompiledProperty, value: Members): boolean {
  if (presence === 'optional') return true;
  const isThere = isInherited ? Object.hasOwn(value, name) : name in value;
  return isThere ? rule.check(undefined) : presence === 'exact';
}
