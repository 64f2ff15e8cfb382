/**
 * Hints of what was written of a value: a look at the value along its JSON. What the JSON does not have is not looked
 * at, so that nothing is said of members that a type leaves out, however they are named and whatever they hold.
 */
import { type Hint, hintOfList, refuseReadLater, toWire, WIRE_DEPTH_MAX } from '../shape/wire-hints.ts';

type Members = Readonly<Record<string, unknown>>;

/** @throws TypeError for what is nested too deep, and for files and streams */
export function hintAlong(value: unknown, json: unknown, depth = 0): Hint | undefined {
  if (depth > WIRE_DEPTH_MAX) throw new TypeError(`a value nested deeper than ${WIRE_DEPTH_MAX} levels cannot be sent`);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null || isSingle(value)) return hintOfSingle(value, json);
  if (value instanceof Map || value instanceof Set) {
    if (!Array.isArray(json)) return undefined;
    return [value instanceof Map ? 'map' : 'set', listAlong([...(value as Iterable<unknown>)], json, depth) ?? null];
  }
  if (Array.isArray(value)) return Array.isArray(json) ? listAlong(value, json, depth) : undefined;
  refuseReadLater(value);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return hintAlong((toJSON as () => unknown).call(value), json, depth + 1);
  return typeof json === 'object' && json !== null ? membersAlong(value as Members, json as Members, depth) : undefined;
}

/** Has no members of its own in JSON. */
export const isSingle = (value: object): boolean => value instanceof Date || value instanceof URL || value instanceof Uint8Array;

/** What was written another way, as a codec does, stands for itself. */
export function hintOfSingle(value: unknown, json?: unknown): Hint | undefined {
  const wire = toWire(value);
  return json === undefined || wire.json === json ? wire.as : undefined;
}

const listAlong = (items: readonly unknown[], json: readonly unknown[], depth: number): Hint | undefined =>
  hintOfList(json.map((one, at) => hintAlong(items[at], one, depth + 1)));

function membersAlong(value: Members, json: Members, depth: number): Hint | undefined {
  const said = Object.keys(json).flatMap((name) => {
    const hint = Object.hasOwn(value, name) ? hintAlong(value[name], json[name], depth + 1) : undefined;
    return hint === undefined ? [] : [[name, hint] as const];
  });
  return said.length === 0 ? undefined : Object.fromEntries(said);
}
