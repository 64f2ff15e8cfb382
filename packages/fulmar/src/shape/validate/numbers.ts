/**
 * Numbers: bounds, multiples, and the texts that stand for one.
 */
import type { BigIntShape, NumberShape } from '../shape.ts';
import { Kind, Look, nameOfKind } from './kind.ts';
import type { Compiling, Rule } from './rule-types.ts';

/** The grammar of JSON: no blank, no `0x`, no leading zero or plus, no empty text. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BIGINT = /^-?(?:0|[1-9]\d*)$/;
/** Digits that are read: converting takes time by the square of them. */
const DIGITS_MAX = 1000;

export function numberRule(shape: NumberShape, mode: Compiling['mode']): Rule {
  const tests = numberTests(shape);
  const { integer = false, allowsNonFinite = false } = shape;
  const expected = [integer ? 'integer' : 'number', ...tests.map(([what]) => what)].join(' ');
  const isNumber = (value: unknown): value is number =>
    typeof value === 'number' && (integer ? Number.isInteger(value) : allowsNonFinite || Number.isFinite(value));
  const [first, second] = tests.map(([, test]) => test);
  let check: Rule['check'] = isNumber;
  if (second !== undefined) check = (value) => isNumber(value) && tests.every(([, test]) => test(value));
  else if (first !== undefined) check = (value) => isNumber(value) && first(value);
  return {
    expected,
    kinds: Kind.NUMBER,
    check,
    look: first !== undefined ? Look.NONE : integer ? Look.INTEGER : allowsNonFinite ? Look.NONE : Look.NUMBER,
    explain: (value, path, report) => report.add(path, expected, value, receivedNumber(value)),
    convert: mode === 'text' ? (value) => (typeof value === 'string' ? numberOf(value, integer) : value) : null,
  };
}

const receivedNumber = (value: unknown): string => (Number.isInteger(value) ? 'integer' : nameOfKind(value));

type Test = (value: number) => boolean;

function numberTests(shape: NumberShape): (readonly [what: string, test: Test])[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape;
  const tests: (readonly [string, Test])[] = [];
  if (minimum !== undefined) tests.push([`>= ${minimum}`, (value) => value >= minimum]);
  if (exclusiveMinimum !== undefined) tests.push([`> ${exclusiveMinimum}`, (value) => value > exclusiveMinimum]);
  if (maximum !== undefined) tests.push([`<= ${maximum}`, (value) => value <= maximum]);
  if (exclusiveMaximum !== undefined) tests.push([`< ${exclusiveMaximum}`, (value) => value < exclusiveMaximum]);
  if (multipleOf !== undefined) tests.push([`a multiple of ${multipleOf}`, (value) => isMultiple(value, multipleOf)]);
  return tests;
}

/**
 * By the digits as they are written, not by the binary fraction that they become: 0.07 is seven times 0.01.
 */
export function isMultiple(value: number, of: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(of) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value % of === 0;
  if (!Number.isFinite(value)) return false;
  const [digits, exponent] = decimal(value);
  const [ofDigits, ofExponent] = decimal(of);
  const least = Math.min(exponent, ofExponent);
  return (digits * 10n ** BigInt(exponent - least)) % (ofDigits * 10n ** BigInt(ofExponent - least)) === 0n;
}

/** Digits and a power of ten. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/**
 * A text that is a number, as one; any other stays and is refused. An integer that a number cannot hold
 * exactly stays a text too: another one would be handed on.
 */
function numberOf(text: string, isInteger: boolean): unknown {
  if (!NUMBER.test(text)) return text;
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  return isInteger && !Number.isSafeInteger(value) ? text : value;
}

export function bigintRule({ minimum, maximum, multipleOf }: BigIntShape, mode: Compiling['mode']): Rule {
  const said = [minimum === undefined ? '' : ` >= ${minimum}`, maximum === undefined ? '' : ` <= ${maximum}`];
  const expected = `bigint${said.join('')}${multipleOf === undefined ? '' : ` a multiple of ${multipleOf}`}`;
  return {
    expected,
    kinds: Kind.BIGINT,
    check: (value) =>
      typeof value === 'bigint' &&
      (minimum === undefined || value >= minimum) &&
      (maximum === undefined || value <= maximum) &&
      (multipleOf === undefined || value % multipleOf === 0n),
    explain: (value, path, report) => report.add(path, expected, value),
    convert:
      mode === 'text'
        ? (value) => (typeof value === 'string' && value.length <= DIGITS_MAX && BIGINT.test(value) ? BigInt(value) : value)
        : null,
  };
}
