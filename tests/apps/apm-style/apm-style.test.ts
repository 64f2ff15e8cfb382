/**
 * Monitoring in the style of New Relic: patched emitters, servers, clients and routers record the same,
 * however they are loaded.
 */
import assert from 'node:assert/strict';
import { compareApp } from '../support/compare.ts';
import type { Conversation, Talk } from '../support/compare.ts';
import { sendRaw } from '../support/raw.ts';
import { until } from '../support/until.ts';

/** What the agent has recorded, once so many requests have closed. */
async function takeRecords({ url }: Talk, requests: number): Promise<string[]> {
  const records: string[] = [];
  await until(async () => {
    records.push(...((await (await fetch(`${url}/agent/records`)).json()) as string[]));
    return records.filter((line) => / close (?:true|false)$/.test(line)).length >= requests ? true : undefined;
  }, `${requests} requests to close`);
  return records;
}

/** Plays, then notes the records once so many requests have closed. */
function recorded(name: string, requests: number, play: (talk: Talk) => Promise<unknown>, expected: readonly string[]): Conversation {
  return {
    name,
    talk: async (talk) => {
      await play(talk);
      const records = await takeRecords(talk, requests);
      // The asking has connections too; what counts is that the agent sees them.
      assert.ok(records.includes('- emit connection 1'), 'no connection was reported');
      const lines = records.filter((line) => line !== '- emit connection 1');
      // Upstream's Express loads http itself, ours does when a server is made: which is heard of first is
      // nobody's promise.
      talk.note([...groups(lines)].toSorted(([one], [two]) => (one < two ? -1 : 1)));
    },
    check: (_replies, notes) => {
      const text = JSON.stringify(notes);
      for (const part of expected) assert.ok(text.includes(part), `no ${part}`);
    },
  };
}

/** Records by request: those of one keep their order, those of several at once have none. */
function groups(records: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of records) {
    const key = /^#\d+|^- loaded \w+/.exec(line)?.[0] ?? '-';
    found.set(key, [...(found.get(key) ?? []), line]);
  }
  return found;
}

const conversations: Conversation[] = [
  recorded(
    'records requests, handlers, parameters and replies in order',
    6,
    async ({ client }) => {
      await client.get('/', { 'X-Trace': 'from outside' });
      await client.get('/plain');
      await client.get('/things/42');
      await client.json('/outer/inner/deep/ünï'.replace('ünï', '%C3%BCn'), { a: 1 });
      await client.get('/outer/inner/skip');
      await client.send({ path: '/', method: 'HEAD' });
    },
    ['begin 2 true true number from outside', 'finish 203', 'handler loadThing', 'handler first', 'writeHead 203'],
  ),
  recorded(
    'records failures and calls to itself, with the context kept',
    6,
    async ({ client }) => {
      await client.get('/throws');
      await client.get('/things/none');
      await client.get('/calls');
      await client.get('/later');
      await client.get('/nowhere');
    },
    ['error handler failed', 'thrown', 'request answered 200', 'finish 404'],
  ),
  recorded(
    'records what never becomes a proper request',
    1,
    async (talk) => {
      talk.note(await sendRaw(talk.port, ['BROKEN\r\n\r\n']));
      await sendRaw(talk.port, ['POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}']);
    },
    ['- emit clientError', 'finish 404'],
  ),
];

const imported: Conversation = {
  name: 'shows imports to hooks, which replace an export',
  talk: async (talk) => {
    await talk.client.get('/imported');
    // The end of this request is not left to be counted with those of the next conversation.
    await takeRecords(talk, 1);
  },
  check: ([reply]) => {
    assert.match(reply?.content ?? '', /http built in Server,createServer,default/);
    assert.match(reply?.content ?? '', /express 4 application,default|express 4 Router,application,default/);
    assert.match(reply?.content ?? '', /createServer 2/);
  },
};

const folder = new URL('./', import.meta.url);
const app = { folder, express: 'fulmar/express4', conversations } as const;

compareApp({ ...app, name: 'an agent that the application loads first', file: 'server.cjs' });
compareApp({ ...app, name: 'an agent, with the server left to Express', file: 'listen.cjs' });
compareApp({ ...app, name: 'an agent loaded with --require', file: 'server.cjs', flags: ['--require', './agent.cjs'] });
compareApp({
  ...app,
  name: 'an agent loaded with --import into ES modules',
  file: 'server.mjs',
  flags: ['--import', './agent.mjs'],
  conversations: [imported, ...conversations],
});
