/**
 * Values without members: what is one of few values, dates, bytes and the like.
 */
import type { BytesShape, DateShape, EnumShape, EqualShape, LiteralShape, LiteralValue, SimpleShape } from '../shape.ts';
import { equals } from './equality.ts';
import { Kind, kindOf, Look, shownLiteral } from './kind.ts';
import type { Compiling, Rule } from './rule-types.ts';
import { isDate, isDateTime } from './times.ts';

/** Values of an enum that are told. */
const SHOWN_MAX = 12;

const rule = (expected: string, kinds: number, check: Rule['check'], convert: Rule['convert'] = null): Rule => ({
  expected,
  kinds,
  check,
  explain: (value, path, report) => report.add(path, expected, value),
  convert,
});

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false };

export function simpleRule({ kind }: SimpleShape, mode: Compiling['mode']): Rule {
  const isText = mode === 'text';
  switch (kind) {
    case 'any':
      return rule('anything', Kind.ALL, () => true);
    case 'never':
      return rule('nothing', 0, () => false);
    case 'undefined':
      return rule('undefined', Kind.UNDEFINED, (value) => value === undefined);
    case 'null':
      return rule('null', Kind.NULL, (value) => value === null, isText ? (value) => (value === '' ? null : value) : null);
    case 'boolean':
      return { ...rule(kind, Kind.BOOLEAN, (value) => typeof value === 'boolean', isText ? toBoolean : null), look: Look.BOOLEAN };
    case 'regexp':
      return rule('RegExp', Kind.OBJECT, (value) => value instanceof RegExp);
    case 'url':
      return rule('URL', Kind.OBJECT, (value) => value instanceof URL, isText ? toUrl : null);
  }
}

const toBoolean = (value: unknown): unknown => (typeof value === 'string' && Object.hasOwn(BOOLEANS, value) ? BOOLEANS[value] : value);

const toUrl = (value: unknown): unknown => (typeof value === 'string' && URL.canParse(value) ? new URL(value) : value);

export function literalRule({ value: wanted }: LiteralShape, mode: Compiling['mode']): Rule {
  return rule(shownLiteral(wanted), kindOf(wanted), (value) => value === wanted, convertTo([wanted], mode));
}

export function enumRule({ values }: EnumShape, mode: Compiling['mode']): Rule {
  const known: ReadonlySet<unknown> = new Set(values);
  const shown = values.slice(0, SHOWN_MAX).map(shownLiteral).join(' | ');
  let kinds = 0;
  for (const value of values) kinds |= kindOf(value);
  return rule(values.length > SHOWN_MAX ? `${shown} | …` : shown, kinds, (value) => known.has(value), convertTo(values, mode));
}

/** A text stands for the one value that is written so, unless it is one of them itself. */
function convertTo(values: readonly LiteralValue[], mode: Compiling['mode']): Rule['convert'] {
  if (mode !== 'text' || values.every((value) => typeof value === 'string')) return null;
  const byText = new Map<unknown, LiteralValue>(values.map((value) => [value === null ? '' : String(value), value]));
  for (const value of values) if (typeof value === 'string') byText.set(value, value);
  return (value) => (byText.has(value) ? byText.get(value) : value);
}

export function equalRule({ value: wanted }: EqualShape): Rule {
  const expected = Array.isArray(wanted) ? 'the one array of the schema' : 'the one object of the schema';
  return rule(expected, kindOf(wanted), (value) => equals(value, wanted));
}

export function dateRule({ minimum = -Infinity, maximum = Infinity }: DateShape, mode: Compiling['mode']): Rule {
  const parts = [
    'Date',
    ...(minimum === -Infinity ? [] : [`from ${new Date(minimum).toISOString()}`]),
    ...(maximum === Infinity ? [] : [`until ${new Date(maximum).toISOString()}`]),
  ];
  const check = (value: unknown): boolean => value instanceof Date && value.getTime() >= minimum && value.getTime() <= maximum;
  const toDate = (value: unknown): unknown => (typeof value === 'string' && (isDateTime(value) || isDate(value)) ? new Date(value) : value);
  return rule(mode === 'text' ? 'date or date-time' : parts.join(' '), Kind.OBJECT, check, mode === 'text' ? toDate : null);
}

export function bytesRule({ type, minBytes = 0, maxBytes = Infinity }: BytesShape): Rule {
  const isOfType = (value: unknown): value is { byteLength: number } => {
    const made = (globalThis as Readonly<Record<string, unknown>>)[type];
    return typeof made === 'function' && value instanceof made;
  };
  const check = (value: unknown): boolean => isOfType(value) && value.byteLength >= minBytes && value.byteLength <= maxBytes;
  const parts = [
    type,
    ...(minBytes === 0 ? [] : [`of at least ${minBytes} bytes`]),
    ...(maxBytes === Infinity ? [] : [`of at most ${maxBytes} bytes`]),
  ];
  return rule(parts.join(' '), Kind.OBJECT, check);
}
