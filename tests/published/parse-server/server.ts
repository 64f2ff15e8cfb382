/**
 * Parse Server with PostgreSQL (Express 4, its own router, ws): its JavaScript SDK with live queries, and its
 * REST API.
 */
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
  // One of its own: the SDK's client is made once for the process, and does not go on after `close()`.
  const live = new sdk.LiveQueryClient({ applicationId: 'lighthouse', serverURL: `${url.replace('http', 'ws')}/parse` });
  after(() => live.close());
  live.open();
  const subscription = live.subscribe(new sdk.Query('Bird').equalTo('name', 'live'));
  await subscription.subscribePromise;
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
