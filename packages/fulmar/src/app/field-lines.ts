/**
 * Field lines of a reply: checked, by name, in the order in which they were first set.
 */

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What no value has: controls but the tab, and what is beyond latin1. */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;
/** What the reply's framing says; nobody else may. */
const OURS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive']);

interface Line {
  readonly name: string;
  values: string[];
}

export class FieldLines {
  readonly #lines = new Map<string, Line>();

  /**
   * Replaces the field, or adds a line with `append`; to `Vary` only names that it has not yet. @throws TypeError
   * for a name or value that no field line may have
   */
  set(name: string, value: string, append = false): void {
    const lower = checkedName(name);
    const text = checkedValue(name, value);
    const line = this.#lines.get(lower);
    if (line === undefined) this.#lines.set(lower, { name, values: [text] });
    else if (append) line.values.push(...(lower === 'vary' ? newNames(line.values, text) : [text]));
    else line.values = [text];
  }

  get(name: string): string | undefined {
    return this.#lines.get(name.toLowerCase())?.values.join(', ');
  }

  has(name: string): boolean {
    return this.#lines.has(name.toLowerCase());
  }

  delete(name: string): void {
    this.#lines.delete(name.toLowerCase());
  }

  /** Takes back the lines that set the cookie of that name. */
  deleteCookie(name: string): void {
    const line = this.#lines.get('set-cookie');
    if (line === undefined) return;
    line.values = line.values.filter((value) => !value.startsWith(`${name}=`));
    if (line.values.length === 0) this.#lines.delete('set-cookie');
  }

  /** `Name: value CRLF` repeated, without `Content-Type`, which stands first. */
  block(): string {
    let text = '';
    for (const [lower, { name, values }] of this.#lines) {
      if (lower === 'content-type') continue;
      for (const value of values) text += `${name}: ${value}\r\n`;
    }
    return text;
  }

  *entries(): Iterable<readonly [name: string, value: string]> {
    for (const { name, values } of this.#lines.values()) for (const value of values) yield [name, value];
  }
}

/** What a reply depends on is said once, however many say it; `*` says all. */
function newNames(values: readonly string[], text: string): string[] {
  const given = namesIn(values.join()).map((name) => name.toLowerCase());
  const names = given.includes('*') ? [] : namesIn(text).filter((name) => !given.includes(name.toLowerCase()));
  return names.length === 0 ? [] : [names.join(', ')];
}

const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function checkedName(name: string): string {
  if (typeof name !== 'string' || !TOKEN.test(name))
    throw new TypeError(`A field's name is a token of ASCII letters, and this is ${JSON.stringify(name)}.`);
  const lower = name.toLowerCase();
  if (OURS.has(lower)) throw new TypeError(`${name} follows from the reply's content and connection and cannot be set.`);
  return lower;
}

function checkedValue(name: string, value: string): string {
  const text = String(value);
  if (FORBIDDEN.test(text))
    throw new TypeError(`The value of ${name} has a character that no field line may have: ${JSON.stringify(text)}.`);
  return text;
}
