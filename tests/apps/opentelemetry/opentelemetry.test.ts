/** OpenTelemetry's instrumentations of http and Express: the same spans, however they are loaded. */
import assert from 'node:assert/strict';
import { compareApp } from '../support/compare.ts';
import type { Conversation, Talk } from '../support/compare.ts';
import { until } from '../support/until.ts';

const KIND_SERVER = 1;

interface Span {
  readonly id: string;
  readonly trace: string;
  readonly parent: string | null;
  readonly isRemote: boolean;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Record<string, unknown>;
  readonly start: readonly [number, number];
  readonly [key: string]: unknown;
}

interface Tree {
  readonly span: Record<string, unknown>;
  readonly children: readonly Tree[];
}

const byStart = (left: Span, right: Span): number => left.start[0] - right.start[0] || left.start[1] - right.start[1];

/** What a span says without what no two runs share: ids, times, ports. */
function plainSpan({ id: _id, trace: _trace, parent: _parent, start: _start, attributes, ...rest }: Span): Record<string, unknown> {
  const shown = Object.entries(attributes).map(([key, value]) => [key, key.endsWith('port') ? '<port>' : value]);
  return { ...rest, attributes: Object.fromEntries(shown) as unknown };
}

function toTrees(spans: readonly Span[], parent: string | null): Tree[] {
  const ids = new Set(spans.map(({ id }) => id));
  const isChild = (span: Span): boolean => (parent === null ? span.parent === null || !ids.has(span.parent) : span.parent === parent);
  return spans.filter(isChild).map((span) => ({ span: plainSpan(span), children: toTrees(spans, span.id) }));
}

/** Plays, then waits until the server span of each request has ended, and notes all spans as trees. */
function traced(name: string, servers: number, play: (talk: Talk) => Promise<unknown>, check: (text: string) => void): Conversation {
  return {
    name,
    talk: async (talk) => {
      await play(talk);
      const spans: Span[] = [];
      await until(async () => {
        const reply = await fetch(`${talk.url}/debug/spans`);
        spans.push(...((await reply.json()) as Span[]));
        return spans.filter(({ kind }) => kind === KIND_SERVER).length >= servers ? spans : undefined;
      }, `${servers} server spans`);
      talk.note(toTrees([...spans].sort(byStart), null));
    },
    // Frames of a stack name files of Express, which differ.
    masks: [{ pattern: /(?:\\n +at [^"\\]*)+/g, by: '<frames>' }],
    check: (_replies, notes) => check(JSON.stringify(notes)),
  };
}

const conversations: Conversation[] = [
  traced(
    'traces a request through middleware to its handler',
    4,
    async ({ client }) => {
      await client.get('/', { 'X-Client': 'tests', Accept: 'text/html' });
      await client.get('/active');
      await client.send({ path: '/', method: 'HEAD' });
      await client.get('/?q=%E2%98%95&token=secret', { 'User-Agent': 'Bird/1.0 (☕)'.replace('☕', 'x') });
    },
    (text) => {
      for (const name of ['"GET /"', '"HEAD /"', '"middleware - stamp"', '"middleware - jsonParser"', '"middleware - session"', '"looked"'])
        assert.ok(text.includes(name), `no ${name}`);
    },
  ),
  traced(
    'names routes of nested routers, with parameters, expressions and lists',
    7,
    async ({ client }) => {
      await client.get('/shops/north/items/tea');
      await client.get('/shops/n%C3%B6rd/items/caf%C3%A9', { Authorization: 'ada' });
      await client.get('/shops/north/items/tea/regex-42');
      await client.get('/shops/north/items/tea/b');
      await client.get('/shops/north/items/tea/c');
      await client.get('/nowhere');
      await client.send({ path: '/shops/north/items/tea', method: 'OPTIONS' });
    },
    (text) => {
      for (const name of ['GET /shops/:shop/items/:item"', 'router - /:item', '"http.route":', 'regex-'])
        assert.ok(text.includes(name), `no ${name}`);
    },
  ),
  traced(
    'carries the context to other services and back',
    11,
    async ({ client }) => {
      const parent = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', baggage: 'team=birds' };
      await client.get('/active', parent);
      await client.get('/shops/north/items/tea/stock', parent);
      await client.json('/shops/north/items/coffee/stock', { add: 2 });
      await client.get('/shops/north/items/nothing/stock');
      await client.get('/parallel');
    },
    (text) => {
      assert.ok(text.includes('"isRemote":true') && text.includes('"ask the stock"'));
      assert.ok(text.includes('http.response.header.x-stock'));
    },
  ),
  traced(
    'marks failures: thrown, rejected, refused content, a service that hangs up',
    6,
    async ({ client }) => {
      await client.get('/throws');
      await client.get('/rejects');
      await client.post('/echo', '{"broken": ', { 'Content-Type': 'application/json' });
      await client.json('/echo', { name: 'Ægir 🌊' });
      await client.get('/shops/north/items/broken/stock');
    },
    (text) => assert.ok(text.includes('ECONNRESET') && text.includes('thrown in a handler')),
  ),
  traced(
    'ends spans of streams and redirects, and of replies the client gives up on',
    4,
    async ({ client }) => {
      await client.get('/stream');
      await client.get('/redirect');
      await client.send({ path: '/endless', stopAfterBytes: 6 }).then((reply) => {
        // How much arrived until then is chance.
        client.replies.pop();
        assert.equal(reply.isComplete, false);
      });
      await client.get('/');
    },
    (text) => assert.ok(text.includes('"GET /endless"') && text.includes('"piece 4"') && text.includes('"GET /redirect"')),
  ),
];

const folder = new URL('./', import.meta.url);
const app = { folder, express: 'fulmar/express', conversations } as const;

compareApp({ ...app, name: 'OpenTelemetry, loaded by the first line of a CommonJS application', file: 'server.cjs' });
compareApp({ ...app, name: 'OpenTelemetry, loaded with --require', file: 'server.cjs', flags: ['--require', './instrument.cjs'] });
compareApp({
  ...app,
  name: 'OpenTelemetry, loaded with --import into ES modules',
  file: 'server.mjs',
  flags: ['--import', './instrument.mjs'],
});
