/**
 * Texts: length, patterns, formats, templates. Lengths are counted in code points, as JSON Schema counts.
 */
import type { StringShape, TemplateShape } from '../shape.ts';
import { formatTest } from './formats.ts';
import { Kind, Look, nameOfKind } from './kind.ts';
import type { Rule } from './rule-types.ts';
import { templateTest } from './templates.ts';

type Test = (text: string) => boolean;

export function stringRule(shape: StringShape): Rule {
  const { minLength = 0, maxLength = Infinity, patterns = [], format } = shape;
  const tests: Test[] = [];
  if (minLength > 0 || maxLength < Infinity) tests.push((text) => isOfLength(text, minLength, maxLength));
  for (const { source, flags } of patterns) {
    const pattern = new RegExp(source, flags);
    tests.push((text) => pattern.test(text));
  }
  if (format !== undefined) tests.push(formatTest(format));
  const expected = expectedText(shape);
  const [first, second] = tests;
  let check: Rule['check'] = (value) => typeof value === 'string';
  if (second !== undefined) check = (value) => typeof value === 'string' && tests.every((test) => test(value));
  else if (first !== undefined) check = (value) => typeof value === 'string' && first(value);
  return {
    expected,
    kinds: Kind.STRING,
    check,
    look: first === undefined ? Look.STRING : Look.NONE,
    explain(value, path, report) {
      const isWrongLength = typeof value === 'string' && !isOfLength(value, minLength, maxLength);
      report.add(path, expected, value, isWrongLength ? `string of ${characters(codePoints(value))}` : nameOfKind(value));
    },
    convert: null,
  };
}

const characters = (count: number): string => `${count} character${count === 1 ? '' : 's'}`;

function expectedText({ minLength = 0, maxLength, patterns = [], format }: StringShape): string {
  const parts = [format ?? 'string'];
  if (minLength > 0 && maxLength !== undefined) parts.push(`of ${minLength} to ${characters(maxLength)}`);
  else if (minLength > 0) parts.push(`of at least ${characters(minLength)}`);
  else if (maxLength !== undefined) parts.push(`of at most ${characters(maxLength)}`);
  for (const { source } of patterns) parts.push(`matching ${source}`);
  return parts.join(' ');
}

/** Counts only where the units of the text do not tell: a code point is one or two of them. */
function isOfLength(text: string, min: number, max: number): boolean {
  const units = text.length;
  if (units < min || units > max * 2) return false;
  if (units <= max && units >= min * 2) return true;
  const count = codePoints(text);
  return count >= min && count <= max;
}

function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (!isPair) continue;
    count -= 1;
    at += 1;
  }
  return count;
}

export function templateRule(shape: TemplateShape): Rule {
  const test = templateTest(shape.parts);
  const expected = `string like ${shape.parts.map((part) => (typeof part === 'string' ? part : `\${${part.kind}}`)).join('')}`;
  return {
    expected,
    kinds: Kind.STRING,
    check: (value) => typeof value === 'string' && test(value),
    explain: (value, path, report) => report.add(path, expected, value),
    convert: null,
  };
}
