/**
 * Takes replies apart as they come: heads, content by length, in chunks or until the end. No tolerance; what
 * is no HTTP is an error.
 */

export interface Reply {
  readonly status: number;
  readonly head: string;
  readonly fields: ReadonlyMap<string, string>;
  /** latin1 */
  readonly content: string;
}

const HEAD_BYTES_MAX = 16 * 1024;
const UNTIL_END = Number.POSITIVE_INFINITY;

export class ReplyReader {
  #text = '';
  #head: { status: number; head: string; fields: Map<string, string> } | null = null;
  #content: string[] = [];
  /** Bytes of content, or of the current chunk, that have not come yet. */
  #left = 0;
  #isChunked = false;
  #inTrailers = false;
  /** After 101: everything. */
  isRaw = false;

  /** What a reply holds that is not complete, for a look at its bytes. */
  get partial(): string {
    return (this.#head?.head ?? '') + this.#content.join('') + this.#text;
  }

  /** Replies that are complete with these bytes. */
  push(text: string): Reply[] {
    this.#text += text;
    const replies: Reply[] = [];
    for (;;) {
      if (this.isRaw) return replies;
      if (this.#head === null && !this.#readHead()) return replies;
      if (!this.#readContent()) return replies;
      replies.push(this.#finish());
    }
  }

  /** The bytes behind a 101, taken. */
  takeRaw(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** The reply that the end of the connection completes, if there is one. */
  end(): Reply | undefined {
    return this.#head !== null && this.#left === UNTIL_END ? this.#finish() : undefined;
  }

  #finish(): Reply {
    const reply = { ...this.#head!, content: this.#content.join('') };
    this.#head = null;
    this.#content = [];
    this.isRaw = reply.status === 101;
    return reply;
  }

  #readHead(): boolean {
    const end = this.#text.indexOf('\r\n\r\n');
    const shown = this.#text.slice(0, 12);
    if (!'HTTP/1.1 200'.startsWith(shown) && !/^HTTP\/1\.1 \d\d\d$/.test(shown))
      throw new Error(`no reply: ${JSON.stringify(this.#text.slice(0, 200))}`);
    if (end < 0) {
      if (this.#text.length > HEAD_BYTES_MAX) throw new Error(`a head without an end: ${JSON.stringify(this.#text.slice(0, 200))}`);
      return false;
    }
    const head = this.#text.slice(0, end);
    const [first = '', ...lines] = head.split('\r\n');
    const fields = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(':');
      if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(line.slice(0, Math.max(0, colon)))) throw new Error(`no field line: ${JSON.stringify(line)}`);
      fields.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    }
    this.#text = this.#text.slice(end + 4);
    this.#head = { status: Number(first.slice(9, 12)), head, fields };
    this.#isChunked = fields.get('transfer-encoding') === 'chunked';
    this.#inTrailers = false;
    const length = fields.get('content-length');
    this.#left = this.#isChunked || this.#head.status === 101 ? 0 : length === undefined ? UNTIL_END : Number(length);
    return true;
  }

  #readContent(): boolean {
    if (!this.#isChunked) return this.#take();
    for (;;) {
      if (this.#inTrailers) return this.#readTrailers();
      if (!this.#take()) return false;
      const isFirst = this.#content.length === 0;
      const found = /^(?:\r\n)?([0-9a-fA-F]+)\r\n/.exec(this.#text.slice(0, 20));
      if (found === null) {
        if (this.#text.length >= 20 || (isFirst && this.#text.startsWith('\r')))
          throw new Error(`no chunk: ${JSON.stringify(this.#text.slice(0, 60))}`);
        return false;
      }
      this.#text = this.#text.slice(found[0].length);
      this.#left = Number.parseInt(found[1]!, 16);
      this.#inTrailers = this.#left === 0;
    }
  }

  #readTrailers(): boolean {
    if (!this.#text.startsWith('\r\n')) {
      if (this.#text.length >= 2) throw new Error(`no end of chunks: ${JSON.stringify(this.#text.slice(0, 60))}`);
      return false;
    }
    this.#text = this.#text.slice(2);
    return true;
  }

  #take(): boolean {
    if (this.#left === 0) return true;
    const part = this.#text.slice(0, Math.min(this.#left, this.#text.length));
    if (part !== '') this.#content.push(part);
    this.#text = this.#text.slice(part.length);
    this.#left -= part.length;
    return this.#left === 0;
  }
}
