/**
 * A response that keeps what it is told, for what takes one as an argument. It sends nothing; a second reply is an error,
 * as it is of a real one.
 */

export class MockResponse {
  statusCode = 200;
  /** By names in lower case. */
  readonly headers: Record<string, string | readonly string[]> = {};
  /** What `json()`, `send()` or `end()` has been given. */
  body: any = undefined;
  headersSent = false;
  writableEnded = false;
  locals: Record<string, any> = {};

  status(code: number): this {
    if (!Number.isInteger(code)) throw new TypeError(`status() takes a whole number, and this is ${String(code)}.`);
    this.statusCode = code;
    return this;
  }

  set(name: string | Readonly<Record<string, string>>, value?: string | number | readonly string[]): this {
    if (typeof name === 'object') {
      for (const [one, text] of Object.entries(name)) this.set(one, text);
      return this;
    }
    if (value === undefined) throw new TypeError(`set() has no value for the field ${name}.`);
    this.#open(`set the field ${name}`);
    this.headers[name.toLowerCase()] = Array.isArray(value) ? (value as readonly string[]) : String(value);
    return this;
  }
  header(name: string | Readonly<Record<string, string>>, value?: string | number | readonly string[]): this {
    return this.set(name, value);
  }
  setHeader(name: string, value: string | number | readonly string[]): this {
    return this.set(name, value);
  }
  get(name: string): string | readonly string[] | undefined {
    return this.headers[name.toLowerCase()];
  }
  getHeader(name: string): string | readonly string[] | undefined {
    return this.get(name);
  }
  removeHeader(name: string): void {
    this.#open(`remove the field ${name}`);
    Reflect.deleteProperty(this.headers, name.toLowerCase());
  }
  type(type: string): this {
    return this.set('Content-Type', type);
  }

  json(body: unknown): this {
    if (this.get('content-type') === undefined) this.type('application/json; charset=utf-8');
    return this.end(body);
  }
  send(body?: unknown): this {
    return this.end(body);
  }
  sendStatus(code: number): this {
    return this.status(code).end();
  }
  redirect(first: number | string, second?: string): this {
    const [code, url] = typeof first === 'number' ? [first, second] : [302, first];
    if (url === undefined) throw new TypeError('redirect() has no URL: it takes (url) or (status, url).');
    return this.status(code).set('Location', url).end();
  }
  end(body?: unknown): this {
    this.#open('answer');
    this.body = body;
    this.headersSent = true;
    this.writableEnded = true;
    return this;
  }

  #open(what: string): void {
    if (this.headersSent) throw new Error(`Cannot ${what}: this response has been answered already.`);
  }
}

export const createMockResponse = (): MockResponse => new MockResponse();
