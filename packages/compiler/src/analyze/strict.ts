/**
 * Shapes for `strictTypes`: objects refuse members that their types do not have, and what takes anything is a
 * problem. Named types get a second definition: elsewhere they are what they were.
 */
import type { ReferenceShape, Shape } from '../../../fulmar/src/shape/shape.ts';
import type { Analyzer } from './analyzer.ts';
import { mapParts } from './map-parts.ts';

const ANYTHING = 'takes anything (any, unknown, object or {}), and strictTypes is said: name what it is';
const MIXED = 'is an intersection that is no single object, and strictTypes is said: write it as one interface';

export function strictOf(shape: Shape, path: string, analyzer: Analyzer): Shape {
  if (shape.kind === 'any') return analyzer.tell(path, ANYTHING);
  if (shape.kind === 'reference') return strictReference(shape, path, analyzer);
  if (shape.kind === 'intersection' && shape.members.some(({ kind }) => !['string', 'number', 'bigint', 'template'].includes(kind)))
    return analyzer.tell(path, MIXED);
  const isOpen = shape.kind === 'object' && shape.properties.length === 0 && (shape.index ?? []).length === 0;
  if (isOpen && shape.unknown === 'keep') return analyzer.tell(path, ANYTHING);
  const mapped = mapParts(shape, (part, step) => strictOf(part, path + step, analyzer));
  return mapped.kind === 'object' && mapped.unknown === 'strip' ? { ...mapped, unknown: 'reject' } : mapped;
}

function strictReference({ name }: ReferenceShape, path: string, analyzer: Analyzer): ReferenceShape {
  const strict = `${name} (strict)`;
  const { definitions } = analyzer;
  if (!Object.hasOwn(definitions, strict)) {
    // Before its own members: it may contain itself.
    definitions[strict] = { kind: 'never' };
    definitions[strict] = strictOf(definitions[name] ?? { kind: 'never' }, path, analyzer);
  }
  return { kind: 'reference', name: strict };
}
