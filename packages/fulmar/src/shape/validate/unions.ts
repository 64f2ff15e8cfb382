/**
 * Shapes that are made of others: one of several, all of them, none, one or the other.
 */
import type { ConditionShape, Discriminator, IntersectionShape, NotShape, UnionShape } from '../shape.ts';
import { isPlainObject, Kind, kindOf, nameOfKind, shownLiteral } from './kind.ts';
import type { Compiling, Path, Report, Rule } from './rule-types.ts';

/** Members of a union that an issue names. */
const SHOWN_MAX = 6;

export function unionRule(shape: UnionShape, { rule, mode }: Compiling, discriminator: Discriminator | undefined): Rule {
  const members = shape.members.map(rule);
  const byKind = candidatesByKind(members);
  const candidates = (value: unknown): readonly Rule[] => byKind.get(kindOf(value)) ?? [];
  const names = [...new Set(members.map((member) => member.expected))];
  const expected = names.slice(0, SHOWN_MAX).join(' | ') + (names.length > SHOWN_MAX ? ' | …' : '');
  const told = discriminator === undefined ? null : tellingOf(discriminator, members);
  const isOne = shape.one === true && told === null;
  const check = (value: unknown): boolean => {
    if (told !== null && isPlainObject(value)) return told.find(value)?.check(value) ?? false;
    return isOne ? countOf(candidates(value), value) === 1 : candidates(value).some((member) => member.check(value));
  };
  return {
    expected,
    kinds: members.reduce((kinds, member) => kinds | member.kinds, 0),
    check,
    explain(value, path, report) {
      if (told !== null && isPlainObject(value)) return told.explain(value, path, report);
      const possible = candidates(value);
      const [only] = possible;
      if (only !== undefined && possible.length === 1) return only.explain(value, path, report);
      const isSeveral = isOne && countOf(possible, value) > 1;
      report.add(path, isSeveral ? `exactly one of ${expected}` : expected, value, isSeveral ? 'what fits several' : nameOfKind(value));
    },
    convert: members.every((member) => member.convert === null) && mode !== 'text' ? null : (value) => convertBy(members, value),
  };
}

/** The member that takes the value as it is converts it, else the first that takes it converted. */
function convertBy(members: readonly Rule[], value: unknown): unknown {
  const fitting = members.find((member) => member.check(value));
  if (fitting !== undefined) return fitting.convert === null ? value : fitting.convert(value);
  for (const { convert, check } of members) {
    const converted = convert === null ? value : convert(value);
    if (converted !== value && check(converted)) return converted;
  }
  return value;
}

function countOf(members: readonly Rule[], value: unknown): number {
  let count = 0;
  for (const member of members) if (member.check(value)) count += 1;
  return count;
}

function candidatesByKind(members: readonly Rule[]): ReadonlyMap<number, readonly Rule[]> {
  const kinds = Object.values(Kind).filter((kind) => kind !== Kind.ALL);
  return new Map(kinds.map((kind) => [kind, members.filter((member) => (member.kinds & kind) !== 0)]));
}

interface Telling {
  readonly find: (value: Record<string, unknown>) => Rule | undefined;
  readonly explain: (value: Record<string, unknown>, path: Path, report: Report) => void;
}

function tellingOf({ key, cases }: Discriminator, members: readonly Rule[]): Telling {
  const byValue = new Map<unknown, Rule | undefined>(cases.map(([value, at]) => [value, members[at]]));
  const shown = cases.map(([value]) => shownLiteral(value)).join(' | ');
  const find = (value: Record<string, unknown>): Rule | undefined => (Object.hasOwn(value, key) ? byValue.get(value[key]) : undefined);
  return {
    find,
    explain(value, path, report) {
      const member = find(value);
      if (member !== undefined) member.explain(value, path, report);
      else report.add([...path, key], shown, Object.hasOwn(value, key) ? value[key] : undefined);
    },
  };
}

export function intersectionRule({ members: shapes }: IntersectionShape, { rule }: Compiling): Rule {
  const members = shapes.map(rule);
  const converts = members.map(({ convert }) => convert).filter((convert) => convert !== null);
  const names = [...new Set(members.map(({ expected }) => expected).filter((name) => name !== 'anything'))];
  return {
    expected: names.slice(0, SHOWN_MAX).join(' and ') || 'anything',
    kinds: members.reduce<number>((kinds, member) => kinds & member.kinds, Kind.ALL),
    check: (value) => members.every((member) => member.check(value)),
    explain(value, path, report) {
      for (const member of members) if (!report.isFull && !member.check(value)) member.explain(value, path, report);
    },
    convert: converts.length === 0 ? null : (value) => converts.reduce((before, convert) => convert(before), value),
  };
}

export function notRule({ shape }: NotShape, { rule }: Compiling): Rule {
  const { check, expected } = rule(shape);
  return {
    expected: `not ${expected}`,
    kinds: Kind.ALL,
    check: (value) => !check(value),
    explain: (value, path, report) => report.add(path, `not ${expected}`, value),
    convert: null,
  };
}

export function conditionRule(shape: ConditionShape, { rule }: Compiling): Rule {
  const when = rule(shape.when);
  const [yes, no] = [shape.then, shape.else].map((one) => (one === undefined ? null : rule(one)));
  const branch = (value: unknown): Rule | null | undefined => (when.check(value) ? yes : no);
  return {
    expected: [yes, no].flatMap((one) => (one == null ? [] : [one.expected])).join(' | ') || 'anything',
    kinds: Kind.ALL,
    check: (value) => branch(value)?.check(value) ?? true,
    explain: (value, path, report) => branch(value)?.explain(value, path, report),
    convert:
      yes?.convert == null && no?.convert == null
        ? null
        : (value) => {
            const convert = branch(value)?.convert;
            return convert == null ? value : convert(value);
          },
  };
}
