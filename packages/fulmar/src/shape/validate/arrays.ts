/**
 * Arrays, tuples, sets and maps.
 */
import type { ArrayShape, ContainsRule, MapShape, SetShape, TupleItem, TupleShape } from '../shape.ts';
import { copyOf } from './copy.ts';
import { canonical } from './equality.ts';
import { Kind, Look, nameOfKind } from './kind.ts';
import type { Compiling, Path, Report, Rule } from './rule-types.ts';

type Bounds = Pick<ArrayShape, 'minItems' | 'maxItems' | 'unique' | 'contains'>;

/** What holds for a list whatever its items are. */
interface Whole {
  readonly parts: readonly string[];
  /** Null where nothing is asked for. */
  readonly check: ((items: readonly unknown[]) => boolean) | null;
  readonly explain: (items: readonly unknown[], path: Path, report: Report) => void;
}

const items = (count: number): string => `${count} item${count === 1 ? '' : 's'}`;

function wholeOf({ minItems = 0, maxItems = Infinity, unique = false, contains }: Bounds, compiling: Compiling): Whole {
  const parts: string[] = [];
  if (minItems > 0) parts.push(`of at least ${items(minItems)}`);
  if (maxItems < Infinity) parts.push(`of at most ${items(maxItems)}`);
  const isOfLength = (list: readonly unknown[]): boolean => list.length >= minItems && list.length <= maxItems;
  const containing = contains === undefined ? null : containing_(contains, compiling);
  return {
    parts,
    check:
      parts.length === 0 && !unique && containing === null
        ? null
        : (list) => isOfLength(list) && (!unique || isUnique(list)) && (containing === null || containing.check(list)),
    explain(list, path, report) {
      if (!isOfLength(list)) report.add(path, ['array', ...parts].join(' '), list, `array of ${items(list.length)}`);
      else if (unique && !isUnique(list)) report.add(path, 'array without equal items', list, 'array with equal items');
      else if (containing !== null && !containing.check(list)) report.add(path, containing.expected, list);
    },
  };
}

function containing_(
  { shape, min, max = Infinity }: ContainsRule,
  { rule }: Compiling,
): { expected: string; check: (list: readonly unknown[]) => boolean } {
  const { check, expected } = rule(shape);
  const most = max === Infinity ? '' : ` and at most ${max}`;
  return {
    expected: `array with at least ${min}${most} of ${expected}`,
    check(list) {
      let count = 0;
      for (const item of list) {
        if (!check(item)) continue;
        count += 1;
        if (count > max) return false;
        if (count >= min && max === Infinity) return true;
      }
      return count >= min;
    },
  };
}

