/**
 * What stands for the result of a call that is not made yet: its number, and the way to a part of it. A parameter that is one becomes a
 * reference, which the server follows; nothing of what is written here runs there.
 */
import type { Hint } from '../../fulmar/src/shape/wire-hints.ts';

type Path = readonly (string | number)[];

const planned = new WeakMap<object, Path>();

export function part(path: Path): object {
  const made: object = new Proxy(() => {}, {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : part([...path, name])),
    apply: (_, __, [each]: readonly unknown[]) => mapped(path, each),
  });
  planned.set(made, path);
  return made;
}

/** `birds.map((bird) => bird.id)`: that part of each item. */
function mapped(path: Path, each: unknown): unknown {
  const given =
    path.at(-1) === 'map' && typeof each === 'function'
      ? (each as (item: object) => unknown)(part([...path.slice(0, -1), '*']))
      : undefined;
  if (!planned.has(given as object)) throw new TypeError('map() of a planned result names a part, as in (bird) => bird.name.');
  return given;
}

export function refOf(value: object): Hint | undefined {
  const path = planned.get(value);
  return path === undefined ? undefined : (['ref', ...path] as unknown as Hint);
}

/** The number of a call; `undefined` for anything else. */
export function callNumber(value: unknown): number | undefined {
  const path = planned.get(value as object);
  return path?.length === 1 ? (path[0] as number) : undefined;
}
