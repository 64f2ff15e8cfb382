/**
 * What clients say to a server of Apollo, whatever is under it: queries, batches, persisted queries, caching,
 * errors, subscriptions.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Conversation, Talk } from '../support/compare.ts';
import { follow, GraphQL, openSocket } from '../support/graphql.ts';
import { sendRaw } from '../support/raw.ts';
import { until } from '../support/until.ts';

const ADA = { Authorization: 'Bearer token-ada' };
const PREFLIGHTED = { 'Apollo-Require-Preflight': 'true' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** What clients ask of the endpoint at `path`. */
export const queries = (path: string): readonly Conversation[] => {
  const api = ({ client }: Talk): GraphQL => new GraphQL(client, path);
  return [
    {
      name: 'answers queries over POST and GET, with fragments, unions, variables and Unicode',
      talk: async (talk) => {
        const graphql = api(talk);
        await graphql.query('{ books { id title pages kind author { name born books { title } } } batches }');
        await graphql.query('query Kinds($kind: Genre) { books(kind: $kind) { ...short } } fragment short on Book { title }', {
          kind: 'PICTURES',
        });
        await graphql.query('query ($text: String!) { echo(text: $text) }', { text: 'Þ 紫 🐦 "\\ \u2028\u0000' });
        await graphql.query(
          '{ find(text: "o") { __typename ... on Node { id } ... on Book { title } ... on Author { name } } node(id: "b2") { id } }',
        );
        await graphql.get({ query: '{ echo(text: "GET & ☃") }' }, PREFLIGHTED);
        const two = { query: 'query A { a: me } query B($t: String!) { b: echo(text: $t) }', variables: { t: '+ %' } };
        await graphql.get({ ...two, operationName: 'B' }, PREFLIGHTED);
        await graphql.send(two);
        await graphql.send({ ...two, operationName: 'C' });
        await graphql.query('{ me }', {}, ADA);
        await graphql.query('{ __schema { directives { name } types { name } } }');
        await graphql.query('{ me }', {}, { Accept: 'application/graphql-response+json' });
        await graphql.query('{ me }', {}, { Accept: 'application/json;q=0.1, text/html' });
        await graphql.query('{ me }', {}, { Accept: 'image/png' });
        await talk.client.send({ method: 'HEAD', path: `${path}?query=%7Bme%7D`, headers: PREFLIGHTED });
      },
      check: (replies) => assert.match(replies[0]?.content ?? '', /"Halld/),
    },
    {
      name: 'tells errors: syntax, validation, coercion, resolvers, context, with status and headers',
      talk: async (talk) => {
        const graphql = api(talk);
        for (const query of [
          '{ me',
          '{ nothing }',
          '{ book }',
          '{ books { author } }',
          '',
          '{ must }',
          'subscription { countdown(from: 1) }',
        ])
          await graphql.query(query);
        for (const how of ['plainly', 'status', 'late', 'code', 'not'])
          await graphql.query('query F($how: String!) { me fail(how: $how) }', { how });
        const add = 'mutation Add($book: NewBook!) { addBook(book: $book) { id title pages kind author { name } secret } }';
        for (const book of [
          { title: 'Brekkukotsannáll', pages: 300 },
          { title: 'x', pages: 0 },
          { title: 'x' },
          { title: 5, pages: 1, extra: 1 },
          { title: 'x', pages: 1, kind: 'POEM' },
          null,
        ])
          await graphql.query(add, { book }, ADA);
        await graphql.query(add, { book: { title: 'x', pages: 1 } });
        await graphql.query('mutation { clear addBook(book: { title: "literal", pages: "1" }) { id } }', {}, ADA);
        await graphql.query('{ me }', {}, { Authorization: 'Bearer stolen' });
        await graphql.query('{ me }', {}, { Authorization: 'Bearer broken' });
        await graphql.get({ query: 'mutation { clear }' }, PREFLIGHTED);
      },
      check: (replies) => {
        assert.ok(replies.some(({ line }) => line.startsWith('503')));
        assert.ok(replies.some(({ line }) => line.startsWith('403')));
        assert.ok(!JSON.stringify(replies).includes('secret of the'));
      },
    },
    {
      name: 'refuses what is no operation, and what a page elsewhere could have sent',
      talk: async (talk) => {
        const { client } = talk;
        for (const body of [
          '',
          '{',
          'null',
          '[]',
          '5',
          '"text"',
          '{"query":5}',
          '{"query":"{me}","variables":"x"}',
          '{"query":"{me}","extensions":5}',
          '{}',
        ])
          await client.post(path, body, JSON_TYPE);
        for (const type of ['text/plain', 'application/graphql', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'])
          await client.post(path, '{"query":"{me}"}', { 'Content-Type': type });
        await client.post(path, '{"query":"{me}"}');
        await client.post(path, '{"query":"{me}"}', { 'Content-Type': 'application/json; charset=utf-16' });
        for (const method of ['PUT', 'DELETE', 'PATCH']) await client.send({ method, path, body: '{"query":"{me}"}', headers: JSON_TYPE });
        for (const query of [
          '',
          '?query=%7Bme%7D',
          '?query=%7Bme',
          '?query=%7Bme%7D&variables=%7B',
          '?query=%7Bme%7D&query=%7Bme%7D',
          '?query=%ff',
        ]) {
          await client.get(path + query);
          await client.get(path + query, PREFLIGHTED);
        }
      },
      check: (replies) => assert.ok(replies.some(({ content }) => content.includes('CSRF'))),
    },
    {
      name: 'takes batches, persisted queries, and says how long replies may be kept',
      talk: async (talk) => {
        const graphql = api(talk);
        await graphql.send([
          { query: '{ me }' },
          { query: '{ nothing }' },
          { query: '{ fail(how: "code") }' },
          { query: 'query N { books { title } }', operationName: 'N' },
        ]);
        await graphql.send([]);
        await graphql.send([{ query: '{ me }' }, 5 as never]);
        const query = '{ books { title } }';
        const persisted = (text: string): Record<string, unknown> => ({
          persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') },
        });
        await graphql.send({ extensions: persisted(query) } as never);
        await graphql.send({ query, extensions: persisted(query) });
        await graphql.send({ extensions: persisted(query) } as never);
        await talk.client.get(`${path}?extensions=${encodeURIComponent(JSON.stringify(persisted(query)))}`, PREFLIGHTED);
        await graphql.send({ query: '{ me }', extensions: persisted(query) });
        for (const cached of ['{ books { title } }', '{ books { author { name } } }', '{ books { secret } }', '{ me books { title } }'])
          await graphql.query(cached, {}, ADA);
      },
      check: (replies) => {
        assert.match(replies[3]?.content ?? '', /PERSISTED_QUERY_NOT_FOUND/);
        assert.ok(replies.some(({ fields }) => fields.some((line) => /^cache-control: max-age=\d+, public/i.test(line))));
      },
    },
    {
      name: 'takes and gives much, and survives requests that break off',
      talk: async (talk) => {
        const graphql = api(talk);
        const echo = 'query ($text: String!) { echo(text: $text) }';
        await graphql.query(echo, { text: 'ß☃'.repeat(15_000) });
        await graphql.query('{ text(bytes: 2000000) }');
        const body = JSON.stringify({ query: echo, variables: { text: '紫'.repeat(50) } });
        await talk.client.send({ method: 'POST', path, pieces: [...body], headers: JSON_TYPE });
        const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
        await sendRaw(talk.port, [`${head}Content-Length: 1000\r\n\r\n{"query":`], { cutAfter: '' });
        await sendRaw(talk.port, [`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"que`], { cutAfter: '' });
        const reply = await talk.client.send({
          method: 'POST',
          path,
          body: '{"query":"{ text(bytes: 8000000) }"}',
          headers: JSON_TYPE,
          stopAfterBytes: 100_000,
        });
        (talk.client.replies as unknown[]).pop();
        talk.note([reply.status, reply.isComplete]);
        await graphql.query('{ me }');
      },
      check: (_replies, notes) => assert.deepEqual(notes, [[200, false]]),
    },
    {
      name: 'answers CORS requests and shows its landing page',
      talk: async ({ client }) => {
        for (const Origin of ['https://reading.example', 'https://evil.example']) {
          const ask = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' };
          await client.send({ method: 'OPTIONS', path, headers: { Origin, ...ask } });
          await client.json(path, { query: '{ me }' }, { Origin });
        }
        await client.get(path, { Accept: 'text/html' });
        await client.get('/elsewhere');
      },
      check: (replies) => assert.match(replies.at(-2)?.content ?? '', /<!doctype html>/i),
    },
  ];
};

const TOO_MUCH = JSON.stringify({ query: 'query ($text: String!) { echo(text: $text) }', variables: { text: 'x'.repeat(300_000) } });

/** 300 kB in one piece, which is refused with 413 or not by who reads it to its end all the same. */
export const limits = (path: string, status: 200 | 413): Conversation => ({
  name: `answers much content with ${status}`,
  talk: async ({ client }) => {
    await client.post(path, TOO_MUCH, JSON_TYPE);
    await client.json(path, { query: '{ me }' });
  },
  check: ([much, next]) => assert.deepEqual([much?.line.slice(0, 3), next?.line.slice(0, 3)], [String(status), '200']),
});

/**
 * What the applications add whose server is their own: other routes, WebSockets, draining. Ends the
 * application.
 */
export const subscriptions: readonly Conversation[] = [
  {
    name: 'answers on the other routes of the application',
    talk: async ({ client }) => {
      for (const path of ['/', '/graphql/below', '/graphql?query=%7Bme%7D', '/subscriptions']) await client.get(path);
    },
  },
  {
    name: 'runs subscriptions over WebSocket',
    talk: async (talk) => {
      const socket = openSocket(`${talk.url}/subscriptions`);
      talk.after(() => socket.dispose());
      talk.note(await follow(socket, { query: 'subscription { countdown(from: 30) }' }));
      talk.note(await follow(socket, { query: '{ me fail(how: "code") nothing }' }));
      const added = follow(socket, { query: 'subscription { bookAdded { title author { name } } }' }, 1);
      talk.note(await follow(socket, { query: '{ me }' }));
      await talk.client.json('/graphql', { query: 'mutation { addBook(book: { title: "Sjálfstætt fólk", pages: 9 }) { id } }' }, ADA);
      talk.note(await added);
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /Sjálfstætt fólk/),
  },
  {
    name: 'drains when it is told to end: answers what is under way, closes sockets',
    talk: async ({ client, running, url, note }) => {
      const socket = openSocket(`${url}/subscriptions`);
      const watching = follow(socket, { query: 'subscription { bookAdded { title } }' });
      note(await follow(socket, { query: '{ me }' }));
      const slow = client.json('/graphql', { query: '{ slow(ms: 1200) }' });
      await until(() => running.lines.out.find((line) => line === 'slow by 1200 ms'), 'the request to be under way');
      running.kill('SIGTERM');
      note(await watching);
      await slow;
      note(await running.ended);
    },
    check: ([slow], notes) => {
      assert.equal(slow?.content, '{"data":{"slow":1200}}\n');
      assert.match(JSON.stringify(notes), /"code":1001/);
    },
  },
];

/** A landing page allows its own scripts by numbers drawn for each page. */
export const NONCES = [{ pattern: /nonce[-=]"?[\w+/=-]+/g, by: '<nonce>' }];
