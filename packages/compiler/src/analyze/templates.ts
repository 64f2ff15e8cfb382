/** Template literal types (`/users/${number}`) and `Uppercase<string>` and its like. */
import ts from 'typescript';
import type { Shape } from '../../../fulmar/src/shape/shape.ts';
import type { Analyzer } from './analyzer.ts';

/** What the intrinsic types of texts ask for: the text is its own image. */
const MAPPED: Readonly<Record<string, string>> = {
  Uppercase: '^\\P{Changes_When_Uppercased}*$',
  Lowercase: '^\\P{Changes_When_Lowercased}*$',
  Capitalize: '^(?!\\p{Changes_When_Uppercased})',
  Uncapitalize: '^(?!\\p{Changes_When_Lowercased})',
};

export function templateOf(type: ts.Type, path: string, analyzer: Analyzer): Shape {
  if ((type.flags & ts.TypeFlags.StringMapping) !== 0) {
    const { symbol, type: inner } = type as ts.StringMappingType;
    const source = MAPPED[symbol.name];
    if (source === undefined || (inner.flags & ts.TypeFlags.String) === 0)
      return analyzer.tell(path, `is ${analyzer.checker.typeToString(type)}, which cannot be compiled: use Pattern<'…'>`);
    return { kind: 'string', patterns: [{ source, flags: 'u' }] };
  }
  const { texts, types } = type as ts.TemplateLiteralType;
  const parts: (string | Shape)[] = [];
  for (const [at, text] of texts.entries()) {
    if (text !== '') parts.push(text);
    const between = types[at];
    if (between === undefined) continue;
    const part = analyzer.shapeOf(between, path);
    if (!isBarePart(part))
      return analyzer.tell(
        path,
        "has a template literal with a part of rules, which cannot be told from what is around it: use Pattern<'…'>",
      );
    parts.push(part);
  }
  return { kind: 'template', parts };
}

/** A part is told by its kind: where a text with a pattern ends within another nobody can say. */
function isBarePart(shape: Shape): boolean {
  if (shape.kind === 'union') return shape.members.every(isBarePart);
  if (shape.kind === 'string' || shape.kind === 'number' || shape.kind === 'bigint')
    return Object.keys(shape).every((key) => key === 'kind' || key === 'notes');
  return shape.kind !== 'intersection' && shape.kind !== 'reference';
}
