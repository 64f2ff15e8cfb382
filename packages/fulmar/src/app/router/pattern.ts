/**
 * A route's path as it is written, read into segments: '/users/:id/:tab?', '/:name.json', '/files/*path'.
 * First step of adding a route; knows no other routes and no requests.
 */
import { toCommonSpelling } from './path-text.ts';
import { type Placed, RouteError } from './route-error.ts';

/** Text alone; empty in the last segment, for a trailing slash. */
export interface TextSegment {
  readonly kind: 'text';
  readonly text: string;
}

/**
 * Parameters with text around them: `texts[0]`, `names[0]`, `texts[1]` … The first and the last text may be
 * empty, not both of one name.
 */
export interface MixedSegment {
  readonly kind: 'mixed';
  readonly texts: readonly string[];
  readonly names: readonly string[];
}

export interface ParameterSegment {
  readonly kind: 'parameter';
  readonly name: string;
  readonly isOptional: boolean;
}

/** The rest of the path, with its slashes. */
export interface RestSegment {
  readonly kind: 'rest';
  readonly name: string;
}

/** Texts are in the common spelling of path-text.ts. */
export type Segment = TextSegment | MixedSegment | ParameterSegment | RestSegment;

/** The name of a wildcard without one. */
const BARE_REST = '*';
const NAME = /[A-Za-z_$][\w$]*/y;
const WHOLE_NAME = /^:[A-Za-z_$][\w$]*$/;
const NAMED_REST = /^\*(?:[A-Za-z_$][\w$]*)?$/;
/** What is not text in a segment. */
const SPECIAL = /[:*?\\]/;
const ESCAPABLE = ':*?\\';

/** The segments of `path`. Throws `RouteError` for what is no pattern; `place` is for its message. */
export function parsePattern(path: string, place?: Placed): readonly Segment[] {
  const fail = (problem: string): never => {
    throw new RouteError(`route ${JSON.stringify(path)}${place === undefined ? '' : ` at ${place.toString()}`}: ${problem}`, path, place);
  };
  if (!path.startsWith('/')) fail("expected a path that begins with '/'");
  const segments: Segment[] = [];
  let at = 0;
  while (at !== -1) {
    const slash = path.indexOf('/', at + 1);
    const text = path.slice(at + 1, slash === -1 ? path.length : slash);
    if (text === '' && slash !== -1) fail("expected text or a parameter between two slashes, found '//'");
    segments.push(text.startsWith('*') ? parseRest(text, slash === -1, fail) : parseSegment(text, fail));
    at = slash;
  }
  checkNames(segments, fail);
  checkOptionals(segments, fail);
  return segments;
}

type Fail = (problem: string) => never;

function parseRest(text: string, isLast: boolean, fail: Fail): RestSegment {
  if (!NAMED_REST.test(text))
    fail(`expected '*' or '*name' as a whole segment, found ${JSON.stringify(text)}; write '\\\\*' for the character`);
  if (!isLast) fail(`expected nothing behind the wildcard ${JSON.stringify(text)}, it takes the rest of the path`);
  return { kind: 'rest', name: text.slice(1) || BARE_REST };
}

function parseSegment(written: string, fail: Fail): Segment {
  if (!SPECIAL.test(written)) return { kind: 'text', text: toCommonSpelling(written) };
  if (WHOLE_NAME.test(written)) return { kind: 'parameter', name: written.slice(1), isOptional: false };
  return parseParts(written, fail);
}

function parseParts(written: string, fail: Fail): Segment {
  const texts: string[] = [];
  const names: string[] = [];
  let text = '';
  for (let at = 0; at < written.length; at++) {
    const character = written.charAt(at);
    if (character === '\\') {
      at += 1;
      text += escaped(written.charAt(at), fail);
    } else if (character === ':') {
      if (names.length > 0 && text === '') fail(`expected text between two parameters, found ${JSON.stringify(written)}`);
      const name = nameAt(written, at + 1, fail);
      texts.push(toCommonSpelling(text));
      names.push(name);
      text = '';
      at += name.length;
      if (isOptionalAt(written, at + 1, name, fail)) return { kind: 'parameter', name, isOptional: true };
    } else if (character === '*' || character === '?') {
      fail(`expected no '${character}' within ${JSON.stringify(written)}; write '\\\\${character}' for the character`);
    } else text += character;
  }
  const [name] = names;
  if (name === undefined) return { kind: 'text', text: toCommonSpelling(text) };
  texts.push(toCommonSpelling(text));
  return { kind: 'mixed', texts, names };
}

function isOptionalAt(written: string, at: number, name: string, fail: Fail): boolean {
  if (written.charAt(at) !== '?') return false;
  if (written !== `:${name}?`) fail(`expected an optional parameter as a whole segment, found ${JSON.stringify(written)}`);
  return true;
}

function escaped(character: string, fail: Fail): string {
  if (character === '' || !ESCAPABLE.includes(character)) fail("expected ':', '*', '?' or '\\' behind a '\\'");
  return character;
}

function nameAt(written: string, at: number, fail: Fail): string {
  NAME.lastIndex = at;
  const name = NAME.exec(written)?.[0];
  if (name === undefined) return fail(`expected a name behind ':' in ${JSON.stringify(written)}; write '\\\\:' for the character`);
  // A name such as ':größe' would silently become ':gr' before text.
  if (written.charCodeAt(at + name.length) > 0x7f)
    fail(`expected a name of ASCII letters, digits, '_' and '$' in ${JSON.stringify(written)}`);
  return name;
}

function checkNames(segments: readonly Segment[], fail: Fail): void {
  const names = namesOf(segments);
  for (let i = 1; i < names.length; i++) {
    if (names.indexOf(names[i] as string) < i) fail(`expected each name once, found ${JSON.stringify(names[i])} twice`);
  }
}

function checkOptionals(segments: readonly Segment[], fail: Fail): void {
  let isBehindOptional = false;
  for (const segment of segments) {
    if (segment.kind === 'parameter' && segment.isOptional) isBehindOptional = true;
    else if (isBehindOptional && segment.kind !== 'rest')
      fail('expected nothing but optional parameters and a wildcard behind an optional parameter');
  }
}

/** Names of the parameters, from left to right. */
export function namesOf(segments: readonly Segment[]): readonly string[] {
  const names: string[] = [];
  for (const segment of segments) {
    if (segment.kind === 'mixed') names.push(...segment.names);
    else if (segment.kind !== 'text') names.push(segment.name);
  }
  return names;
}
