/** What a type may not hold where its values come from somebody else's text. */
import { partsOf, type Shape } from '../../../fulmar/src/shape/shape.ts';
import type { FunctionName } from '../program/calls.ts';

const READING: ReadonlySet<FunctionName> = new Set(['parse', 'schema', 'encode', 'decode']);

/** What is wrong with reading the shape, if the use reads it. */
export function wireProblem(name: FunctionName, shape: Shape, definitions: Readonly<Record<string, Shape>>): string | undefined {
  if (!READING.has(name)) return undefined;
  const seen = new Set<string>();
  const waiting: Shape[] = [shape];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'regexp') return 'has a RegExp, which is not read from others: one can be written that takes for ever. Take a string';
    if (next.kind === 'reference' && !seen.has(next.name)) {
      seen.add(next.name);
      waiting.push(definitions[next.name] ?? { kind: 'never' });
    }
    waiting.push(...partsOf(next));
  }
  return undefined;
}
