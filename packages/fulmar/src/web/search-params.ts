/**
 * Koa 3's query strings: those of the URL standard, as a plain object in which a name that comes more than
 * once has an array.
 */

/** Nothing in such a text is encoded: it can be cut apart as it is. */
const PLAIN = /^[\w.~*=&-]*$/;

type Values = Record<string, string | string[]>;

function add(values: Values, key: string, value: string): void {
  if (!Object.hasOwn(values, key)) {
    // Only a definition makes `__proto__` a name like any other.
    if (key === '__proto__') Object.defineProperty(values, key, { value, writable: true, enumerable: true, configurable: true });
    else values[key] = value;
    return;
  }
  const before = values[key] as string | string[];
  if (Array.isArray(before)) before.push(value);
  else Object.defineProperty(values, key, { value: [before, value] });
}

function addPlain(values: Values, pair: string): void {
  if (pair === '') return;
  const at = pair.indexOf('=');
  if (at < 0) add(values, pair, '');
  else add(values, pair.slice(0, at), pair.slice(at + 1));
}

export function parseSearch(text: string): Values {
  const values: Values = {};
  if (PLAIN.test(text)) for (const pair of text.split('&')) addPlain(values, pair);
  else for (const [key, value] of new URLSearchParams(text)) add(values, key, value);
  return values;
}

/** Strings, numbers and booleans count; everything else becomes empty. */
export function stringifySearch(values: object): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value as unknown]) params.append(key, toText(one));
  }
  return params.toString();
}

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
