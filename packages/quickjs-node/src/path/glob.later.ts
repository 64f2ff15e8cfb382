/**
 * `path.matchesGlob`: a pattern as a regular expression.
 */
import { validateString } from '../shared/validators.ts';

/** `{a,b}` and `{1..3}`: all texts that the braces stand for. */
function expanded(pattern: string): string[] {
  const found = /\{([^{}]*)\}/.exec(pattern);
  if (found === null) return [pattern];
  const [whole, content] = found as unknown as [string, string];
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(content);
  let choices = content.split(',');
  if (range !== null) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    const step = from <= to ? 1 : -1;
    choices = Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => String(from + index * step));
  } else if (choices.length < 2) {
    return expanded(`${pattern.slice(0, found.index)}\u0001${content}\u0002${pattern.slice(found.index + whole.length)}`);
  }
  const [before, after] = [pattern.slice(0, found.index), pattern.slice(found.index + whole.length)];
  return choices.flatMap((choice) => expanded(before + choice + after));
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** One part between slashes. */
function partSource(part: string): string {
  let source = '';
  for (let at = 0; at < part.length; at += 1) {
    const char = part.charAt(at);
    if (char === '*') {
      while (part.charAt(at + 1) === '*') at += 1;
      source += '[^/]*?';
    } else if (char === '?') {
      source += '[^/]';
    } else if (char === '[' && part.indexOf(']', at + 2) !== -1) {
      const end = part.indexOf(']', at + 2);
      const inner = part
        .slice(at + 1, end)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\');
      source += `[${inner}]`;
      at = end;
    } else {
      source += quoted(char);
    }
  }
  // Files that start with a dot are matched only by a pattern that does.
  return /^[*?[]/.test(part) ? `(?!\\.)(?=.)${source}` : source;
}

function toSource(pattern: string): string {
  const parts = pattern.split('/');
  let source = '';
  parts.forEach((part, index) => {
    const last = index === parts.length - 1;
    if (part === '**') source += last ? '(?:(?!\\.)[^/]+(?:/(?!\\.)[^/]+)*)?' : '(?:(?!\\.)[^/]+/)*';
    else source += partSource(part) + (last ? '' : '/');
  });
  return source;
}

export function matchesGlob(path: string, pattern: string, sep: string): boolean {
  validateString(path, 'path');
  validateString(pattern, 'pattern');
  const [text, glob] = sep === '\\' ? [path.replaceAll('\\', '/'), pattern.replaceAll('\\', '/')] : [path, pattern];
  return expanded(glob).some((one) => {
    const source = toSource(one.replaceAll('\u0001', '{').replaceAll('\u0002', '}'));
    return new RegExp(`^${source}$`, sep === '\\' ? 'i' : '').test(text.replace(/\/{2,}/g, '/'));
  });
}
