/** Text of RBS, taken piece by piece; knows where it is for errors, and the comment in front. Knows no grammar. */
import { CommandError } from '../../errors.ts';

/** Of what is shown where something else was expected. */
const FOUND_MAX = 30;

export class RbsSource {
  readonly #text: string;
  readonly #name: string;
  #offset = 0;
  #comment: string[] = [];

  constructor(text: string, name: string) {
    this.#text = text;
    this.#name = name;
  }

  get isAtEnd(): boolean {
    this.#skip();
    return this.#offset >= this.#text.length;
  }

  /** The comment that ends where the next piece begins. */
  comment(): string {
    this.#skip();
    const lines = this.#comment;
    this.#comment = [];
    return lines.join('\n');
  }

  /** @param pattern sticky */
  take(pattern: RegExp): string | undefined {
    this.#skip();
    return this.takeHere(pattern);
  }

  /** The same, without what may stand between. */
  takeHere(pattern: RegExp): string | undefined {
    const found = this.#match(pattern);
    // Comments before it were about it, or about nothing.
    if (found !== undefined) this.#comment = [];
    return found;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#offset += found[0].length;
    return found[1] ?? found[0];
  }

  sees(pattern: RegExp): boolean {
    this.#skip();
    pattern.lastIndex = this.#offset;
    return pattern.test(this.#text);
  }

  expect(pattern: RegExp, what: string): string {
    return this.take(pattern) ?? this.fail(what);
  }

  /** From one bracket to the one that closes it. */
  skipBrackets(): void {
    if (!this.sees(/\[/y)) return;
    let depth = 0;
    do {
      const one = this.expect(/[^[\]]+|[[\]]/y, '] that closes the parameters of the type');
      depth += one === '[' ? 1 : one === ']' ? -1 : 0;
    } while (depth > 0);
  }

  /** Throws: this was expected. */
  fail(what: string): never {
    this.#skip();
    const line = this.#text.slice(0, this.#offset).split('\n').length;
    const found = /[^\n]*/.exec(this.#text.slice(this.#offset))?.[0].trim().slice(0, FOUND_MAX) ?? '';
    throw new CommandError(
      'FULMAR_CLI_POLYGLOT',
      `${this.#name}:${line}: ${what} is expected, and there is ${found === '' ? 'the end of the file' : found}`,
    );
  }

  #skip(): void {
    for (;;) {
      const isLine = this.#isLineStart();
      const blank = this.#match(/[ \t\r]*\n|[ \t\r]+/y);
      if (blank !== undefined) {
        // An empty line: the comment was about nothing.
        if (isLine && blank.includes('\n')) this.#comment = [];
        continue;
      }
      const comment = this.#match(/#([^\n]*)\n?/y);
      if (comment === undefined) return;
      if (isLine) this.#comment.push(comment.replace(/^ /, '').trimEnd());
    }
  }

  /** Nothing but blanks stand in front in the line. */
  #isLineStart(): boolean {
    return this.#text.slice(this.#text.lastIndexOf('\n', this.#offset - 1) + 1, this.#offset).trim() === '';
  }
}
