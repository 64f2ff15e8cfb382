/**
 * Sentry's Node SDK with its Express handlers: the same events and transactions arrive at the endpoint of its
 * DSN.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { compareApp } from '../support/compare.ts';
import type { Conversation, Talk } from '../support/compare.ts';
import { until } from '../support/until.ts';

type Item = Record<string, any>;

/** What arrived, by the project that the path of the DSN names. */
const arrived = new Map<string, Item[]>();

const collector = createServer((req, res) => {
  const pieces: Buffer[] = [];
  req.on('data', (piece: Buffer) => pieces.push(piece));
  req.once('end', () => {
    const project = /\/api\/(\d+)\/envelope/.exec(req.url ?? '')?.[1] ?? 'unknown';
    const bytes = Buffer.concat(pieces);
    const text = (req.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    const lines = text.split('\n').filter((line) => line !== '');
    for (let index = 1; index + 1 < lines.length; index += 2) {
      const { type } = JSON.parse(lines[index] ?? '{}') as { type?: string };
      const items = arrived.get(project) ?? [];
      arrived.set(project, items);
      if (type === 'event' || type === 'transaction') items.push({ kind: type, ...(JSON.parse(lines[index + 1] ?? '{}') as Item) });
    }
    res.end('{}');
  });
});
await new Promise<void>((listening) => void collector.listen(0, '127.0.0.1', listening));
const dsn = (project: number): string => `http://key@127.0.0.1:${(collector.address() as AddressInfo).port}/${project}`;

/** An event or transaction without ids, times, ports, and what describes the machine. */
function plain(item: Item): unknown {
  const { kind, level, transaction, transaction_info, tags, user, extra, release, environment, platform } = item;
  const trace = item['contexts']?.trace ?? {};
  const spans = [...((item['spans'] as Item[] | undefined) ?? [])].sort(
    (left, right) => left['start_timestamp'] - right['start_timestamp'],
  );
  return {
    kind,
    level,
    transaction,
    transaction_info,
    tags,
    user,
    extra,
    release,
    environment,
    platform,
    request: item['request'],
    response: item['contexts']?.response,
    exceptions: item['exception']?.values?.map((one: Item) => ({ ...one, stacktrace: one['stacktrace']?.frames?.length > 0 })),
    message: item['message'],
    breadcrumbs: item['breadcrumbs']?.map(({ timestamp: _timestamp, ...rest }: Item) => rest),
    trace: { op: trace.op, status: trace.status, origin: trace.origin, data: trace.data },
    spans: spans.map(({ op, description, origin, status, data, parent_span_id }) => ({
      op,
      description,
      origin,
      status,
      data,
      parent: parent_span_id === trace.span_id ? 'root' : spans.find(({ span_id }) => span_id === parent_span_id)?.['description'],
    })),
  };
}

const byTime = (left: Item, right: Item): number =>
  (left['start_timestamp'] ?? left['timestamp']) - (right['start_timestamp'] ?? right['timestamp']);

function told(name: string, transactions: number, play: (talk: Talk) => Promise<unknown>, expected: readonly string[]): Conversation {
  return {
    name,
    talk: async (talk) => {
      await play(talk);
      const items = await until(async () => {
        const project = await (await fetch(`${talk.url}/debug/flush`)).text();
        const found = arrived.get(project) ?? [];
        return found.filter(({ kind }) => kind === 'transaction').length >= transactions ? found.splice(0) : undefined;
      }, `${transactions} transactions`);
      const of = (kind: string): unknown[] =>
        items
          .filter((item) => item['kind'] === kind)
          .sort(byTime)
          .map(plain);
      talk.note(of('transaction'));
      // Two events of one moment have no order.
      const texts = of('event').map((event) => JSON.stringify(event));
      talk.note(texts.sort().map((text) => JSON.parse(text) as unknown));
    },
    masks: [
      { pattern: /"url\.port":"\d+"/g, by: '"port":0' },
      { pattern: /"http\.request\.header\.(?:baggage|sentry_trace)":"[^"]*"/g, by: '"trace":"<id>"' },
      { pattern: /"(?:net\.(?:host|peer)\.port|server\.port|net\.transport_port|client\.port|network\.peer\.port)":\d+/g, by: '"port":0' },
      { pattern: /[0-9a-f]{32}(?:-[0-9a-f]{16})?/g, by: '<id>' },
      { pattern: /"(?:sentry-trace|baggage|traceparent)":"[^"]*"/g, by: '"trace":"<id>"' },
    ],
    check: (_replies, notes) => {
      const text = JSON.stringify(notes);
      for (const part of expected) assert.ok(text.includes(part), `no ${part}`);
    },
  };
}

const conversations: Conversation[] = [
  told(
    'tells transactions with their spans, named after routes',
    4,
    async ({ client }) => {
      await client.get('/', { 'X-User': '42', Cookie: 'a=1; b=2' });
      await client.get('/items/tea?q=%C3%BC');
      await client.get('/calls');
      await client.get('/nowhere');
    },
    ['GET /items/:id', 'load item', 'whoAsks', 'middleware'],
  ),
  told(
    'tells errors with user, tags, breadcrumbs and request; not those of clients',
    5,
    async ({ client }) => {
      await client.get('/throws', { 'X-User': '7', 'X-Tenant': 'north' });
      await client.get('/items/lost');
      await client.json('/items', { name: 'Möwe' });
      await client.get('/refused');
      await client.get('/filtered');
      await client.get('/caught');
    },
    ['thrown ☔', 'the item is lost', 'cannot keep', 'caught by hand', 'only a message', 'asked for /throws', '"id":"7"'],
  ),
];

const folder = new URL('./', import.meta.url);
const app = { folder, express: 'fulmar/express', conversations } as const;

compareApp({
  ...app,
  name: 'Sentry, loaded by the first line of a CommonJS application',
  file: 'server.cjs',
  env: { SENTRY_DSN: dsn(1) },
  sides: [{ file: 'server.cjs', env: { SENTRY_DSN: dsn(2) } }],
});
compareApp({
  ...app,
  name: 'Sentry, loaded with --import into ES modules',
  file: 'server.mjs',
  flags: ['--import', './instrument.mjs'],
  env: { SENTRY_DSN: dsn(3) },
  sides: [{ file: 'server.mjs', env: { SENTRY_DSN: dsn(4) } }],
});

after(() => collector.close());
