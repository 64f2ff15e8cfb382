/**
 * GraphQL Yoga, as the listener of a server and inside Express: queries, batches, uploads, streams,
 * WebSocket, errors.
 */
import assert from 'node:assert/strict';
import { field } from '../../e2e/support/client.ts';
import { compareApp } from '../support/compare.ts';
import type { Conversation, Talk } from '../support/compare.ts';
import { follow, GraphQL, openSocket } from '../support/graphql.ts';
import { sendRaw } from '../support/raw.ts';
import { until } from '../support/until.ts';

const ADA = { Authorization: 'Bearer ada-token' };
const STREAM = { Accept: 'text/event-stream' };

const api = ({ client }: Talk): GraphQL => new GraphQL(client, '/graphql');

/** Waits until so many endless subscriptions were opened and have been closed. */
function allClosed({ url }: Talk, opened: number): Promise<number> {
  const query = encodeURIComponent('{ harbour }');
  return until(async () => {
    const reply = await fetch(`${url}/graphql?query=${query}`);
    const { data } = (await reply.json()) as { data: { harbour: [number, number] } };
    return data.harbour[0] === opened && data.harbour[1] === opened ? opened : undefined;
  }, `${opened} subscriptions to be closed`);
}

const operations: Conversation[] = [
  {
    name: 'answers queries over POST and GET, with variables, names and Unicode',
    talk: async (talk) => {
      const graphql = api(talk);
      await graphql.query('{ hello }');
      await graphql.query('query ($name: String!) { hello(name: $name) }', { name: 'Bergþóra 花子 🐦 "\\ \u2028' });
      await graphql.query('{ birds(first: 3, after: "2") { total next items { id name wingspanCm seenBy { name birds { id } } } } }');
      await graphql.query('query ($s: String!) { birds(search: $s) { items { name } total next } }', { s: 'MÖWE' });
      await graphql.query('{ bird(id: "99") { name } __typename a: hello b: hello(name: "☃") }');
      await graphql.get({ query: '{ hello(name: "GET ☃ & more") }' });
      await graphql.get({
        query: 'query A { a: hello } query B($n: String) { b: hello(name: $n) }',
        operationName: 'B',
        variables: { n: 'b' },
      });
      await graphql.query('{ __schema { queryType { name } types { name kind } } }');
      await talk.client.post('/graphql', '{ hello }', { 'Content-Type': 'application/graphql' });
      await talk.client.form('/graphql', { query: '{ hello(name: "form") }', variables: '{}' });
      await graphql.query('{ hello }', {}, { Accept: 'application/graphql-response+json' });
      await graphql.query('{ hello }', {}, { Accept: 'application/json' });
      await talk.client.send({ path: '/graphql?query=%7Bhello%7D', method: 'HEAD' });
    },
    check: (replies) => {
      assert.match(replies[1]?.content ?? '', /Berg/);
      assert.equal(replies[0]?.content, '{"data":{"hello":"Hello world!"}}');
    },
  },
  {
    name: 'knows who asks, and changes data',
    talk: async (talk) => {
      const graphql = api(talk);
      const add = 'mutation ($input: NewBird!) { addBird(input: $input) { id name wingspanCm seenBy { name } } }';
      await graphql.query('{ me { id name } }', {}, ADA);
      await graphql.query('{ me { id name } }');
      await graphql.query(add, { input: { name: 'Lundi 🐧' } }, ADA);
      await graphql.query(add, { input: { name: 'x' } });
      await graphql.query(add, { input: { name: 5, extra: true } }, ADA);
      await graphql.get({ query: 'mutation { addBird(input: { name: "by GET" }) { id } }' }, ADA);
      await graphql.query(
        '{ headers(names: ["host", "x-many", "x-latin", "content-length", "content-type"]) }',
        {},
        { 'X-Many': 'a, b', 'X-Latin': 'caf\u00e9' },
      );
    },
    check: (replies) => assert.match(replies[2]?.content ?? '', /"name":"Ada"/),
  },
  {
    name: 'tells errors: syntax, validation, thrown, masked, with status and headers',
    talk: async (talk) => {
      const graphql = api(talk);
      for (const query of [
        '{ hello',
        '{ nothing }',
        '{ birds }',
        'query A { hello } query B { hello }',
        '',
        '{ birds(first: 51) { total } }',
      ])
        await graphql.query(query);
      for (const how of ['plainly', 'openly', 'with status', 'late', 'not']) {
        await graphql.query('query ($how: String!) { hello fail(how: $how) }', { how });
        await graphql.query('query ($how: String!) { hello fail(how: $how) }', { how }, { Accept: 'application/graphql-response+json' });
      }
      await graphql.query('query ($n: Int!) { birds(first: $n) { total } }', { n: 'many' });
      await graphql.send({ query: '{ hello }', operationName: 'Missing' });
    },
    check: (replies) => {
      assert.ok(replies.some(({ line }) => line.startsWith('403')));
      assert.ok(!JSON.stringify(replies).includes('secret'));
    },
  },
  {
    name: 'refuses what is no operation',
    talk: async (talk) => {
      const { client } = talk;
      const json = { 'Content-Type': 'application/json' };
      for (const body of [
        '',
        '{',
        'null',
        '[]',
        '5',
        '"text"',
        '{"query":5}',
        '{"query":"{hello}","variables":5}',
        '{"a":1}',
        '{"query":"{hello}","extra":1}',
      ])
        await client.post('/graphql', body, json);
      await client.post('/graphql', '{"query":"{hello}"}', { 'Content-Type': 'text/plain' });
      await client.post('/graphql', '<query/>', { 'Content-Type': 'application/xml' });
      await client.post('/graphql', '{"query":"{hello}"}', {});
      for (const method of ['PUT', 'DELETE', 'PATCH']) await client.send({ method, path: '/graphql', body: '{}', headers: json });
      await client.get('/graphql');
      await client.get('/graphql?query=%7Bhello');
      await client.get('/graphql?query=%7Bhello%7D&variables=%7B');
      await client.get('/elsewhere');
      await client.get('/graphql/below');
      await client.get('/graphql?query={hello}', { Accept: 'image/png' });
    },
  },
  {
    name: 'takes batches up to their limit',
    talk: async (talk) => {
      const graphql = api(talk);
      await graphql.send([{ query: '{ hello }' }, { query: '{ fail(how: "openly") }' }, { query: '{ nothing }' }]);
      await graphql.send(
        Array.from({ length: 4 }, (_, at) => ({ query: 'query ($n: String) { hello(name: $n) }', variables: { n: String(at) } })),
      );
      await graphql.send(Array.from({ length: 5 }, () => ({ query: '{ hello }' })));
    },
    check: ([first]) => assert.match(first?.content ?? '', /^\[\{"data":\{"hello"/),
  },
  {
    name: 'takes and gives much, in pieces too',
    talk: async (talk) => {
      const graphql = api(talk);
      const length = 'query ($of: String!) { length(of: $of) }';
      await graphql.query(length, { of: 'ü☃'.repeat(500_000) });
      await graphql.query('{ text(bytes: 3000000) }');
      const body = Buffer.from(JSON.stringify({ query: length, variables: { of: '海鷗'.repeat(100) } }));
      const pieces = Array.from({ length: Math.ceil(body.length / 37) }, (_, at) => body.subarray(at * 37, at * 37 + 37));
      await talk.client.send({ method: 'POST', path: '/graphql', pieces, headers: { 'Content-Type': 'application/json' } });
      await talk.client.post('/graphql', body, { 'Content-Type': 'application/json', Expect: '100-continue' });
      await graphql.query('{ hello }');
    },
    check: ([first]) => assert.equal(first?.content, '{"data":{"length":1000000}}'),
  },
  {
    name: 'answers CORS requests and shows GraphiQL',
    talk: async ({ client }) => {
      const ask = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type, x-trip' };
      for (const Origin of ['https://cliff.example', 'https://evil.example'])
        await client.send({ method: 'OPTIONS', path: '/graphql', headers: { Origin, ...ask } });
      await client.send({ method: 'OPTIONS', path: '/graphql' });
      await client.json('/graphql', { query: '{ hello }' }, { Origin: 'https://cliff.example' });
      await client.get('/graphql', { Accept: 'text/html' });
    },
    check: (replies) => assert.match(replies.at(-1)?.content ?? '', /<!doctype html>/i),
  },
];

const file = (bytes: number, filename = 'möwe.png') => ({ filename, type: 'image/png', value: Buffer.alloc(bytes, 'fulmar') });
const UPLOAD = 'mutation ($file: File!) { upload(file: $file) { name type size sha256 } }';
const UPLOADS = 'mutation ($files: [File!]!) { uploads(files: $files) { name size } }';

const streams: Conversation[] = [
  {
    name: 'takes uploads, and refuses those beyond its limits',
    talk: async (talk) => {
      const graphql = api(talk);
      const one = { query: UPLOAD, variables: { file: null } };
      await graphql.upload(one, { 'variables.file': file(10) });
      await graphql.upload(one, { 'variables.file': file(150_000, '海鷗 "x".png') });
      await graphql.upload(one, { 'variables.file': file(0) });
      await graphql.upload(
        { query: UPLOADS, variables: { files: [null, null] } },
        { 'variables.files.0': file(7), 'variables.files.1': file(8) },
      );
      await graphql.upload(one, {});
      await graphql.upload({ query: '{ hello }' }, { 'variables.file': file(7) });
      await graphql.upload(one, { 'variables.file': file(300_000) });
      await talk.client.post('/graphql', 'no parts at all', { 'Content-Type': 'multipart/form-data; boundary=x' });
      await talk.client.post('/graphql', 'no boundary', { 'Content-Type': 'multipart/form-data' });
      await graphql.query('{ hello }');
    },
    check: (replies) => assert.match(replies[1]?.content ?? '', /"size":150000/),
  },
  {
    name: 'streams subscriptions as events',
    talk: async (talk) => {
      const graphql = api(talk);
      await graphql.query('subscription { countdown(from: 20) }', {}, STREAM);
      await graphql.query('subscription { failAfter(count: 3) }', {}, STREAM);
      await graphql.query('subscription { nothing }', {}, STREAM);
      await graphql.query('{ hello }', {}, STREAM);
      await graphql.get({ query: 'subscription { countdown(from: 2) }' }, STREAM);
      await graphql.query('subscription { countdown(from: 2) }');
    },
    check: ([first]) => {
      assert.ok(first?.fields.includes('Content-Type: text/event-stream') || first?.fields.includes('content-type: text/event-stream'));
      assert.match(first?.content ?? '', /"countdown":20[^]*"countdown":0/);
    },
  },
  {
    name: 'ends a subscription whose client has left',
    talk: async (talk) => {
      for (let count = 1; count <= 3; count += 1) {
        const request = { path: '/graphql', method: 'POST', body: JSON.stringify({ query: 'subscription { waves }' }) };
        const headers = { 'Content-Type': 'application/json', ...STREAM };
        const { status, fields } = await visit(talk, { ...request, headers, stopAfterBytes: 200 });
        talk.note([status, fields.map(([name]) => name)]);
        talk.note(await allClosed(talk, count));
      }
    },
  },
  {
    name: 'sends deferred parts and streamed lists later',
    talk: async (talk) => {
      const graphql = api(talk);
      const accept = { Accept: 'multipart/mixed' };
      const reply = await graphql.query('{ bird(id: "1") { name ... @defer { story(lines: 2) } } }', {}, accept);
      assert.match(field(reply, 'content-type') ?? '', /^multipart\/mixed/);
      await graphql.query('{ bird(id: "10") { name ... @defer(label: "later") { story } } hello }', {}, accept);
    },
    check: ([first]) => assert.match(first?.content ?? '', /hasNext/),
  },
  {
    name: 'survives requests that break off',
    talk: async (talk) => {
      const head = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      await sendRaw(talk.port, [`${head}Content-Length: 1000\r\n\r\n{"query":`], { cutAfter: '' });
      await sendRaw(talk.port, [`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"que`], { cutAfter: '' });
      await talk.client.json('/graphql', { query: '{ hello }' });
    },
  },
];

/** A request whose bytes depend on when it stops: not compared as a whole. */
async function visit(talk: Talk, ask: Parameters<Talk['client']['send']>[0]): Promise<Awaited<ReturnType<Talk['client']['send']>>> {
  const reply = await talk.client.send(ask);
  (talk.client.replies as unknown[]).pop();
  return reply;
}

const sockets: Conversation[] = [
  {
    name: 'runs operations over WebSocket',
    talk: async (talk) => {
      const socket = openSocket(`${talk.url}/graphql`, { authorization: 'Bearer hanako-token' });
      talk.after(() => socket.dispose());
      talk.note(await follow(socket, { query: 'subscription { countdown(from: 5) }' }));
      talk.note(await follow(socket, { query: '{ hello me { name } }' }));
      talk.note(await follow(socket, { query: 'mutation { addBird(input: { name: "over WebSocket" }) { name seenBy { name } } }' }));
      talk.note(await follow(socket, { query: '{ nothing }' }));
      talk.note(await follow(socket, { query: 'subscription { failAfter(count: 2) }' }));
      talk.note(await follow(socket, { query: 'query ($s: String!) { length(of: $s) }', variables: { s: 'x'.repeat(400_000) } }));
      const parallel = [3, 6, 9].map((from) => follow(socket, { query: `subscription { countdown(from: ${from}) }` }));
      talk.note(await Promise.all(parallel));
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /"countdown":0/),
  },
  {
    name: 'tells subscribers over WebSocket and over events of what others do',
    talk: async (talk) => {
      const socket = openSocket(`${talk.url}/graphql`);
      talk.after(() => socket.dispose());
      const over = follow(socket, { query: 'subscription { birdAdded { name } }' }, 1);
      // Said on the same socket and answered after it: by then the subscription is there.
      talk.note(await follow(socket, { query: '{ hello }' }));
      await api(talk).query('mutation { addBird(input: { name: "Súla" }) { name } }', {}, ADA);
      talk.note(await over);
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /Súla/),
  },
  {
    name: 'refuses sockets: who they are, where they go, what they speak',
    talk: async (talk) => {
      const nobody = openSocket(`${talk.url}/graphql`, { authorization: 'Bearer nobody' });
      talk.note(await follow(nobody, { query: '{ hello }' }));
      talk.note(await sendRaw(talk.port, [upgrade('/elsewhere', 'graphql-transport-ws')]));
      talk.note(await sendRaw(talk.port, [upgrade('/graphql', 'unknown')], { cutAfter: 'not acceptable' }));
      talk.note(await sendRaw(talk.port, [upgrade('/graphql', 'graphql-transport-ws').replace('Version: 13', 'Version: 7')]));
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /4403[^]*400 Bad Request/),
  },
];

function upgrade(path: string, protocol: string): string {
  return (
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
    `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`
  );
}

const MASKS = [{ pattern: /Sec-WebSocket-Accept: \S+/g, by: 'Sec-WebSocket-Accept: <key>' }];

compareApp({
  name: 'GraphQL Yoga on node:http',
  folder: new URL('./', import.meta.url),
  file: 'server.js',
  express: 'none',
  masks: MASKS,
  conversations: [...operations, ...streams, ...sockets],
});

compareApp({
  name: 'GraphQL Yoga in Express',
  folder: new URL('./', import.meta.url),
  file: 'express-server.js',
  express: 'fulmar/express',
  masks: MASKS,
  conversations: [
    {
      name: "stands beside the application's other routes",
      talk: async ({ client }) => {
        for (const path of ['/birds/1', '/birds/99', '/birds/10?x=1', '/birds/%ff']) await client.get(path);
      },
    },
    ...operations,
    ...streams,
    ...sockets,
  ],
});
