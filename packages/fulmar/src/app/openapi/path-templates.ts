/**
 * A route's path as OpenAPI writes it: `/birds/:id` is `/birds/{id}`. What may be left out makes a template of
 * its own, a wildcard is a parameter like any other. Paths of Express and Koa are read as far as they can be
 * said so.
 */
import { parsePattern, type Segment } from '../router/pattern.ts';

export interface Template {
  /** `/birds/{id}`. */
  readonly text: string;
  /** From left to right. */
  readonly names: readonly string[];
  /** Those of them that take slashes. */
  readonly rests: readonly string[];
}

/** For a wildcard without a name. */
const REST_NAME = 'rest';

/** The templates of a path of ours, the longest first. */
export function templatesOf(path: string): Template[] {
  const segments = parsePattern(path);
  const templates: Template[] = [];
  for (let length = segments.length; length >= 0; length--) {
    templates.push(toTemplate(segments.slice(0, length)));
    const last = segments[length - 1];
    if (last?.kind !== 'parameter' || !last.isOptional) break;
  }
  return templates;
}

function toTemplate(segments: readonly Segment[]): Template {
  const names: string[] = [];
  const rests: string[] = [];
  const parameter = (name: string): string => {
    names.push(name);
    return `{${name}}`;
  };
  const texts = segments.map((segment) => {
    if (segment.kind === 'text') return literal(segment.text);
    if (segment.kind === 'parameter') return parameter(segment.name);
    if (segment.kind === 'rest') {
      const name = segment.name === '*' ? freeName(names) : segment.name;
      rests.push(name);
      return parameter(name);
    }
    return segment.texts
      .map((text, at) => literal(text) + (at < segment.names.length ? parameter(segment.names[at] as string) : ''))
      .join('');
  });
  return { text: `/${texts.join('/')}`, names, rests };
}

const freeName = (names: readonly string[]): string => (names.includes(REST_NAME) ? `${REST_NAME}Of${names.length}` : REST_NAME);

/** Braces are OpenAPI's; a path ends at the others. */
const literal = (text: string): string => text.replaceAll(/[{}?#]/g, encodeURIComponent);

const FOREIGN_PARAMETER = /^[:*]([A-Za-z_$][\w$]*)(?:\((?:[^()\\]|\\.)*\))?([?*+])?/;
/** Optional parts of one path: each doubles its templates. */
const OPTIONALS_MAX = 4;

/** Those of a path of Express or Koa; none where it is a pattern that no template says. */
export function foreignTemplatesOf(path: string): Template[] {
  if (!path.startsWith('/') || path.includes('…')) return [];
  return withoutGroups(path, OPTIONALS_MAX).flatMap((text) => readForeign(text) ?? []);
}

/** `{…}` of path-to-regexp 8, in and out. */
function withoutGroups(path: string, left: number): string[] {
  const group = /\{([^{}]*)\}/.exec(path);
  if (group === null) return [path];
  if (left === 0) return [];
  const without = path.slice(0, group.index) + path.slice(group.index + group[0].length);
  const within = path.slice(0, group.index) + (group[1] as string) + path.slice(group.index + group[0].length);
  return [within, without].flatMap((text) => withoutGroups(text === '' ? '/' : text, left - 1));
}

function readForeign(path: string): Template[] | undefined {
  const names: string[] = [];
  const rests: string[] = [];
  let text = '';
  let shorter: string | undefined;
  for (let at = 0; at < path.length;) {
    const [all, name, modifier] = FOREIGN_PARAMETER.exec(path.slice(at)) ?? [];
    if (all !== undefined && name !== undefined) {
      if (names.includes(name)) return undefined;
      if (modifier === '?' || modifier === '*') shorter = text.replace(/\/$/, '') || '/';
      if (path[at] === '*' || (modifier !== undefined && modifier !== '?')) rests.push(name);
      // Only at the end can it be left out without more templates than anybody reads.
      if (shorter !== undefined && at + all.length < path.length) return undefined;
      names.push(name);
      text += `{${name}}`;
      at += all.length;
    } else if (path[at] === '*' && at === path.length - 1) {
      const name_ = freeName(names);
      names.push(name_);
      rests.push(name_);
      text += `{${name_}}`;
      at += 1;
    } else if (/[*()?+:[\]{}|^$]/.test(path[at] as string)) return undefined;
    else {
      if (path[at] === '\\') at += 1;
      text += literal(path[at] ?? '');
      at += 1;
    }
  }
  const whole = { text, names, rests };
  return shorter === undefined ? [whole] : [whole, { text: shorter, names: names.slice(0, -1), rests }];
}
