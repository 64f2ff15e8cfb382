/**
 * `util.MIMEType` and `util.MIMEParams`: media types (WHATWG MIME Sniffing).
 */
import { coded } from '../shared/errors.ts';

const NOT_TOKEN = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;
const NOT_QUOTED = /[^\t\u0020-~\u0080-\u00ff]/;
const PARAMETER = /[\r\n\t ]*([^;=]*)(?:=("(?:\\[\s\S]|[^"\\])*\\?(?:"|$)[^;]*|[^;]*))?(?:;|$)/gy;

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (char) => char.toLowerCase());
}

function invalid(production: string, text: string, index: number): Error {
  const where = index === -1 ? '' : ` at ${index}`;
  return coded(TypeError, 'ERR_INVALID_MIME_SYNTAX', `The MIME syntax for a ${production} in "${text}" is invalid${where}`);
}

function checkedToken(token: string, production: string, text: string): string {
  const index = token.search(NOT_TOKEN);
  if (token === '' || index !== -1) throw invalid(production, text, index);
  return lower(token);
}

/** The text of a quoted string that may lack its end. */
function unquoted(value: string): string {
  const inside = /^"((?:\\[\s\S]|[^"\\])*)(\\?)/.exec(value) as RegExpExecArray;
  return (inside[1] as string).replace(/\\([\s\S])/g, '$1') + inside[2];
}

function parsedInto(data: Map<string, string>, text: string): void {
  for (const [whole, name = '', value] of text.replace(/[\r\n\t ]*$/, '').matchAll(PARAMETER)) {
    if (whole === '') break;
    if (value === undefined) continue;
    const key = lower(name);
    const content = value.startsWith('"') ? unquoted(value) : value.replace(/[\r\n\t ]*$/, '');
    if (content === '' && !value.startsWith('"')) continue;
    if (key !== '' && !NOT_TOKEN.test(key) && !NOT_QUOTED.test(content) && !data.has(key)) data.set(key, content);
  }
}

export class MIMEParams {
  readonly #data = new Map<string, string>();

  static from(text: string): MIMEParams {
    const params = new MIMEParams();
    parsedInto(params.#data, text);
    return params;
  }

  delete(name: unknown): void {
    this.#data.delete(lower(String(name)));
  }

  get(name: unknown): string | null {
    return this.#data.get(lower(String(name))) ?? null;
  }

  has(name: unknown): boolean {
    return this.#data.has(lower(String(name)));
  }

  set(name: unknown, value: unknown): void {
    const key = lower(String(name));
    const text = String(value);
    checkedToken(key, 'parameter name', key);
    const wrong = text.search(NOT_QUOTED);
    if (wrong !== -1) throw invalid('parameter value', text, wrong);
    this.#data.set(key, text);
  }

  *entries(): Generator<[string, string]> {
    yield* this.#data.entries();
  }

  *keys(): Generator<string> {
    yield* this.#data.keys();
  }

  *values(): Generator<string> {
    yield* this.#data.values();
  }

  toString(): string {
    const shown = (value: string): string => (value === '' || NOT_TOKEN.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value);
    return Array.from(this.#data, ([key, value]) => `${key}=${shown(value)}`).join(';');
  }

  declare toJSON: () => string;
  declare [Symbol.iterator]: () => Generator<[string, string]>;
}
const hidden = { writable: true, configurable: true, enumerable: false };
Object.defineProperty(MIMEParams.prototype, 'toJSON', { ...hidden, value: Reflect.get(MIMEParams.prototype, 'toString') });
Object.defineProperty(MIMEParams.prototype, Symbol.iterator, { ...hidden, value: Reflect.get(MIMEParams.prototype, 'entries') });
const newParams = MIMEParams.from;
Reflect.deleteProperty(MIMEParams, 'from');

export class MIMEType {
  #type: string;
  #subtype: string;
  readonly #parameters: MIMEParams;

  constructor(string: unknown) {
    const text = String(string);
    const start = text.search(/[^\r\n\t ]|$/);
    const slash = text.indexOf('/', start);
    const type = slash === -1 ? text.slice(start) : text.slice(start, slash);
    if (slash === -1) throw invalid('type', text, type.search(NOT_TOKEN));
    this.#type = checkedToken(type, 'type', text);
    const end = text.indexOf(';', slash);
    const subtype = (end === -1 ? text.slice(slash + 1) : text.slice(slash + 1, end)).replace(/[\r\n\t ]*$/, '');
    this.#subtype = checkedToken(subtype, 'subtype', text);
    this.#parameters = newParams(end === -1 ? '' : text.slice(end + 1));
  }

  get type(): string {
    return this.#type;
  }

  set type(value: unknown) {
    this.#type = checkedToken(String(value), 'type', String(value));
  }

  get subtype(): string {
    return this.#subtype;
  }

  set subtype(value: unknown) {
    this.#subtype = checkedToken(String(value), 'subtype', String(value));
  }

  get essence(): string {
    return `${this.#type}/${this.#subtype}`;
  }

  get params(): MIMEParams {
    return this.#parameters;
  }

  toString(): string {
    const parameters = this.#parameters.toString();
    return parameters === '' ? this.essence : `${this.essence};${parameters}`;
  }

  declare toJSON: () => string;
}
Object.defineProperty(MIMEType.prototype, 'toJSON', { ...hidden, value: Reflect.get(MIMEType.prototype, 'toString') });
