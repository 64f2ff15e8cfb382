/**
 * An object's members, each looked at once, in the order in which the object has them: where that is the
 * shape's own order, as nearly always, no name is looked up. A name that every object inherits is never met here.
 */
import { isPlainObject, Look } from './kind.ts';
import { isSentAsItIs, mayBeMissing, type Members, memberOf } from './members.ts';
import type { Compiled, CompiledProperty } from './objects.ts';
import type { Rule } from './rule-types.ts';

/** Properties that have a bit each of a small integer. */
const PROPERTIES_MAX = 30;

export interface Rest {
  /** What is to be looked at beside properties; null where that is nothing. */
  readonly check: ((value: Members) => boolean) | null;
  /** That there is no other member is all of it. */
  readonly isClosed: boolean;
}

export const checksInOrder = ({ properties }: Compiled): boolean =>
  properties.length > 0 && properties.length <= PROPERTIES_MAX && !properties.some(({ isInherited }) => isInherited);

export function checkInOrder(compiled: Compiled, rest: Rest): Rule['check'] {
  const { properties, isReply } = compiled;
  const names = properties.map(({ name }) => name);
  const places = new Map(names.map((name, at) => [name, at]));
  const looks = properties.map(({ rule }) => rule.look ?? Look.NONE);
  const checks = properties.map(({ rule }) => rule.check);
  const all = 2 ** names.length - 1;
  const isOpen = rest.check === null;
  return (value) => {
    if (!isPlainObject(value) || (isReply && !isSentAsItIs(value))) return false;
    let seen = 0;
    let next = 0;
    let hasOthers = false;
    for (const name in value) {
      const at = name === names[next] ? next : (places.get(name) ?? -1);
      if (at < 0) {
        hasOthers = true;
        continue;
      }
      const member = value[name];
      // As if it were not there, which is judged below.
      if (member === undefined) continue;
      const look = looks[at] as number;
      if (look === Look.NONE ? !(checks[at] as Rule['check'])(member) : !isOfLook(member, look)) return false;
      seen |= 1 << at;
      next = at + 1;
      if (isOpen && seen === all) return true;
    }
    if (seen !== all && !checkUnseen(properties, value, seen)) return false;
    return rest.check === null || (rest.isClosed && !hasOthers) || rest.check(value);
  };
}

function isOfLook(member: unknown, look: number): boolean {
  if (look === Look.STRING) return typeof member === 'string';
  if (look === Look.BOOLEAN) return typeof member === 'boolean';
  return look === Look.INTEGER ? Number.isInteger(member) : Number.isFinite(member);
}

/** Properties that are not there, and those that a class has for its objects. */
function checkUnseen(properties: readonly CompiledProperty[], value: Members, seen: number): boolean {
  for (let at = 0; at < properties.length; at += 1) {
    if ((seen & (1 << at)) !== 0) continue;
    const property = properties[at] as CompiledProperty;
    const member = memberOf(value, property);
    if (member === undefined ? !mayBeMissing(property, value) : !property.rule.check(member)) return false;
  }
  return true;
}
