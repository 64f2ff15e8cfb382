/** Requests to controllers: routing, pipes, guards, interceptors, filters, bodies. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Client } from '../../../e2e/support/client.ts';
import type { Conversation } from '../../support/compare.ts';
import { sendRaw } from '../../support/raw.ts';

export const ADA = { Authorization: 'Bearer ada' };
const BERGTHORA = { Authorization: 'Bearer bergthora' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

async function getAll(client: Client, paths: readonly string[], headers: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const path of paths) await client.get(path, headers);
}

const NEW_BIRD = {
  name: ' Skua ',
  colour: 'black',
  owner: 'a@b.example',
  rings: ['IS12', 'NO7'],
  nests: [{ heightM: 20, built: '2020-05-01' }],
};

const routing: Conversation[] = [
  {
    name: 'answers on plain routes: text, JSON, redirects, cookies, empty, own replies',
    talk: async ({ client }) => {
      await getAll(client, [
        '/',
        '/health',
        '/api/old',
        '/api/away',
        '/api/cookies',
        '/api/cookies',
        '/api/own?a=1&a=2',
        '/api/nothing',
        '/api/big',
      ]);
      for (const kind of ['null', 'number', 'zero', 'true', 'text', 'empty', 'list', 'unknown', 'm%C3%B6we', '%E0%A4%A'])
        await client.get(`/api/values/${kind}`);
      await client.get('/', { 'X-Forwarded-For': '203.0.113.7, 10.0.0.1', 'X-Request-Id': 'mine' });
      await client.get('/api/own', { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cliff.example', 'X-Log': '1' });
      await client.get('/health', { 'If-None-Match': 'W/"f-x"' });
    },
    check: (replies) => {
      assert.match(replies[0]?.content ?? '', /^The cliff, seen from/);
      assert.equal(replies[1]?.content, '{"data":{"status":"up"}}');
      assert.ok(replies[4]?.fields.some((line) => line.startsWith('Set-Cookie: trip=')));
    },
  },
  {
    name: 'routes by method, wildcard, prefix and version',
    talk: async ({ client }) => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'SEARCH', 'PROPFIND'])
        for (const path of ['/api/all/a/b%2Fc/d', '/api/options', '/api/head-only', '/api/search', '/health', '/api/health', '/nowhere'])
          await client.send({ method, path });
      await getAll(client, ['/api/v1/versioned', '/api/v2/versioned', '/api/v3/versioned', '/api/v4/versioned', '/api/versioned']);
      await getAll(client, [
        '/api//health',
        '/API/HEALTH',
        '/health/',
        '/health?',
        '/api/all',
        '/api/all/',
        '/assets/fulmar.txt',
        '/assets/',
        '/assets/x',
        '/assets/../x',
      ]);
    },
    check: (replies) => assert.ok(replies.some(({ content }) => content === 'the second version')),
  },
  {
    name: 'makes request-scoped providers anew',
    talk: async ({ client }) => getAll(client, ['/api/visits', '/api/visits?a[b]=1', '/api/visits?x=%20&y=ü'.replace('ü', '%C3%BC')]),
    check: (replies) => assert.match(replies[1]?.content ?? '', /"number":2/),
  },
  {
    name: 'answers CORS requests',
    talk: async ({ client }) => {
      for (const Origin of ['https://cliff.example', 'https://evil.example']) {
        await client.get('/health', { Origin });
        await client.send({
          method: 'OPTIONS',
          path: '/api/birds',
          headers: { Origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' },
        });
      }
    },
    check: (replies) => assert.match(replies[1]?.line ?? '', /^204/),
  },
];

const birds: Conversation[] = [
  {
    name: 'lets guards decide',
    talk: async ({ client }) => {
      for (const headers of [{}, { Authorization: 'Basic x' }, { Authorization: 'Bearer nobody' }, ADA, BERGTHORA]) {
        await getAll(client, ['/api/birds/me', '/api/birds/locked'], headers);
        await client.send({ method: 'DELETE', path: '/api/birds/8', headers });
      }
      await client.send({ method: 'DELETE', path: '/api/birds/8', headers: ADA });
    },
    check: (replies) => {
      const codes = replies.map(({ line }) => line.slice(0, 3));
      assert.deepEqual(new Set(codes), new Set(['401', '403', '200', '204', '404']));
    },
  },
  {
    name: 'validates and converts queries and parameters',
    talk: async ({ client }) => {
      await getAll(
        client,
        [
          '/api/birds',
          '/api/birds?page=2&limit=3',
          '/api/birds?search=m%C3%96WE',
          '/api/birds?search=Puffin&exact=true',
          '/api/birds?page=0&limit=21&search=',
          '/api/birds?page=x',
          '/api/birds?page=1.5&unknown=1',
          '/api/birds?page=1&page=2',
          '/api/birds?search[a]=b',
          '/api/birds/1',
          '/api/birds/99',
          '/api/birds/one',
          '/api/birds/1e2',
          '/api/birds/-1',
          '/api/birds/pipes?ids=1,2,3&colour=grey&flag=true&ratio=0.25',
          '/api/birds/pipes?ids=1,2&colour=white',
          '/api/birds/pipes?ids=a&colour=grey',
          '/api/birds/pipes?colour=grey',
          '/api/birds/pipes?ids=1&colour=pink',
          '/api/birds/pipes?ids=1&colour=grey&flag=maybe',
          '/api/birds/pipes?ids=1&colour=grey&ratio=x',
          '/api/birds/by-uuid/9f1b0c9e-5a55-4f4e-9d2c-3f1b7f0f3d11',
          '/api/birds/by-uuid/9f1b0c9e',
        ],
        ADA,
      );
    },
    check: (replies) => assert.ok(replies.filter(({ line }) => line.startsWith('400')).length >= 10),
  },
  {
    name: 'validates bodies, nested ones too, and keeps what is excluded to itself',
    talk: async ({ client }) => {
      const add = (value: unknown): Promise<unknown> => client.json('/api/birds', value, BERGTHORA);
      await add(NEW_BIRD);
      await add(NEW_BIRD);
      await add({ name: 'Tern' });
      await add({
        name: 'x',
        colour: 'pink',
        owner: 'no',
        rings: ['a', 'b', 'c', 'd'],
        nests: [{ heightM: 501 }, { heightM: 'low', built: 'x' }],
      });
      await add({ name: 'Shag', isAdmin: true, __proto__: null });
      await add({ nests: 'none' });
      await add([]);
      await add({});
      await client.json('/api/birds/many', [{ name: 'Auk' }, { name: 'Eider', extra: 1 }], ADA);
      await client.json('/api/birds/many', [{ name: 'Auk two' }, { name: 5 }], ADA);
      await client.json('/api/birds/many', { name: 'no list' }, ADA);
      for (const method of ['PUT', 'PATCH'])
        for (const body of ['{"name":"Changed ☃"}', '{"colour":"grey"}', '{"colour":5}', '{}'])
          await client.send({ method, path: '/api/birds/2', body, headers: { ...JSON_TYPE, ...ADA } });
    },
    check: ([first, second, , fourth]) => {
      assert.match(first?.content ?? '', /"title":"Skua \(black\)"/);
      assert.ok(!first?.content.includes('a@b.example'));
      assert.match(second?.content ?? '', /"code":"TWICE"/);
      assert.match(fourth?.content ?? '', /the cliff is only 500 m high/);
    },
  },
  {
    name: 'turns errors into replies, and handlers that take too long',
    talk: async ({ client }) => {
      await getAll(
        client,
        ['teapot', 'own', 'text', 'value', 'plainly'].map((how) => `/api/birds/fail/${how}`),
        ADA,
      );
      await client.get('/api/birds/slow/60000', { ...ADA, 'X-Handler-Ms': '30' });
      await client.get('/api/birds/slow/2', ADA);
      await client.get('/api/birds/slow/two', ADA);
    },
    check: (replies) => {
      assert.deepEqual(
        replies.slice(0, 6).map(({ line }) => line.slice(0, 3)),
        ['418', '499', '422', '500', '500', '408'],
      );
      assert.ok(!JSON.stringify(replies).includes('secret'));
    },
  },
];

const bodies: Conversation[] = [
  {
    name: 'parses bodies of each type, and refuses what it cannot read',
    talk: async ({ client }) => {
      await client.json('/api/echo', { deep: [{ ü: '☃' }], n: 1e21 });
      await client.form('/api/echo', { 'a[b]': '1', 'list[]': 'x', ü: '☃ &' });
      await client.post('/api/echo', 'plain ☃', { 'Content-Type': 'text/plain; charset=utf-8' });
      await client.post('/api/echo', Buffer.from('caf\u00e9', 'latin1'), { 'Content-Type': 'text/plain; charset=latin1' });
      await client.post('/api/echo', '<bird/>', { 'Content-Type': 'application/xml' });
      await client.post('/api/echo', '');
      for (const body of ['{', '5', '"text"', '[1]', 'null', '']) await client.post('/api/echo', body, JSON_TYPE);
      await client.json('/api/echo', { big: 'x'.repeat(250_000) });
      await client.json('/api/echo', { big: 'x'.repeat(350_000) });
      await client.post('/api/echo', 'x', { ...JSON_TYPE, 'Content-Encoding': 'gzip' });
      await client.post('/api/echo', 'x', { ...JSON_TYPE, 'Content-Encoding': 'unknown' });
      await client.post('/api/echo', '{}', { 'Content-Type': 'application/json; charset=unknown' });
      await client.send({ method: 'POST', path: '/api/echo', pieces: ['{"a"', ':"', 'ü☃', '"}'], headers: JSON_TYPE });
      await client.get('/health');
    },
    check: (replies) => assert.ok(replies.some(({ line }) => line.startsWith('413'))),
  },
  {
    name: 'keeps the raw body for signatures',
    talk: async ({ client }) => {
      const body = '{ "b": 1,  "a": "ü☃" }';
      const signature = createHmac('sha256', 'key').update(body).digest('hex');
      await client.post('/api/webhook', body, { ...JSON_TYPE, 'X-Signature': signature });
      await client.post('/api/webhook', `${body} `, { ...JSON_TYPE, 'X-Signature': signature });
      await client.post('/api/webhook', body, { 'Content-Type': 'text/plain', 'X-Signature': signature });
      await client.form('/api/webhook', { a: 'b' }, { 'X-Signature': createHmac('sha256', 'key').update('a=b').digest('hex') });
    },
    check: ([first, second]) => assert.deepEqual([first?.line, second?.line], ['202 Accepted', '400 Bad Request']),
  },
  {
    name: 'answers pipelined requests in order, and survives those that break off',
    talk: async ({ client, port, note }) => {
      const get = (path: string, last = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ada\r\n${last}\r\n`;
      const all = await sendRaw(port, [get('/api/birds/slow/20') + get('/health') + get('/api/birds/99', 'Connection: close\r\n')]);
      note(all.replaceAll(/^(?:Date|X-Request-Id|Keep-Alive): .*\r\n/gm, ''));
      const head = 'POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      await sendRaw(port, [`${head}Content-Length: 1000\r\n\r\n{"a":`], { cutAfter: '' });
      await sendRaw(port, [`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":`], { cutAfter: '' });
      await client.get('/health', { 'X-Request-Id': 'after' });
    },
    check: (_replies, notes) => assert.match(String(notes[0]), /^HTTP\/1.1 200 OK[^]*slept[^]*"status":"up"[^]*No bird 99/),
  },
];

export const requests: readonly Conversation[] = [...routing, ...birds, ...bodies];