function isUnique(list: readonly unknown[]): boolean {
  if (list.length < 2) return true;
  const seen = new Set<string>();
  for (const item of list) {
    const text = canonical(item);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

/** A single text stands for a list of it, where texts are converted. */
const listOf = (value: unknown, { mode }: Compiling): unknown => (mode === 'text' && typeof value === 'string' ? [value] : value);

export function arrayRule(shape: ArrayShape, compiling: Compiling): Rule {
  const whole = wholeOf(shape, compiling);
  const item = compiling.rule(shape.items);
  const { check, look = Look.NONE } = item;
  const expected = ['array', ...whole.parts].join(' ');
  const takesAll = item.kinds === Kind.ALL && item.expected === 'anything';
  return {
    expected,
    kinds: Kind.ARRAY,
    check(value) {
      if (!Array.isArray(value) || (whole.check !== null && !whole.check(value))) return false;
      if (takesAll) return true;
      if (look === Look.STRING) return areTexts(value);
      for (let at = 0; at < value.length; at += 1) if (!check(value[at])) return false;
      return true;
    },
    explain(value, path, report) {
      if (!Array.isArray(value)) return report.add(path, expected, value);
      whole.explain(value, path, report);
      for (let at = 0; at < value.length && !report.isFull; at += 1) if (!check(value[at])) item.explain(value[at], [...path, at], report);
    },
    convert: converting(compiling, () => item.convert),
  };
}

function areTexts(items: readonly unknown[]): boolean {
  for (let at = 0; at < items.length; at += 1) if (typeof items[at] !== 'string') return false;
  return true;
}

/** Items by place; a list whose items all stay is handed on as it is. */
function converting(compiling: Compiling, convertAt: (at: number, length: number) => Rule['convert']): Rule['convert'] {
  if (compiling.mode === 'value' && convertAt(0, 1) === null && convertAt(1, 2) === null) return null;
  return (given) => {
    const value = listOf(given, compiling);
    if (!Array.isArray(value)) return value;
    let made: unknown[] | null = null;
    for (let at = 0; at < value.length; at += 1) {
      const convert = convertAt(at, value.length);
      const before: unknown = value[at];
      const after = convert === null ? before : convert(before);
      if (after !== before) (made ??= [...(value as unknown[])])[at] = after;
    }
    return made ?? value;
  };
}

export function tupleRule(shape: TupleShape, compiling: Compiling): Rule {
  const whole = wholeOf(shape, compiling);
  const compiled = (one: TupleItem): Rule => withDefault(compiling.rule(one.shape), one);
  const first = shape.items.map(compiled);
  const last = (shape.last ?? []).map(compiled);
  const rest = shape.rest === undefined ? null : compiling.rule(shape.rest);
  const least = shape.items.filter(({ optional }) => optional !== true).length + last.length;
  const most = rest === null ? first.length + last.length : Infinity;
  const ruleAt = (at: number, length: number): Rule | null =>
    (at >= length - last.length ? last[at - (length - last.length)] : first[at]) ?? rest;
  const isOfLength = (list: readonly unknown[]): boolean => list.length >= least && list.length <= most;
  const said =
    most === Infinity
      ? least === 0
        ? []
        : [`of at least ${items(least)}`]
      : [least === most ? `of ${items(most)}` : `of ${least} to ${items(most)}`];
  const expected = ['array', ...said].join(' ');
  return {
    expected,
    kinds: Kind.ARRAY,
    check: (value) =>
      Array.isArray(value) &&
      isOfLength(value) &&
      whole.check?.(value) !== false &&
      value.every((item, at) => ruleAt(at, value.length)?.check(item) ?? true),
    explain(value, path, report) {
      if (!Array.isArray(value)) return report.add(path, expected, value);
      if (!isOfLength(value)) return report.add(path, expected, value, `array of ${items(value.length)}`);
      whole.explain(value, path, report);
      for (let at = 0; at < value.length && !report.isFull; at += 1) {
        const one = ruleAt(at, value.length);
        if (one !== null && !one.check(value[at])) one.explain(value[at], [...path, at], report);
      }
    },
    convert:
      [...first, ...last, rest].some((one) => one?.convert != null) || compiling.mode !== 'value'
        ? converting(compiling, (at, length) => ruleAt(at, length)?.convert ?? null)
        : null,
  };
}

/** An item that is `undefined` is what its shape says stands for it. */
function withDefault(rule: Rule, { shape, optional }: TupleItem): Rule {
  const { default: given } = shape;
  const { convert } = rule;
  const check: Rule['check'] = optional === true ? (value) => value === undefined || rule.check(value) : rule.check;
  if (given === undefined) return { ...rule, check, look: Look.NONE };
  return {
    ...rule,
    check,
    look: Look.NONE,
    convert: (value) => (value === undefined ? copyOf(given.value) : convert === null ? value : convert(value)),
  };
}

export function setRule({ items: shape, minSize = 0, maxSize = Infinity }: SetShape, compiling: Compiling): Rule {
  const item = compiling.rule(shape);
  const toSet = (value: unknown): unknown => {
    const list = listOf(value, compiling);
    return Array.isArray(list) ? new Set(item.convert === null ? list : list.map(item.convert)) : value;
  };
  const expected = `Set${sizeOf(minSize, maxSize)}`;
  const isSet = (value: unknown): value is Set<unknown> => value instanceof Set && value.size >= minSize && value.size <= maxSize;
  return {
    expected,
    kinds: Kind.OBJECT,
    check: (value) => isSet(value) && [...value].every(item.check),
    explain(value, path, report) {
      if (!isSet(value)) return report.add(path, expected, value, receivedSize(value));
      for (const [at, one] of [...value].entries()) if (!item.check(one) && !report.isFull) item.explain(one, [...path, at], report);
    },
    convert: compiling.mode === 'text' ? toSet : null,
  };
}

export function mapRule({ key, value: shape, minSize = 0, maxSize = Infinity }: MapShape, { rule }: Compiling): Rule {
  const [keys, values] = [rule(key), rule(shape)];
  const expected = `Map${sizeOf(minSize, maxSize)}`;
  const isMap = (value: unknown): value is Map<unknown, unknown> => value instanceof Map && value.size >= minSize && value.size <= maxSize;
  return {
    expected,
    kinds: Kind.OBJECT,
    check: (value) => isMap(value) && [...value].every(([name, one]) => keys.check(name) && values.check(one)),
    explain(value, path, report) {
      if (!isMap(value)) return report.add(path, expected, value, receivedSize(value));
      for (const [at, [name, one]] of [...value].entries()) {
        if (report.isFull) return;
        if (!keys.check(name)) keys.explain(name, [...path, at, 0], report);
        if (!values.check(one)) values.explain(one, [...path, at, 1], report);
      }
    },
    convert: null,
  };
}

const sizeOf = (min: number, max: number): string =>
  `${min > 0 ? ` of at least ${min} members` : ''}${max < Infinity ? ` of at most ${max} members` : ''}`;
const receivedSize = (value: unknown): string =>
  value instanceof Set || value instanceof Map ? `${nameOfKind(value)} of ${value.size} members` : nameOfKind(value);
