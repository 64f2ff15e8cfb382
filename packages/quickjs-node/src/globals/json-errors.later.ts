/**
 * What V8 says of text that is not JSON. `JSON.parse` here is QuickJS's; when it refuses a text, the text is
 * read once more to find the place and to tell it in V8's words, which applications show to their users and
 * tests compare.
 */

/** Characters shown before and after the place. */
const CONTEXT = 10;
const LATIN1_LAST = '\xff';
const specials: ReadonlySet<string> = new Set(['NaN', 'Infinity', 'undefined', '[object Object]']);

class Found extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Throws `Found` with the message. */
  read(): void {
    this.#space();
    this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#fail('Unexpected non-whitespace character after JSON');
  }

  #value(): void {
    const char = this.#text[this.#at];
    if (char === '{') this.#object();
    else if (char === '[') this.#array();
    else if (char === '"') this.#string();
    else if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) this.#number();
    else if (char === 't') this.#word('true');
    else if (char === 'f') this.#word('false');
    else if (char === 'n') this.#word('null');
    else this.#unexpected();
  }

  #object(): void {
    this.#at += 1;
    this.#space();
    if (this.#take('}')) return;
    if (this.#text[this.#at] !== '"') this.#fail("Expected property name or '}' in JSON");
    for (;;) {
      this.#string();
      this.#space();
      if (!this.#take(':')) this.#fail("Expected ':' after property name in JSON");
      this.#space();
      this.#value();
      this.#space();
      if (this.#take('}')) return;
      if (!this.#take(',')) this.#fail("Expected ',' or '}' after property value in JSON");
      this.#space();
      if (this.#text[this.#at] !== '"') this.#fail('Expected double-quoted property name in JSON');
    }
  }

  #array(): void {
    this.#at += 1;
    this.#space();
    if (this.#take(']')) return;
    for (;;) {
      this.#value();
      this.#space();
      if (this.#take(']')) return;
      if (!this.#take(',')) this.#fail("Expected ',' or ']' after array element in JSON");
      this.#space();
    }
  }

  #string(): void {
    for (this.#at += 1; ; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === undefined) this.#fail('Unterminated string in JSON');
      if (char === '"') break;
      if (char === '\\') this.#escape();
      else if (char < ' ') this.#fail('Bad control character in string literal in JSON');
    }
    this.#at += 1;
  }

  #escape(): void {
    this.#at += 1;
    const char = this.#text[this.#at];
    if (char === undefined || char > LATIN1_LAST) this.#unexpected();
    if (char !== 'u') {
      if (!'"\\/bfnrt'.includes(char)) this.#fail('Bad escaped character in JSON');
      return;
    }
    for (let digits = 0; digits < 4; digits++) {
      this.#at += 1;
      if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? '')) this.#fail('Bad Unicode escape in JSON');
    }
  }

  #number(): void {
    if (this.#take('-') && !this.#isDigit()) this.#fail('No number after minus sign in JSON');
    if (this.#take('0')) {
      if (this.#isDigit()) this.#fail('Unexpected number in JSON');
    } else this.#digits();
    if (this.#take('.')) {
      if (!this.#isDigit()) this.#fail('Unterminated fractional number in JSON');
      this.#digits();
    }
    if (this.#take('e') || this.#take('E')) {
      if (!this.#take('+')) this.#take('-');
      if (!this.#isDigit()) this.#fail('Exponent part is missing a number in JSON');
      this.#digits();
    }
  }

  #word(word: string): void {
    for (const char of word) if (!this.#take(char)) this.#unexpected();
  }

  #digits(): void {
    while (this.#isDigit()) this.#at += 1;
  }

  #isDigit(): boolean {
    const char = this.#text[this.#at];
    return char !== undefined && char >= '0' && char <= '9';
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    while (this.#at < this.#text.length && ' \t\n\r'.includes(this.#text[this.#at] as string)) this.#at += 1;
  }

  #fail(message: string): never {
    const before = this.#text.slice(0, this.#at).split(/\r\n|\r|\n/);
    throw new Found(`${message} at position ${this.#at} (line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1})`);
  }

  #unexpected(): never {
    const [text, at] = [this.#text, this.#at];
    const char = text[at];
    if (char === undefined) throw new Found('Unexpected end of JSON input');
    if (char === '"') this.#fail('Unexpected string in JSON');
    if (char === '-' || this.#isDigit()) this.#fail('Unexpected number in JSON');
    if (specials.has(text)) throw new Found(`"${text}" is not valid JSON`);
    throw new Found(`Unexpected token '${char}', ${around(text, at)} is not valid JSON`);
  }
}

function around(text: string, at: number): string {
  if (text.length <= CONTEXT * 2) return `"${text}"`;
  const start = at < CONTEXT ? 0 : at - CONTEXT;
  const isNearEnd = at >= CONTEXT && at >= text.length - CONTEXT;
  const end = isNearEnd ? text.length : at + CONTEXT;
  return `${at < CONTEXT ? '' : '...'}"${text.slice(start, end)}"${isNearEnd ? '' : '...'}`;
}

/** V8's message for `text`; `undefined` when it finds nothing wrong. */
export function describe(text: string): string | undefined {
  try {
    new Reader(text).read();
    return undefined;
  } catch (error) {
    return error instanceof Found ? error.message : undefined;
  }
}
