/**
 * A template literal type as a regular expression, for JSON Schema: what others match texts of strangers with.
 * Never one that takes more time than a text's length asks for: then only its begin is told.
 */
import type { TemplateShape } from './shape.ts';

const NUMBER = '-?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?';
const BIGINT = '-?(?:0|[1-9]\\d*)';

/** Undefined: nothing can be told of it. */
export function templatePattern({ parts }: TemplateShape): string | undefined {
  if (isLinear(parts)) return `^${parts.map(sourceOf).join('')}$`;
  const [first] = parts;
  return typeof first === 'string' ? `^${escaped(first)}` : undefined;
}

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');

type Part = TemplateShape['parts'][number];

/** One part without an end, or numbers with something between them that no number goes on with. */
function isLinear(parts: readonly Part[]): boolean {
  const endless = [...parts.entries()].filter(([, part]) => isEndless(part));
  if (endless.length <= 1) return endless.every(([, part]) => isLinearWithin(part));
  return endless.every(([at, part], index) => {
    const next = parts[at + 1];
    const isApart = index === endless.length - 1 || (typeof next === 'string' && !/^[\d.eE+-]/.test(next));
    return typeof part !== 'string' && (part.kind === 'number' || part.kind === 'bigint') && isApart;
  });
}

function isLinearWithin(part: Part): boolean {
  if (typeof part === 'string') return true;
  if (part.kind === 'union') return part.members.every(isLinearWithin);
  return part.kind !== 'template' || isLinear(part.parts);
}

function isEndless(part: Part): boolean {
  if (typeof part === 'string') return false;
  if (part.kind === 'union') return part.members.some(isEndless);
  return part.kind === 'template' ? part.parts.some(isEndless) : ['string', 'any', 'number', 'bigint'].includes(part.kind);
}

function sourceOf(part: Part): string {
  if (typeof part === 'string') return escaped(part);
  switch (part.kind) {
    case 'string':
    case 'any':
      return '[^]*';
    case 'number':
      return NUMBER;
    case 'bigint':
      return BIGINT;
    case 'boolean':
      return '(?:true|false)';
    case 'literal':
      return escaped(String(part.value));
    case 'enum':
      return `(?:${part.values.map((value) => escaped(String(value))).join('|')})`;
    case 'union':
      return `(?:${part.members.map(sourceOf).join('|')})`;
    case 'template':
      return part.parts.map(sourceOf).join('');
    default:
      return part.kind;
  }
}
