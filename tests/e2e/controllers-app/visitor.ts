/** Somebody who uses the example: requests with their token, uploads that stop half-way, the feed. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { BOUNDARY, MULTIPART, type Part, toMultipart } from '../support/multipart.ts';
import { ADMIN, type Archive } from './forms.ts';

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line no-explicit-any -- what tests look into
  readonly body: any;
}

interface Asked {
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export const PASSWORD = 'razorbill 42';
const PATIENCE_MS = 20_000;
let visitors = 0;

export class Visitor {
  readonly archive: Archive;
  token: string | undefined;
  id = 0;

  constructor(archive: Archive, token?: string) {
    this.archive = archive;
    this.token = token;
  }

  async ask(
    path: string,
    { method, json, body = json === undefined ? undefined : JSON.stringify(json), headers = {} }: Asked = {},
  ): Promise<Told> {
    const response = await fetch(this.archive.url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...this.#known(), ...(json !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  }

  upload(parts: readonly Part[], headers: Readonly<Record<string, string>> = {}): Promise<Told> {
    return this.ask('/api/v1/files', { body: toMultipart(parts), headers: { ...MULTIPART, ...headers } });
  }

  async signUp(email = `visitor-${(visitors += 1)}@example.org`, name = 'Nóra 🐦'): Promise<this> {
    const { status, text, body } = await this.ask('/api/v1/auth/sign-up', { json: { email, name, password: PASSWORD } });
    assert.equal(status, 201, text);
    return this.#be(body);
  }

  async signIn(email: string, password: string): Promise<this> {
    const { status, text, body } = await this.ask('/api/v1/auth/sign-in', { json: { email, password } });
    assert.equal(status, 200, text);
    return this.#be(body);
  }

  #be({ token, user }: { token: string; user: { id: number } }): this {
    this.token = token;
    this.id = user.id;
    return this;
  }

  #known(): Record<string, string> {
    return this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
  }

  /** An upload of which the first half is sent and, when this resolves, being received. */
  async beginUpload(name: string): Promise<HalfUpload> {
    const content = toMultipart([{ name: 'file', filename: name, type: 'text/plain', value: 'begun before the end'.repeat(1000) }]);
    const half = content.length / 2;
    const headers = { ...MULTIPART, ...this.#known(), 'Content-Length': String(content.length) };
    const { hostname, port } = new URL(this.archive.url);
    const request = http.request({ host: hostname, port, path: '/api/v1/files', method: 'POST', headers, agent: false });
    const reply = new Promise<number>((resolve, reject) =>
      request.once('response', (response) => resolve(response.resume().statusCode ?? 0)).once('error', reject),
    );
    request.write(content.subarray(0, half));
    await until(() => readdirSync(join(this.archive.files, 'incoming')).length > 0);
    return {
      finish: () => {
        request.end(content.subarray(half));
        return reply;
      },
      async leave() {
        request.destroy();
        await assert.rejects(reply);
      },
    };
  }

  /** The feed, which is heard when this resolves. */
  async follow(lastId?: string): Promise<Following> {
    const leaving = new AbortController();
    const headers = { ...this.#known(), ...(lastId !== undefined && { 'Last-Event-ID': lastId }) };
    const response = await fetch(`${this.archive.url}/api/v1/feed`, { headers, signal: leaving.signal });
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/event-stream']);
    return new Following(response, leaving);
  }
}

export interface HalfUpload {
  /** Sends the rest; gives the status. */
  finish(): Promise<number>;
  leave(): Promise<void>;
}

export interface FeedEvent {
  readonly type: string;
  readonly id: string;
  // oxlint-disable-next-line no-explicit-any -- what tests look into
  readonly data: any;
}

export class Following {
  readonly #pieces: AsyncIterator<string>;
  readonly #leaving: AbortController;
  #rest = '';

  constructor(response: Response, leaving: AbortController) {
    const { readable, writable } = new TextDecoderStream();
    this.#pieces = readable[Symbol.asyncIterator]();
    // A feed that is broken off ends for its reader, too.
    void (response.body as ReadableStream).pipeTo(writable).catch(() => undefined);
    this.#leaving = leaving;
  }

  /** The next one, or null when there is none any more. */
  async next(): Promise<FeedEvent | null> {
    for (;;) {
      const end = this.#rest.indexOf('\n\n');
      if (end >= 0) {
        const event = toEvent(this.#rest.slice(0, end));
        this.#rest = this.#rest.slice(end + 2);
        if (event !== null) return event;
        continue;
      }
      const { done, value } = await this.#pieces.next();
      if (done === true) return null;
      this.#rest += value;
    }
  }

  leave(): void {
    this.#leaving.abort();
  }
}

/** Null: a comment, or nothing. */
function toEvent(text: string): FeedEvent | null {
  const of = (field: string): string => new RegExp(`(?:^|\\n)${field}: ([^\\n]*)`).exec(text)?.[1] ?? '';
  const data = of('data');
  return data === '' ? null : { type: of('event'), id: of('id'), data: JSON.parse(data) };
}

export const asAdmin = (archive: Archive): Promise<Visitor> => new Visitor(archive).signIn(ADMIN.email, ADMIN.password);

/** @throws when it takes too long */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `not in ${PATIENCE_MS} ms: ${holds}`);
    await turn();
  }
}

/** What is on the disk: files that are received, and those that are kept. */
export const onDisk = ({ files }: Archive): { incoming: string[]; kept: string[] } => ({
  incoming: readdirSync(join(files, 'incoming')),
  kept: readdirSync(join(files, 'kept')),
});

export { BOUNDARY };
