/** Parse Server with PostgreSQL (Express 4, its own router, GraphQL, ws): its JavaScript SDK with live queries, its REST and GraphQL. */
import { GraphQL } from '../../apps/support/graphql.ts';
import type { Published, Talk } from '../support/server.ts';

/** As much of the SDK as is used here. */
type Parse = any;

const HEADERS = { 'X-Parse-Application-Id': 'lighthouse', 'Content-Type': 'application/json' };
const MASTER = { ...HEADERS, 'X-Parse-Master-Key': 'master' };

async function talkBySdk({ url, step, note, after, load }: Talk): Promise<void> {
  const parse = await load<{ default: Parse }>('parse/node');
  const sdk: Parse = parse.default;
  sdk.initialize('lighthouse');
  sdk.serverURL = `${url}/parse`;
  sdk.liveQueryServerURL = `${url.replace('http', 'ws')}/parse`;
  await step('objects');
  const Bird = sdk.Object.extend('Bird');
  const saved = await Promise.all([1, 2, 3].map(async (age) => new Bird().save({ name: `bird ${age}`, age, tags: ['a', { b: 'ü' }] })));
  const [first] = saved;
  await first.save({ age: 10 });
  first.increment('age');
  first.addUnique('tags', 'c');
  await first.save();
  note(
    await new sdk.Query('Bird')
      .greaterThan('age', 1)
      .ascending('age')
      .find()
      .then((all: Parse[]) => all.map((one) => [one.get('name'), one.get('age'), one.get('tags')])),
  );
  note(await new sdk.Query('Bird').count());
  note(await new Bird().save({ name: 'wrong' }).catch((error: Error) => error.message));
  await saved[1].destroy();
  await step('users and functions');
  const user = await sdk.User.signUp('ada', 'lighthouse', { email: 'ada@sea.example' });
  note([user.get('username'), await sdk.Cloud.run('hello', { name: 'ada' })]);
  note(await sdk.Cloud.run('fails').catch((error: { code: number; message: string }) => [error.code, error.message]));
  note(await sdk.User.logIn('ada', 'wrong').catch((error: Error) => error.message));
  await step('live queries');
  const subscription = await new sdk.Query('Bird').equalTo('name', 'live').subscribe();
  after(() => sdk.LiveQuery.close());
  const made = new Promise<Parse>((resolve) => subscription.on('create', resolve));
  await new Bird().save({ name: 'live' });
  note((await made).get('name'));
}

async function talk(all: Talk): Promise<void> {
  const { client, step } = all;
  await talkBySdk(all);
  await step('REST');
  for (const path of [
    '/parse/health',
    '/parse/classes/Bird?limit=1&order=age&keys=name',
    '/parse/classes/Nothing',
    '/parse/config',
    '/parse/nothing',
  ]) {
    await client.get(path, HEADERS);
  }
  await client.get('/parse/classes/Bird');
  await client.get('/parse/schemas', MASTER);
  await client.get('/parse/schemas', HEADERS);
  await client.post('/parse/files/bird.txt', 'Grüße 🌊', { ...HEADERS, 'Content-Type': 'text/plain' });
  await client.post('/parse/classes/Bird', '{"broken', HEADERS);
  await client.json('/parse/batch', { requests: [{ method: 'POST', path: '/parse/classes/Bird', body: { name: 'batch' } }] }, HEADERS);
  await client.post('/parse/classes/Bird', JSON.stringify({ _method: 'GET', _ApplicationId: 'lighthouse', limit: 1, keys: 'name' }), {
    'Content-Type': 'text/plain',
  });
  await client.send({ method: 'OPTIONS', path: '/parse/classes/Bird', headers: { Origin: 'http://sea.example' } });
  const big = JSON.stringify({ name: 'x'.repeat(21_000_000) });
  await client.post('/parse/classes/Bird', big, HEADERS);
  await step('GraphQL');
  const graph = new GraphQL(client, '/graphql');
  await graph.query('{ health }', {}, HEADERS);
  await graph.query('{ birds(where: { name: { equalTo: "live" } }) { count edges { node { name } } } }', {}, HEADERS);
  await graph.query('{ nothing }', {}, HEADERS);
}

export const server: Published = {
  name: 'parse-server',
  shown: 'parse-server',
  entry: '.run/server.cjs',
  env: ({ database }) => ({ DATABASE_URL: database }),
  needsDatabase: true,
  ready: '/parse/health',
  masks: [
    {
      pattern: /"(?:objectId|sessionToken|installationId|name|sessionId|clientId)":"(?:r:)?(?:[\w]{10}|[0-9a-f]{32}(?:_bird\.txt)?)"/g,
      by: '"<id>"',
    },
    { pattern: /[0-9a-f]{32}/g, by: '<id>' },
    { pattern: /\/classes\/(Bird|_User)\/\w{10}/g, by: '/classes/$1/<id>' },
    { pattern: /"id":"[\w=]+"/g, by: '"<id>"' },
    { pattern: /X-Parse-Job-Status-Id: .*/g, by: '' },
  ],
  talk,
};
