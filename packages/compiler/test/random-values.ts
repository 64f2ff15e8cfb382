/** Values near a type, the same ones for the same seed: JSON of a sample in which something is changed. */

export type Random = (below: number) => number;

/** Mulberry32, as samples are made by. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const JUNK: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  2,
  3,
  5,
  10,
  1.5,
  -0.5,
  1e21,
  256,
  2 ** 31,
  2 ** 53,
  '',
  'a',
  'A',
  'b',
  'UP',
  '0',
  '1',
  '-1',
  'true',
  'null',
  '2024-02-29',
  'é😀',
  '__proto__',
  'a@example.com',
  [],
  [null],
  [1],
  ['a'],
  [[]],
  {},
  { a: 1 },
  { a: 'x', b: 1 },
  { kind: 'a' },
  { value: null },
  { length: 1 },
];
const NAMES: readonly string[] = ['a', 'b', 'x', 'kind', 'value', 'id', 'data-a', '0', '1', 'length', 'toString', 'constructor', 'A', ''];

const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)] as T;

/** A copy in which one place, or two, are others; `value` is JSON. */
export function changed(value: unknown, random: Random): unknown {
  const once = change(structuredClone(value), random);
  return random(4) === 0 ? change(once, random) : once;
}

function change(value: unknown, random: Random): unknown {
  // Deeper places are as likely as their whole.
  if (typeof value === 'object' && value !== null && random(4) !== 0)
    return Array.isArray(value) ? changeList(value, random) : changeMembers(value, random);
  if (typeof value === 'string' && random(2) === 0) return changeText(value, random);
  if (typeof value === 'number' && random(2) === 0)
    return pick([value + 1, -value, value / 3, String(value), value * 1e6, Math.round(value)], random);
  return structuredClone(pick(JUNK, random));
}

function changeList(list: unknown[], random: Random): unknown[] {
  const at = random(list.length + 1);
  const how = random(4);
  if (how === 0) list.splice(at, 1);
  else if (how === 1) list.splice(at, 0, structuredClone(list.length > 0 && random(2) === 0 ? pick(list, random) : pick(JUNK, random)));
  else if (at < list.length) list[at] = change(list[at], random);
  return list;
}

function changeMembers(object: object, random: Random): object {
  const members = Object.entries(object);
  const [name] = members.length > 0 ? pick(members, random) : [pick(NAMES, random)];
  const how = random(5);
  if (how === 0) return Object.fromEntries(members.filter(([one]) => one !== name));
  if (how === 1) return Object.fromEntries([...members, [pick(NAMES, random), structuredClone(pick(JUNK, random))]]);
  if (how === 2) return Object.fromEntries(members.map(([one, member]) => [one === name ? pick(NAMES, random) : one, member]));
  return Object.fromEntries(members.map(([one, member]) => [one, one === name ? change(member, random) : member]));
}

function changeText(text: string, random: Random): string {
  const at = random(text.length + 1);
  return pick(
    [
      text.slice(0, at),
      text.slice(at),
      `${text.slice(0, at)}${pick(['x', '1', '-', '.', ' ', 'é'], random)}${text.slice(at)}`,
      text.toUpperCase(),
      `${text}${text}`,
    ],
    random,
  );
}
