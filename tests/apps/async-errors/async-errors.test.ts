/**
 * What reaches into Express 4 by path: express-async-errors and its like, readers of stacks, tracers that
 * patch prototypes.
 */
import assert from 'node:assert/strict';
import { compareApp } from '../support/compare.ts';
import type { Conversation } from '../support/compare.ts';

const statuses = (replies: readonly { line: string }[]): string[] => replies.map(({ line }) => line.slice(0, 3));

/** One conversation that asks for each path in turn. */
function asks(name: string, paths: readonly string[], expected: readonly string[]): Conversation {
  return {
    name,
    talk: async ({ client }) => {
      for (const path of paths) {
        const [method, target] = path.includes(' ') ? (path.split(' ') as [string, string]) : ['GET', path];
        await client.send({ method, path: target });
      }
    },
    check: (replies) => assert.deepEqual(statuses(replies), expected),
  };
}

const conversations: Conversation[] = [
  {
    name: 'shows its layers and endpoints to tools',
    talk: async ({ client }) => void (await client.get('/inspect')),
    check: ([reply]) => {
      const { endpoints, layers, same } = JSON.parse(reply?.content ?? '') as Record<string, unknown[]>;
      assert.ok(endpoints?.some((one) => (one as { path: string }).path === '/promised/both'));
      assert.deepEqual(
        [layers?.[0], layers?.[1]],
        [
          [true, 'query', ['__handle', 'name', 'params', 'path', 'keys', 'regexp', 'route'], 3],
          [true, 'expressInit', ['__handle', 'name', 'params', 'path', 'keys', 'regexp', 'route'], 3],
        ],
      );
      assert.deepEqual(same, [true, true, true]);
    },
  },
  asks(
    'hands rejections of handlers and middleware to the error middleware',
    ['/', '/rejects', '/throws', '/rejects/text', '/after/reply', '/?block=1', '/missing', '/rejects?worse=1', '/'],
    ['200', '500', '500', '500', '200', '403', '404', '500', '200'],
  ),
  asks('goes on where a handler rejects with nothing', ['/rejects/nothing', '/'], ['404', '200']),
  asks('keeps the order of chains, and what they skip', ['/chain', 'HEAD /chain', 'OPTIONS /chain'], ['200', '200', '404']),
  asks(
    'hands rejections of parameters, routes and mounted routers on',
    [
      '/owners/ada/things/1',
      '/owners/ada/things/none',
      'DELETE /owners/ada/things/2',
      'PUT /owners/ada/things/3',
      '/owners/%E0/things/1',
      '/log',
    ],
    ['200', '404', '409', '404', '400', '200'],
  ),
  asks('hands rejections of error middleware on', ['/admin/report', '/admin/report?again=1'], ['503', '500']),
  asks(
    'runs routers of express-promise-router',
    ['/promised/open', '/promised/closed', '/promised/both', 'POST /promised/both'],
    ['200', '423', '200', '500'],
  ),
  {
    name: 'hands rejections after a body was read on',
    talk: async ({ client }) => {
      await client.json('/echo', { name: 'ada' });
      await client.json('/echo', {});
      await client.post('/echo', '{', { 'Content-Type': 'application/json' });
    },
    check: (replies) => assert.deepEqual(statuses(replies), ['201', '422', '400']),
  },
  asks('works for routes that are added between requests', ['/late/x', 'POST /routes/x', '/late/x'], ['404', '204', '418']),
];

const folder = new URL('./', import.meta.url);

compareApp({ name: 'async handlers that fail', folder, file: 'server.cjs', express: 'fulmar/express4', conversations });

compareApp({
  name: 'a tracer that patches modules of Express by path',
  folder,
  file: 'traced.cjs',
  flags: ['--require', './tracer.cjs'],
  express: 'fulmar/express4',
  conversations: [
    {
      name: 'sees each step of a request',
      talk: async ({ client }) => {
        for (const path of ['/', '/inner/7', '/inner/fail/8', '/nowhere', '/spans']) await client.get(path);
      },
      check: (replies) => {
        const { loaded, spans } = JSON.parse(replies.at(-1)?.content ?? '') as { loaded: string[]; spans: string[] };
        assert.equal(loaded.length, 11);
        for (const span of ['init', 'handle /', 'route /:id', 'params {"id":"7"}', 'handle_error onError', 'json {"id":"7"}']) {
          assert.ok(spans.includes(span), span);
        }
      },
    },
  ],
});
