/**
 * Hints of a value whose type says nothing of it, and which is written as JSON.stringify has it: of what is left in that
 * text. A map is `{}` there, and a hint would promise more.
 */
import { type Hint, toWire } from '../shape/wire-hints.ts';

/** Written before, and so no circle. */
export function hintOfJson(value: unknown): Hint | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof URL) return toWire(value).as;
  if (Array.isArray(value)) return joined(Array.from(value, hintOfJson));
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== 'function') return ofMembers(value, () => hintOfJson);
  // It is asked once: what it gives may have a method of that name, too.
  const made: unknown = toJSON.call(value);
  return typeof made === 'object' && made !== null && !Array.isArray(made) && !(made instanceof Date)
    ? ofMembers(made, () => hintOfJson)
    : hintOfJson(made);
}

/** Members that are sent, each by what `hinter` gives for its name. */
export function ofMembers(value: object, hinter: (key: string) => ((member: unknown) => Hint | undefined) | undefined): Hint | undefined {
  const said: [string, Hint][] = [];
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    const hint = member === undefined ? undefined : hinter(key)?.(member);
    if (hint !== undefined) said.push([key, hint]);
  }
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

/** Of a list, by those of its items: items that are alike have one. */
export function joined(hints: readonly (Hint | undefined)[]): Hint | undefined {
  const [first] = hints;
  if (hints.every((hint) => hint === undefined)) return undefined;
  const text = JSON.stringify(first);
  if (first !== undefined && hints.every((hint) => hint === first || JSON.stringify(hint) === text)) return { '*': first };
  return Object.fromEntries(hints.flatMap((hint, at) => (hint === undefined ? [] : [[String(at), hint] as const])));
}
