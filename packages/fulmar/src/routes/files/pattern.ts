/**
 * The path of a file as the app's routes are written. Names of files are text: what means something to patterns is
 * escaped.
 */
import type { PathPart } from './file-route.ts';

export function patternOf(parts: readonly PathPart[]): string {
  return parts.length === 0 ? '/' : parts.map((part) => `/${written(part)}`).join('');
}

function written(part: PathPart): string {
  switch (part.kind) {
    case 'text':
      return escaped(part.text);
    case 'mixed':
      return part.texts.map((text, at) => escaped(text) + (part.names[at] === undefined ? '' : `:${part.names[at]}`)).join('');
    case 'parameter':
      return `:${part.name}${part.isOptional ? '?' : ''}`;
    case 'rest':
      return `*${part.name}`;
  }
}

/** A `%` in a name is one that clients send as `%25`, and a slash (in a parameter of a reply that is made before) as `%2F`. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[:*?\\]/g, String.raw`\$&`)
    .replaceAll('%', '%25')
    .replaceAll('/', '%2F');

/** Equal for paths that no request can tell apart. */
export const shapeOf = (parts: readonly PathPart[]): string =>
  parts
    .map((part) => {
      if (part.kind === 'text') return `=${part.text}`;
      if (part.kind === 'mixed') return `~${part.texts.join('\0')}`;
      return part.kind === 'rest' ? '*' : ':';
    })
    .join('/');
