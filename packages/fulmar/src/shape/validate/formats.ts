/**
 * The formats of texts that JSON Schema and OpenAPI name. Every check takes time in proportion to the text,
 * whatever the text is; none looks anything up.
 */
import { isHostname, isIpv4, isIpv6, isUri, isUriReference, isUriTemplate } from './addresses.ts';
import { isDate, isDateTime, isDuration, isTime } from './times.ts';

type Test = (text: string) => boolean;

/** Longer texts are none of a format but those that are made for content. */
const CHARACTERS_MAX = 65_536;
/** What a peer may have compiled as a regular expression. */
const REGEX_CHARACTERS_MAX = 4096;
const LOCAL_PART_MAX = 64;
const EMAIL_MAX = 254;

const matching =
  (pattern: RegExp): Test =>
  (text) =>
    pattern.test(text);
const uuid = (version: string): Test =>
  matching(new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`, 'i'));
const anything: Test = () => true;

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/u;

const FORMATS: Readonly<Record<string, Test>> = {
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
  duration: isDuration,
  email: (text) => isEmail(text, /^[\w!#$%&'*+/=?^`{|}~-]+$/),
  'idn-email': (text) => isEmail(text.replace(/[\u0080-\u{10ffff}]/gu, 'x'), /^[\w!#$%&'*+/=?^`{|}~-]+$/),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  'uri-reference': isUriReference,
  iri: (text) => isUri(asciiOf(text)),
  'iri-reference': (text) => isUriReference(asciiOf(text)),
  'uri-template': isUriTemplate,
  url: (text) => /^(?:https?|ftp):\/\/[^/?#]/i.test(text) && isUri(text),
  uuid: uuid('[0-9a-f]'),
  uuidv4: uuid('4'),
  uuidv7: uuid('7'),
  'json-pointer': matching(POINTER),
  'json-pointer-uri-fragment': (text) => text.startsWith('#') && POINTER.test(text.slice(1)) && isUriReference(text),
  'relative-json-pointer': (text) => {
    const [start] = /^(?:0|[1-9]\d*)#?/.exec(text) ?? [];
    if (start === undefined) return false;
    return start.endsWith('#') ? start === text : POINTER.test(text.slice(start.length));
  },
  regex: isRegex,
  byte: isBase64,
  binary: anything,
  password: anything,
};

/** Formats whose texts may be long. */
const OF_CONTENT: ReadonlySet<string> = new Set(['byte', 'binary', 'password']);

export const isFormat = Object.assign((name: string): boolean => Object.hasOwn(FORMATS, name), { names: Object.keys(FORMATS) });

/** The check of a format, by a name that `isFormat` knows. */
export function formatTest(name: string): Test {
  const test = FORMATS[name] as Test;
  return OF_CONTENT.has(name) ? test : (text) => text.length <= CHARACTERS_MAX && test(text);
}

interface Range {
  readonly integer?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

const RANGES: Readonly<Record<string, Range>> = {
  int32: { integer: true, minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  int64: { integer: true, minimum: -(2 ** 63), maximum: 2 ** 63 },
  float: {},
  double: {},
};

/** What OpenAPI's formats say of numbers. */
export const rangeOfFormat = (name: string | undefined): Range | undefined =>
  name !== undefined && Object.hasOwn(RANGES, name) ? RANGES[name] : undefined;

/** `ucschar` and `iprivate` of RFC 3987 stand for a letter: what else a URI is does not depend on them. */
const asciiOf = (text: string): string => text.replace(/[\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\uffef\u{10000}-\u{10ffff}]/gu, 'x');

/** Most addresses that there are, each part told by what ends it; in so few characters nothing is too long. */
const USUAL_EMAIL = /^[\w+-]+(?:\.[\w+-]+)*@[a-z\d]+(?:\.[a-z\d]+)*$/i;

/** RFC 5321: a dot-string or a quoted one, and a name or an address literal. */
function isEmail(text: string, atom: RegExp): boolean {
  if (text.length <= LOCAL_PART_MAX && USUAL_EMAIL.test(text)) return true;
  const at = text.lastIndexOf('@');
  if (at < 1 || at > LOCAL_PART_MAX || text.length > EMAIL_MAX) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  const isLocal = local.startsWith('"') ? /^"(?:[ !#-[\]-~]|\\[ -~])*"$/.test(local) : local.split('.').every((part) => atom.test(part));
  if (!isLocal) return false;
  if (!domain.startsWith('[')) return isHostname(domain);
  if (!domain.endsWith(']')) return false;
  const address = domain.slice(1, -1);
  return /^ipv6:/i.test(address) ? isIpv6(address.slice('ipv6:'.length)) : isIpv4(address);
}

function isRegex(text: string): boolean {
  if (text.length > REGEX_CHARACTERS_MAX) return false;
  try {
    return RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Looked through for what does not belong there: no pattern that could go back. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return !/[^A-Za-z0-9+/]/.test(padding === 0 ? text : text.slice(0, -padding));
}
