/**
 * The same small application written for another framework and for Fulmar's app, asked the same: what a page
 * of docs/migration says of the two. Neither side needs a port.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, type AppOptions, createApp } from 'fulmar';

export interface Asked {
  readonly url: string;
  /** GET without content, POST with. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Came {
  readonly status: number;
  readonly field: (name: string) => string | undefined;
  /** What there is of it where it is broken off, and `[broken off]`. */
  readonly text: string;
}

/** Another framework: its application, and how that is asked. */
export interface Peer<Theirs> {
  readonly create: (options?: object) => Theirs;
  readonly ask: (app: Theirs, asked: Asked) => Promise<Came>;
}

interface Programs<Theirs> {
  readonly theirs: (app: Theirs) => unknown;
  readonly ours: (app: App) => unknown;
  readonly options?: AppOptions;
  readonly theirOptions?: object;
  readonly ask: string | Asked | readonly (string | Asked)[];
  /** Fields that are told beside status, media type and content. */
  readonly fields?: readonly string[];
}

export interface Equal<Theirs> extends Programs<Theirs> {
  readonly name: string;
  /** What each request is answered, by both. */
  readonly both: readonly string[];
}

export interface Difference<Theirs> extends Programs<Theirs> {
  /** Of the entry in the page. */
  readonly id: string;
  readonly name: string;
  readonly stock: readonly string[];
  readonly fulmar: readonly string[];
}

export function defineEqual<Theirs>(peer: Peer<Theirs>, pairs: readonly Equal<Theirs>[]): void {
  for (const pair of pairs) {
    test(pair.name, async () => {
      assert.deepEqual(await tellTheirs(peer, pair), pair.both, 'theirs');
      assert.deepEqual(await tellOurs(pair), pair.both, 'ours');
    });
  }
}

export function defineDifferences<Theirs>(peer: Peer<Theirs>, pairs: readonly Difference<Theirs>[]): void {
  for (const pair of pairs) {
    test(`${pair.id}: ${pair.name}`, async () => {
      assert.notDeepEqual(pair.stock, pair.fulmar);
      assert.deepEqual(await tellTheirs(peer, pair), pair.stock, 'theirs');
      assert.deepEqual(await tellOurs(pair), pair.fulmar, 'ours');
    });
  }
}

const asks = <Theirs>({ ask }: Programs<Theirs>): Asked[] =>
  [ask].flat().map((one) => (typeof one === 'string' ? { url: one } : one) as Asked);

async function tellTheirs<Theirs>(peer: Peer<Theirs>, pair: Programs<Theirs>): Promise<string[]> {
  const app = peer.create(pair.theirOptions);
  await pair.theirs(app);
  const lines: string[] = [];
  for (const asked of asks(pair)) {
    lines.push(
      await peer.ask(app, asked).then(
        (came) => told(came, pair.fields),
        (error: unknown) => `throws ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
  }
  return lines;
}

async function tellOurs<Theirs>(pair: Programs<Theirs>): Promise<string[]> {
  const app = createApp({ logger: { error: () => {} }, ...pair.options });
  await pair.ours(app);
  const lines: string[] = [];
  for (const asked of asks(pair)) lines.push(told(await cameOf(await app.fetch(toRequest(asked))), pair.fields));
  return lines;
}

/** `200 text/plain hello`; an id that is made for an error is `…`. */
function told({ status, field, text }: Came, fields: readonly string[] = []): string {
  const type = field('content-type')?.split(';')[0] ?? '-';
  const parts = [String(status), type, ...fields.map((name) => `${name}=${field(name) ?? '-'}`), text];
  return parts
    .join(' ')
    .trim()
    .replace(/urn:error:\w+/, 'urn:error:…');
}

export function toRequest({ url, method, headers, body }: Asked): Request {
  return new Request(`http://localhost${url}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...headers },
    body: body ?? null,
  });
}

export async function cameOf(reply: Response): Promise<Came> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of reply.body ?? []) text += decoder.decode(piece as Uint8Array, { stream: true });
  } catch {
    text += '[broken off]';
  }
  return { status: reply.status, field: (name) => reply.headers.get(name) ?? undefined, text };
}
