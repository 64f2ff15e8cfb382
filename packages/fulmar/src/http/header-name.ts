/**
 * Names of reply fields, interned: each spelling is checked, lower-cased and classified once per process. The
 * table is bounded; beyond it names are made on the fly. Never holds values.
 */
import { nodeHttp } from './node-http.ts';
import { throwInvalidName } from './errors.ts';

/** What a field means to framing and connection handling, as Node's `matchHeader` knows it. */
export const FieldKind = {
  plain: 0,
  connection: 1,
  transferEncoding: 2,
  contentLength: 3,
  date: 4,
  expect: 5,
  trailer: 6,
  keepAlive: 7,
  cookie: 8,
  contentDisposition: 9,
} as const;

/** One spelling of a field name. */
export interface HeaderName {
  readonly name: string;
  readonly lower: string;
  /** `"Name: "`, ready for a header block. */
  readonly prefix: string;
  readonly kind: number;
  /** Begins with a digit: Node's store may put it before the others. */
  readonly isNumeric: boolean;
  /** The last value of this field that was found valid: most replies repeat it. */
  checked: unknown;
}

const kinds: ReadonlyMap<string, number> = new Map([
  ['connection', FieldKind.connection],
  ['transfer-encoding', FieldKind.transferEncoding],
  ['content-length', FieldKind.contentLength],
  ['date', FieldKind.date],
  ['expect', FieldKind.expect],
  ['trailer', FieldKind.trailer],
  ['keep-alive', FieldKind.keepAlive],
  ['cookie', FieldKind.cookie],
  ['content-disposition', FieldKind.contentDisposition],
]);

/** Enough for every name an application uses; a bound against names made from input. */
const NAMES_MAX = 2048;
const names = new Map<string, HeaderName>();

/** Property keys are interned by V8, so comparing two of them compares pointers. */
const interned = (text: string): string => Object.keys({ [text]: 0 })[0] ?? text;

function makeName(name: string): HeaderName {
  const lower = interned(name.toLowerCase());
  const kind = kinds.get(lower) ?? FieldKind.plain;
  const made = { name: interned(name), lower, prefix: `${name}: `, kind, isNumeric: /^\d/.test(lower), checked: undefined };
  if (names.size < NAMES_MAX) names.set(made.name, made);
  return made;
}

/** The interned form of a valid field name; throws ERR_INVALID_HTTP_TOKEN as Node does. */
export function headerName(name: string): HeaderName {
  const known = names.get(name);
  if (known !== undefined) return known;
  nodeHttp.validateHeaderName(name);
  return makeName(name);
}

/** The lower-case form for a look-up; names that were never set are not stored. */
export function lookupName(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known.lower;
  if (typeof name !== 'string') throwInvalidName(name);
  return name.toLowerCase();
}
