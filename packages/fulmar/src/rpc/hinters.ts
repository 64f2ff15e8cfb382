/**
 * What tells the hints of values of one type, and how those of lists and objects are made of those of their parts. Knows
 * no shapes.
 */
import type { Hint } from '../shape/wire-hints.ts';
import { hintOfJson, joined } from './json-hints.ts';

export interface Hinter {
  readonly of: (value: unknown) => Hint | undefined;
  /** What `of` gives nearly always, the same object each time; `undefined` where there is nothing to say. */
  readonly usual: Hint | undefined;
}

export interface Member extends Hinter {
  readonly name: string;
}

export const NONE: Hinter = { of: () => undefined, usual: undefined };

/** An object of which these members may have hints. */
export function ofNamed(members: readonly Member[]): Hinter {
  if (members.length === 0) return NONE;
  const said = members.filter(({ usual }) => usual !== undefined);
  const usual = said.length === 0 ? undefined : Object.fromEntries(said.map((one) => [one.name, one.usual as Hint]));
  const of = (value: unknown): Hint | undefined => {
    if (typeof value !== 'object' || value === null) return hintOfJson(value);
    for (const member of members) {
      if (hintIn(value, member) !== member.usual) return unusual(value, members);
    }
    return usual;
  };
  return { of, usual };
}

/** The member as the encoder reads it: getters of a class count, what every object inherits does not. */
function hintIn(value: object, { name, of }: Member): Hint | undefined {
  if (name in Object.prototype && !Object.hasOwn(value, name)) return undefined;
  const member = (value as Readonly<Record<string, unknown>>)[name];
  return member === undefined ? undefined : of(member);
}

function unusual(value: object, members: readonly Member[]): Hint | undefined {
  const said = members.map((member) => [member.name, hintIn(value, member)] as const).filter(([, hint]) => hint !== undefined);
  return said.length === 0 ? undefined : (Object.fromEntries(said) as Hint);
}

export function ofList(item: Hinter): Hinter {
  if (item.of === NONE.of) return NONE;
  const usual: Hint | undefined = item.usual === undefined ? undefined : { '*': item.usual };
  const of = (value: unknown): Hint | undefined => {
    if (!Array.isArray(value)) return hintOfJson(value);
    // Of an empty list there is nothing to say.
    if (value.length === 0) return undefined;
    return value.every((one) => item.of(one) === item.usual) ? usual : joined(Array.from(value, item.of));
  };
  return { of, usual };
}

/** A list whose items have types by their places: those from the front, those between, those from the end. */
export function ofItems(first: readonly Hinter[], between: Hinter = NONE, last: readonly Hinter[] = []): Hinter {
  if ([...first, between, ...last].every(({ of }) => of === NONE.of)) return NONE;
  const of = (value: unknown): Hint | undefined => {
    if (!Array.isArray(value)) return hintOfJson(value);
    const end = value.length - last.length;
    return joined(Array.from(value, (item, at) => (first[at] ?? (at < end ? between : last[at - end]) ?? NONE).of(item)));
  };
  return { of, usual: undefined };
}

/** A set or a map, which are sent as the list of what is in them. */
export function listed(kind: 'map' | 'set', list: Hinter): Hinter {
  const of = (value: unknown): Hint | undefined =>
    value instanceof Map || value instanceof Set ? [kind, list.of([...(value as Iterable<unknown>)]) ?? null] : hintOfJson(value);
  return { of, usual: undefined };
}

/** Objects that a member tells apart. */
export function keyed(key: string, cases: ReadonlyMap<unknown, Hinter>): Hinter {
  const of = (value: unknown): Hint | undefined => {
    if (typeof value !== 'object' || value === null) return hintOfJson(value);
    return cases.get((value as Readonly<Record<string, unknown>>)[key])?.of(value);
  };
  return { of, usual: undefined };
}
