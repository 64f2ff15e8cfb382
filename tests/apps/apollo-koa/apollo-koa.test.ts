/**
 * Apollo Server in Koa: all that it is asked in Express, and what router, body parser and CORS of Koa add
 * around it.
 */
import assert from 'node:assert/strict';
import { NONCES, queries, subscriptions } from '../apollo/conversations.ts';
import { compareApp } from '../support/compare.ts';
import type { Conversation } from '../support/compare.ts';

const around: Conversation = {
  name: 'routes, parses and fails around the GraphQL endpoint',
  talk: async ({ client }) => {
    for (const path of ['/', '/books/b%201', '/throws', '/breaks', '/books/%ff', '/nowhere']) await client.get(path);
    await client.post('/echo', 'a=1&b[c]=%C3%BC', { 'Content-Type': 'application/x-www-form-urlencoded' });
    await client.post('/echo', '{"a":[1,"☃"]}', { 'Content-Type': 'application/json' });
    await client.post('/echo', '{"a":', { 'Content-Type': 'application/json' });
    await client.post('/echo', 'plain', { 'Content-Type': 'text/plain' });
    for (const method of ['HEAD', 'OPTIONS', 'DELETE', 'PROPFIND']) await client.send({ method, path: '/echo' });
    await client.send({ method: 'HEAD', path: '/' });
  },
  check: (replies) => {
    const statuses = replies.map(({ line }) => Number(line.split(' ')[0]));
    for (const status of [200, 400, 404, 405, 418, 500, 501]) assert.ok(statuses.includes(status), `no ${status} in ${statuses}`);
    assert.match(replies[6]?.content ?? '', /"b":\{"c":"/);
    assert.ok(!JSON.stringify(replies).includes('secret of the'));
  },
};

/**
 * The body parsers of Koa leave the rest of too large content unread. Its connection is kept on both sides
 * while that rest is short (S13 in docs/migration/from-express.md), so it is here: the pieces end soon after
 * the limit.
 */
const tooMuch: Conversation = {
  name: 'refuses content beyond its limit',
  talk: async ({ client }) => {
    const piece = 'x'.repeat(10_000);
    const pieces = ['{"query":"{ me }","text":"', ...Array.from({ length: 21 }, () => piece), '"}'];
    await client.send({ method: 'POST', path: '/graphql', pieces, headers: { 'Content-Type': 'application/json' } });
    await client.json('/graphql', { query: '{ me }' });
  },
  check: ([refused, next]) => assert.match(`${refused?.line} ${next?.line}`, /413 .* 200 /),
};

/** How Koa is told of a connection that broke off depends on what was under way, and on S21. */
const BROKEN_OFF = /^error of POST \/graphql: (request aborted|Parse Error|(read|write) (ECONNRESET|EPIPE))$/;

compareApp({
  name: 'Apollo Server in Koa',
  folder: new URL('./', import.meta.url),
  file: 'server.js',
  koa: 'fulmar/koa',
  handlesSigterm: true,
  masks: NONCES,
  line: (line) => (BROKEN_OFF.test(line) ? undefined : line),
  conversations: [...queries('/graphql'), tooMuch, around, ...subscriptions],
});
