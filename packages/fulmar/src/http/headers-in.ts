/**
 * Request fields as Node presents them: one object with lower-case names, duplicates joined, dropped or
 * listed by Node's rules. The rule of each name is learnt once from the running Node itself. Never touches
 * the connection.
 */
import { nodeHttp, nodeMethod } from './node-http.ts';

type Headers = Record<string, string | string[] | undefined>;

/** What happens to the second field line of a name. */
const Rule = { drop: 0, comma: 1, cookie: 2, list: 3, proto: 4 } as const;

interface IncomingName {
  readonly lower: string;
  readonly rule: number;
}

/** Bound against names invented by peers; beyond it a name is classified on each use. */
const NAMES_MAX = 2048;
/** Longer names are not worth a place in the table. */
const NAME_LENGTH_MAX = 64;
const names = new Map<string, IncomingName>();
const addHeaderLine = nodeMethod(nodeHttp.IncomingMessage.prototype, '_addHeaderLine');

function ruleOf(lower: string): number {
  if (lower === '__proto__') return Rule.proto;
  const probe = Object.create(null) as Headers;
  const receiver = { joinDuplicateHeaders: false };
  addHeaderLine.call(receiver, lower, 'a', probe);
  addHeaderLine.call(receiver, lower, 'b', probe);
  const joined = probe[lower];
  if (Array.isArray(joined)) return Rule.list;
  if (joined === 'a; b') return Rule.cookie;
  return joined === 'a, b' ? Rule.comma : Rule.drop;
}

function incomingName(name: string): IncomingName {
  const known = names.get(name);
  if (known !== undefined) return known;
  const folded = name.toLowerCase();
  // Property keys are interned by V8; as such they index the headers object fastest.
  const lower = Object.keys({ [folded]: 0 })[0] ?? folded;
  const made = { lower, rule: ruleOf(lower) };
  if (names.size < NAMES_MAX && name.length <= NAME_LENGTH_MAX) names.set(name, made);
  return made;
}

const setOwn = (headers: object, name: string, value: unknown): void => {
  Object.defineProperty(headers, name, { value, writable: true, enumerable: true, configurable: true });
};

function addAgain(headers: Headers, name: IncomingName, value: string, join: boolean): void {
  const before = headers[name.lower];
  if (name.rule === Rule.list) (before as string[]).push(value);
  else if (name.rule === Rule.cookie) headers[name.lower] = `${before as string}; ${value}`;
  else if (name.rule === Rule.comma || join) headers[name.lower] = `${before as string}, ${value}`;
}

/** A name such as `constructor`: the object has it by inheritance, which is not a first field line. */
const isOwn = (headers: object, name: string): boolean => Object.hasOwn(headers, name);

/** `headers` (or `trailers`) from `[name, value, …]`. `join`: the server's `joinDuplicateHeaders`. */
export function toHeaders(raw: readonly string[], join: boolean): Headers {
  const headers: Headers = {};
  for (let i = 0; i < raw.length; i += 2) {
    const name = incomingName(raw[i] as string);
    const value = raw[i + 1] as string;
    if (name.rule === Rule.proto)
      setOwn(headers, name.lower, isOwn(headers, name.lower) ? `${headers[name.lower] as string}, ${value}` : value);
    else {
      const before = headers[name.lower];
      if (before === undefined || (typeof before === 'function' && !isOwn(headers, name.lower)))
        headers[name.lower] = name.rule === Rule.list ? [value] : value;
      else addAgain(headers, name, value, join);
    }
  }
  return headers;
}

/** `headersDistinct` (or `trailersDistinct`): every value of every name, on a null-prototype object. */
export function toDistinct(raw: readonly string[]): NodeJS.Dict<string[]> {
  const headers = Object.create(null) as NodeJS.Dict<string[]>;
  for (let i = 0; i < raw.length; i += 2) {
    const { lower } = incomingName(raw[i] as string);
    const values = headers[lower];
    if (values === undefined) headers[lower] = [raw[i + 1] as string];
    else values.push(raw[i + 1] as string);
  }
  return headers;
}
